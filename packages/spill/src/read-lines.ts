import { decode, longestCharacter, pageEnd } from './characters.ts'
import type { ReadRequest, SpillReader } from './contract.ts'
import type { TextRange } from './read-text.ts'
import { newline, type Place, scan } from './scan.ts'

/** Which lines to read. */
export interface ReadLinesRequest extends Omit<ReadRequest, 'offset' | 'limit'> {
  /** The first line, from 1 on. */
  readonly line: number
  /** How many lines at most, from 1 on. */
  readonly limit: number
  /** How many bytes of them at most, from 1 on. */
  readonly maxBytes: number
}

/** Some lines of an artefact, and where they stand. A line ends after `\n` or with the text. */
export interface LineRange extends TextRange {
  /** The number of the first line. */
  readonly first: number
  /** The number of the last line, though only its beginning be there; `first - 1` if there is none. */
  readonly last: number
  /** The last line is longer than `maxBytes`, and only its beginning is there: the rest begins at the byte `to`. */
  readonly isTorn: boolean
}

/**
 * Lines of a text, whole with their line ends; of one that alone is over `maxBytes`, the beginning. No line past the end.
 * Everything before the first one is read through, a piece at a time.
 *
 * `undefined` if there is no such artefact for this session; rejects if the store fails.
 */
export async function readLines(reader: SpillReader, request: ReadLinesRequest): Promise<LineRange | undefined> {
  const { line, limit, maxBytes, ...place } = request
  const from = await startOf(reader, place, line)
  if (from === undefined) return undefined
  const range = await reader.read({ ...place, offset: from, limit: maxBytes + longestCharacter })
  if (range === undefined) return undefined
  const { data, bytes } = range
  const { end, count } = cut(data, limit, maxBytes, from + data.length === bytes)
  return {
    text: decode(data.subarray(0, end)),
    from,
    to: from + end,
    bytes,
    first: line,
    last: line + count - 1,
    isTorn: count > 0 && from + end < bytes && data[end - 1] !== newline,
  }
}

/** Where a line begins: the end of the text if it has no such line. */
async function startOf(reader: SpillReader, place: Place, line: number): Promise<number | undefined> {
  let before = line - 1
  let start: number | undefined = before === 0 ? 0 : undefined
  if (start !== undefined) return start
  const bytes = await scan(reader, place, 0, ({ at, data }) => {
    for (let found = data.indexOf(newline); found >= 0; found = data.indexOf(newline, found + 1)) {
      before--
      if (before > 0) continue
      start = at + found + 1
      return true
    }
    return false
  })
  return bytes === undefined ? undefined : (start ?? bytes)
}

/** Where the last line ends that is wanted and fits, and how many lines that makes. */
function cut(data: Uint8Array, limit: number, maxBytes: number, isEnd: boolean): { end: number; count: number } {
  const fitting = data.subarray(0, maxBytes)
  let end = 0
  let count = 0
  while (count < limit) {
    const found = fitting.indexOf(newline, end)
    if (found < 0) break
    end = found + 1
    count++
  }
  if (count === limit || end === data.length) return { end, count }
  if (isEnd && data.length <= maxBytes) return { end: data.length, count: count + 1 }
  return count > 0 ? { end, count } : { end: pageEnd(data, 0, maxBytes), count: 1 }
}
