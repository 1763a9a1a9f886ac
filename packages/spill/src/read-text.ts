import { characterStart, decode, longestCharacter, pageEnd } from './characters.ts'
import type { ReadRequest, SpillReader } from './contract.ts'

/** Some text of an artefact, and where it stands. */
export interface TextRange {
  readonly text: string
  /** Its first byte. */
  readonly from: number
  /** The byte after its last one: where the next range begins. */
  readonly to: number
  /** Size of the whole artefact. */
  readonly bytes: number
}

/**
 * A range of a text by bytes, in whole characters: an `offset` inside a character begins with that character, and the end is cut
 * back to the end of one. It has at least one character, also where `limit` is smaller than that, and none past the end. Ranges
 * that each begin where the last one ended, joined, are the text.
 *
 * `undefined` if there is no such artefact for this session; rejects if the store fails.
 */
export async function readText(reader: SpillReader, request: ReadRequest): Promise<TextRange | undefined> {
  const { offset, limit } = request
  const begin = Math.max(0, offset - (longestCharacter - 1))
  const range = await reader.read({ ...request, offset: begin, limit: offset - begin + limit + longestCharacter })
  if (range === undefined) return undefined
  const { data, bytes } = range
  if (begin + data.length <= offset) return { text: '', from: bytes, to: bytes, bytes }
  const from = characterStart(data, offset - begin)
  const to = pageEnd(data, from, limit)
  return { text: decode(data.subarray(from, to)), from: begin + from, to: begin + to, bytes }
}
