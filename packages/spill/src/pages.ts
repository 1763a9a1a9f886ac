import type { SpillReader } from './contract.ts'
import { readLines } from './read-lines.ts'
import { readText } from './read-text.ts'
import type { Place } from './scan.ts'
import { searchText, type TextMatch } from './search-text.ts'

/** What the model asks for: where to begin, and how much. */
export interface Wish {
  readonly line?: number
  readonly byte?: number
  readonly search?: string
  readonly limit?: number
}

/** The members of a `Wish` that go on from where a page ended. */
export type GoOn = Pick<Wish, 'line' | 'byte' | 'search'>

interface Page {
  /** Size of the whole artefact. */
  readonly bytes: number
  /** How to ask for what follows; absent at the end. */
  readonly next?: GoOn
}

/** Part of a text, from the byte `from` to before the byte `to`; with lines, also which ones. */
export interface TextPage extends Page {
  readonly kind: 'text'
  readonly text: string
  readonly from: number
  readonly to: number
  readonly first?: number
  readonly last?: number
}

/** Where something was found. */
export interface MatchesPage extends Page {
  readonly kind: 'matches'
  readonly search: string
  readonly matches: readonly TextMatch[]
}

const linesAtMost = 2_000
const matchesAtMost = 50

/** The page that a wish asks for, no longer than `pageBytes`. `undefined`: there is no such artefact, or no longer. */
export function pageOf(
  reader: SpillReader,
  place: Place,
  wish: Wish,
  pageBytes: number,
): Promise<TextPage | MatchesPage | undefined> {
  if (wish.search !== undefined) return matchesPage(reader, place, wish.search, wish, pageBytes)
  return wish.byte === undefined
    ? linesPage(reader, place, wish, pageBytes)
    : bytesPage(reader, place, wish.byte, wish, pageBytes)
}

async function linesPage(reader: SpillReader, place: Place, { line = 1, limit = linesAtMost }: Wish, maxBytes: number) {
  const range = await readLines(reader, { ...place, line, limit, maxBytes })
  if (range === undefined) return undefined
  const { isTorn, ...page } = range
  const hasMore = page.to < page.bytes
  const next = isTorn ? { byte: page.to } : { line: page.last + 1 }
  return { kind: 'text' as const, ...page, ...(hasMore && { next }) }
}

async function bytesPage(
  reader: SpillReader,
  place: Place,
  offset: number,
  { limit = Number.POSITIVE_INFINITY }: Wish,
  pageBytes: number,
) {
  const page = await readText(reader, { ...place, offset, limit: Math.min(limit, pageBytes) })
  if (page === undefined) return undefined
  return { kind: 'text' as const, ...page, ...(page.to < page.bytes && { next: { byte: page.to } }) }
}

async function matchesPage(
  reader: SpillReader,
  place: Place,
  search: string,
  { byte = 0, limit = matchesAtMost }: Wish,
  maxBytes: number,
) {
  const found = await searchText(reader, { ...place, search, offset: byte, limit, maxBytes })
  if (found === undefined) return undefined
  const { matches, bytes, next } = found
  return {
    kind: 'matches' as const,
    search,
    matches,
    bytes,
    ...(next !== undefined && { next: { search, byte: next } }),
  }
}
