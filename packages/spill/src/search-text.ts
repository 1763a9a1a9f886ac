import { characterStart, decode } from './characters.ts'
import type { ReadRequest, SpillReader } from './contract.ts'
import { newline, type Piece, scan } from './scan.ts'

/** What to look for. */
export interface SearchTextRequest extends Omit<ReadRequest, 'offset' | 'limit'> {
  /** Found exactly as it stands, upper and lower case told apart: no pattern. Not empty. */
  readonly search: string
  /** Where to begin, in bytes from 0 on. */
  readonly offset: number
  /** How many matches at most, from 1 on. */
  readonly limit: number
  /** How many bytes of excerpts at most, from 1 on, 40 more counted for each match; the first one is given in any case. */
  readonly maxBytes: number
}

/** One place where it was found. */
export interface TextMatch {
  /** The line that it begins in, from 1 on. */
  readonly line: number
  /** Its first byte. */
  readonly byte: number
  /** What stands around it in its line, cut to a few hundred bytes. What matches wholly in here is not given again. */
  readonly excerpt: string
}

/** Where it was found. */
export interface TextMatches {
  /** In the order of the text. */
  readonly matches: readonly TextMatch[]
  /** Size of the whole artefact. */
  readonly bytes: number
  /** There may be more: where to go on. `undefined`: this was all. */
  readonly next: number | undefined
}

/** Bytes of a line that are shown before a match, and from its beginning on. */
const shownBefore = 80
const shownAfter = 240
/** What it takes to say where a match stands: an excerpt may be empty, and matches are not to be without number. */
const placeBytes = 40

/**
 * Every place of a text that reads like `search`, read through from the beginning, a piece at a time.
 *
 * `undefined` if there is no such artefact for this session; rejects if the store fails.
 */
export async function searchText(reader: SpillReader, request: SearchTextRequest): Promise<TextMatches | undefined> {
  const { search, offset, limit, maxBytes, ...place } = request
  const needle = Buffer.from(search)
  const finder = new Finder(needle, offset, limit, maxBytes)
  const bytes = await scan(reader, place, Math.max(needle.length, shownAfter), (piece) => finder.look(piece))
  return bytes === undefined ? undefined : { matches: finder.matches, bytes, next: finder.next }
}

class Finder {
  readonly matches: TextMatch[] = []
  /** Where to go on, once there is no room for more. */
  next: number | undefined
  readonly #needle: Buffer
  readonly #limit: number
  #from: number
  #room: number
  /** The line of the byte `#counted`. */
  #line = 1
  #counted = 0

  constructor(needle: Buffer, from: number, limit: number, maxBytes: number) {
    this.#needle = needle
    this.#from = from
    this.#limit = limit
    this.#room = maxBytes
  }

  /** Whether enough was found. */
  look(piece: Piece): boolean {
    const { at, data, to } = piece
    for (;;) {
      const found = data.indexOf(this.#needle, Math.max(piece.from, this.#from - at))
      // What begins in the margin belongs to the next piece.
      if (found < 0 || found >= to) break
      if (this.matches.length === this.#limit) return this.#stop(at + found)
      const { begin, end } = around(data, found)
      const bytes = end - begin + placeBytes
      if (bytes > this.#room && this.matches.length > 0) return this.#stop(at + found)
      this.#countTo(piece, found)
      this.matches.push({ line: this.#line, byte: at + found, excerpt: decode(data.subarray(begin, end)) })
      this.#room -= bytes
      // On from the first place whose match would not be seen whole in the excerpt.
      this.#from = at + Math.max(found, end - this.#needle.length) + 1
    }
    this.#countTo(piece, to)
    return false
  }

  #stop(next: number): true {
    this.next = next
    return true
  }

  #countTo({ at, data }: Piece, to: number): void {
    let found = data.indexOf(newline, this.#counted - at)
    while (found >= 0 && found < to) {
      this.#line++
      found = data.indexOf(newline, found + 1)
    }
    this.#counted = at + to
  }
}

/** The part of a match's line that is shown. */
function around(data: Buffer, found: number): { begin: number; end: number } {
  const lineBegin = found === 0 ? 0 : data.lastIndexOf(newline, found - 1) + 1
  const lineEnd = data.indexOf(newline, found)
  const end = Math.min(found + shownAfter, lineEnd < 0 ? data.length : lineEnd)
  return { begin: characterStart(data, Math.max(lineBegin, found - shownBefore)), end: characterStart(data, end) }
}
