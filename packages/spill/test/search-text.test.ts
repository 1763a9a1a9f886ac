import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { searchText, type TextMatch } from '../src/index.ts'
import { property } from './support/property.ts'
import { acrossPieces, type Saved, saved, texts } from './support/saved.ts'

const searches = fc.constantFrom('a', 'ab', '\n', 'b\na', '\u{1f600}', 'é', '\0', 'abababab')

/** Everything from `offset` on, page after page. */
async function searchAll(
  { reader, place }: Saved,
  search: string,
  offset: number,
  limit: number,
): Promise<TextMatch[]> {
  const found: TextMatch[] = []
  for (let next: number | undefined = offset; next !== undefined; ) {
    const page = await searchText(reader, { ...place, search, offset: next, limit, maxBytes: 500 })
    expect(page!.matches.length).toBeLessThanOrEqual(limit)
    if (page!.next !== undefined) expect(page!.next).toBeGreaterThan(found.at(-1)?.byte ?? -1)
    found.push(...page!.matches)
    next = page!.next
  }
  return found
}

/** Every place, overlapping ones included, from the whole text. */
function placesOf(bytes: Buffer, search: string, offset: number): number[] {
  const places: number[] = []
  for (let at = bytes.indexOf(search, offset); at >= 0; at = bytes.indexOf(search, at + 1)) places.push(at)
  return places
}

function judge({ bytes }: Saved, search: string, offset: number, found: readonly TextMatch[]): void {
  const places = placesOf(bytes, search, offset)
  const given = new Set(found.map(({ byte }) => byte))
  expect(given.size).toBe(found.length)
  for (const { byte, line, excerpt } of found) {
    expect(places).toContain(byte)
    expect(line).toBe(bytes.subarray(0, byte).toString('latin1').split('\n').length)
    expect(bytes.includes(excerpt)).toBe(true)
    expect(excerpt).not.toContain('\n')
    expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(330)
    const firstLine = search.split('\n')[0] as string
    expect(excerpt.includes(firstLine)).toBe(true)
  }
  // What is not given was seen whole in the excerpt of the match before it.
  for (const place of places) {
    if (given.has(place)) continue
    const before = found.findLast(({ byte }) => byte < place)
    const seen = before!.excerpt.slice(-240)
    expect(seen).toContain(search)
    expect(place - before!.byte).toBeLessThan(240)
  }
}

property(
  'SPS-1 every place is found, on its line, or stands in the excerpt of the one before',
  fc.tuple(texts, searches, fc.nat(30), fc.integer({ min: 1, max: 5 })),
  async ([text, search, offset, limit], witness) => {
    const all = await saved(text)
    const found = await searchAll(all, search, offset, limit)
    judge(all, search, offset, found)
    if (found.length > 1) witness()
  },
)

property(
  'SPS-1 places across the border of two megabytes are found once',
  fc.tuple(acrossPieces, searches),
  async ([text, search], witness) => {
    const all = await saved(text)
    const offset = 1_048_576 - 100
    const found = await searchAll(all, search, offset, 5)
    judge(all, search, offset, found)
    if (found.some(({ byte }) => byte > 1_048_576 - 50)) witness()
  },
  60,
)

test('a long line is shown around each match, in whole characters', async () => {
  const all = await saved(`${'漢'.repeat(1_000)}needle${'é'.repeat(1_000)}needle`)
  const [first, second, ...others] = await searchAll(all, 'needle', 0, 9)
  expect(others).toEqual([])
  expect(first).toEqual({ line: 1, byte: 3_000, excerpt: `${'漢'.repeat(27)}needle${'é'.repeat(117)}` })
  expect(second).toMatchObject({ byte: 5_006, excerpt: `${'é'.repeat(40)}needle` })
})

test('no match, no artefact', async () => {
  const { reader, place } = await saved('text')
  const request = { ...place, search: 'needle', offset: 0, limit: 1, maxBytes: 9 }
  expect(await searchText(reader, request)).toEqual({ matches: [], bytes: 4, next: undefined })
  expect(await searchText(reader, { ...request, session: 'b' })).toBeUndefined()
})
