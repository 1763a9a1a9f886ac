import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LineRange, readLines, readText } from '../src/index.ts'
import { property } from './support/property.ts'
import { acrossPieces, linesOf, type Saved, saved, texts } from './support/saved.ts'

const wanted = { line: fc.integer({ min: 1, max: 12 }), limit: fc.integer({ min: 1, max: 5 }) }

/** What a reading has to give, worked out from all lines at once. */
function expectLines({ text, bytes }: Saved, range: LineRange, line: number, limit: number, maxBytes: number): void {
  const lines = linesOf(text)
  const from = Buffer.byteLength(lines.slice(0, line - 1).join(''))
  const fitting = lines.slice(line - 1, line - 1 + limit)
  while (fitting.length > 0 && Buffer.byteLength(fitting.join('')) > maxBytes) fitting.pop()
  const isTooLong = fitting.length === 0 && line <= lines.length
  expect(range).toMatchObject({ from, bytes: bytes.length, first: line, to: from + Buffer.byteLength(range.text) })
  if (isTooLong) {
    expect(range.last).toBe(line)
    expect(range.text).not.toBe('')
    expect(lines[line - 1]!.startsWith(range.text)).toBe(true)
    expect(Buffer.byteLength(range.text)).toBeLessThanOrEqual(Math.max(maxBytes, 4))
  } else {
    expect(range).toMatchObject({ text: fitting.join(''), last: line + fitting.length - 1, isTorn: false })
  }
}

property(
  'SPS-1 lines are whole, as many as were wanted and fit; of one that is too long alone, the beginning',
  fc.record({ text: texts, ...wanted, maxBytes: fc.integer({ min: 1, max: 40 }) }),
  async ({ text, line, limit, maxBytes }, witness) => {
    const all = await saved(text)
    const range = await readLines(all.reader, { ...all.place, line, limit, maxBytes })
    expectLines(all, range!, line, limit, maxBytes)
    if (line > 1 && range!.text !== '') witness()
  },
)

property(
  'SPS-1 lines behind a megabyte are found',
  fc.record({ text: acrossPieces, fromEnd: fc.integer({ min: 0, max: 20 }), limit: wanted.limit }),
  async ({ text, fromEnd, limit }, witness) => {
    const all = await saved(text)
    const line = Math.max(1, linesOf(text).length - fromEnd)
    const range = await readLines(all.reader, { ...all.place, line, limit, maxBytes: 50 })
    expectLines(all, range!, line, limit, 50)
    if (range!.from > 1_048_576 - 300) witness()
  },
  100,
)

property(
  'SPS-1 pages of lines, and of bytes where a line is too long for one, joined, are the text',
  fc.tuple(texts, wanted.limit, fc.integer({ min: 1, max: 20 })),
  async ([text, limit, maxBytes], witness) => {
    const { reader, place, bytes } = await saved(text)
    const pages: string[] = []
    let line = 1
    for (let at = 0; at < bytes.length; ) {
      const range = await readLines(reader, { ...place, line, limit, maxBytes })
      pages.push(range!.text)
      at = range!.to
      line = range!.last + 1
      if (!range!.isTorn) continue
      // The rest of a long line, byte by byte as `isTorn` says.
      const end = bytes.indexOf('\n', at)
      const rest = await readText(reader, { ...place, offset: at, limit: (end < 0 ? bytes.length : end + 1) - at })
      pages.push(rest!.text)
      at = rest!.to
      witness()
    }
    expect(pages.join('')).toBe(text)
  },
)

test.each([
  ['', 1, { text: '', first: 1, last: 0, from: 0, to: 0, bytes: 0, isTorn: false }],
  ['a\n', 2, { text: '', first: 2, last: 1, from: 2, to: 2, bytes: 2, isTorn: false }],
  ['a\nb', 2, { text: 'b', first: 2, last: 2, from: 2, to: 3, bytes: 3, isTorn: false }],
  ['a', 9, { text: '', first: 9, last: 8, from: 1, to: 1, bytes: 1, isTorn: false }],
])('%j from line %i on', async (text, line, expected) => {
  const { reader, place } = await saved(text)
  expect(await readLines(reader, { ...place, line, limit: 5, maxBytes: 100 })).toEqual(expected)
})

test('U2: a line beyond the last one gives nothing, and the last thousand of 2,500 are where they are', async () => {
  const rows = Array.from({ length: 2_500 }, (_, at) => `row ${at + 1}\n`)
  const { reader, place } = await saved(rows.join(''))
  const last = await readLines(reader, { ...place, line: 1_501, limit: 2_000, maxBytes: 100_000 })
  expect(last).toMatchObject({ first: 1_501, last: 2_500, text: rows.slice(1_500).join('') })
  expect(await readLines(reader, { ...place, line: 2_501, limit: 9, maxBytes: 9 })).toMatchObject({
    text: '',
    last: 2_500,
  })
})

test('another session: undefined, at whatever line', async () => {
  const { reader, place } = await saved('a\nb\n')
  for (const line of [1, 2, 9])
    expect(await readLines(reader, { ...place, session: 'b', line, limit: 1, maxBytes: 9 })).toBeUndefined()
})
