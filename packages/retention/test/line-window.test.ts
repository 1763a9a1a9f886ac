import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LineWindow, type LineWindowOptions, type LineWindowResult } from '../src/index.ts'
import { chunksOf, inputs, splits } from './support/arbitraries.ts'
import { property } from './support/property.ts'
import { retain } from './support/retain.ts'

function read(options: LineWindowOptions, ...chunks: readonly (string | Uint8Array)[]): LineWindowResult {
  const window = new LineWindow(options)
  for (const chunk of chunks) window.push(chunk)
  return window.finish()
}

const decoded = (input: string | Uint8Array): string =>
  typeof input === 'string' ? input.toWellFormed() : new TextDecoder('utf-8', { ignoreBOM: true }).decode(input)
/** The lines with their ends. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

const windows = fc.record({
  offset: fc.oneof(fc.constant(undefined), fc.integer({ min: 1, max: 8 })),
  limit: fc.integer({ min: 1, max: 5 }),
})

property(
  'RET-1 RET-2 RET-4 of a window: these lines and no others, exact counts, whatever the chunks',
  fc.record({ input: inputs, shares: splits, window: windows }),
  ({ input, shares, window: { offset = 1, limit } }, witness) => {
    const lines = linesOf(decoded(input))
    const shown = lines.slice(offset - 1, offset - 1 + limit)
    const end = offset - 1 + shown.length
    const result = read({ offset, limit }, ...chunksOf(input, shares))
    const { seen } = retain({ head: { bytes: 0 } }, input)
    expect(result).toMatchObject({
      text: shown.join(''),
      first: offset,
      last: end,
      next: shown.length > 0 && end < lines.length ? end + 1 : undefined,
      truncated: shown.length > 0 && end < lines.length,
      isPastEnd: offset > Math.max(1, lines.length),
      seen: { ...seen, lines: lines.length },
      kept: { characters: [...shown.join('')].length, lines: shown.length },
    })
    for (const unit of ['bytes', 'characters', 'lines'] as const)
      expect(result.kept[unit] + result.omitted[unit]).toBe(result.seen[unit])
    if (shown.length > 0 && lines.length > shown.length) witness()
  },
)

property(
  'pages make up the text, but for what is over the bytes of a page in one line',
  fc.record({
    input: inputs,
    shares: splits,
    limit: fc.integer({ min: 1, max: 3 }),
    bytes: fc.integer({ min: 1, max: 90 }),
  }),
  ({ input, shares, limit, bytes }, witness) => {
    const chunks = chunksOf(input, shares)
    const lines = linesOf(decoded(input))
    let pages = 0
    for (let offset: number | undefined = 1; offset !== undefined; pages++) {
      const page: LineWindowResult = read({ offset, limit, bytes }, ...chunks)
      const wanted = lines.slice(offset - 1, page.last).join('')
      expect(page.kept.bytes).toBeLessThanOrEqual(bytes)
      if (page.kept.lines > 0 || wanted === '') expect(page.text).toBe(wanted)
      else
        expect(page).toMatchObject({
          last: offset,
          truncated: true,
          text: expect.toSatisfy((text) => wanted.startsWith(text)),
        })
      expect(page.next).toBe(page.last < lines.length ? page.last + 1 : undefined)
      offset = page.next
    }
    expect(pages).toBeLessThanOrEqual(Math.max(1, lines.length))
    if (pages > 1) witness()
  },
)

describe('windows, by example', () => {
  const text = 'one\ntwo\nthree\nfour'

  test('lines 2 and 3 of 4, and where to go on', () => {
    expect(read({ offset: 2, limit: 2 }, text)).toEqual({
      text: 'two\nthree\n',
      first: 2,
      last: 3,
      next: 4,
      isPastEnd: false,
      truncated: true,
      seen: { bytes: 18, characters: 18, lines: 4 },
      kept: { bytes: 10, characters: 10, lines: 2 },
      omitted: { bytes: 8, characters: 8, lines: 2 },
    })
  })

  test('the end is no budget', () => {
    expect(read({ offset: 3, limit: 2 }, text)).toMatchObject({
      text: 'three\nfour',
      last: 4,
      next: undefined,
      truncated: false,
    })
  })

  test('past the end there is nothing, and it is said; an empty text can be read from its beginning', () => {
    expect(read({ offset: 5, limit: 2 }, text)).toMatchObject({
      text: '',
      first: 5,
      last: 4,
      next: undefined,
      isPastEnd: true,
    })
    expect(read({ limit: 2 })).toMatchObject({ text: '', isPastEnd: false, truncated: false })
  })

  test('a page of bytes has whole lines; of a line that is longer than a page, the beginning', () => {
    expect(read({ limit: 9, bytes: 9 }, text)).toMatchObject({ text: 'one\ntwo\n', next: 3, truncated: true })
    expect(read({ offset: 3, limit: 9, bytes: 4 }, text)).toMatchObject({
      text: 'thre',
      last: 3,
      next: 4,
      kept: { lines: 0 },
    })
  })
})
