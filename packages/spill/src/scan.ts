import type { ReadRequest, SpillReader } from './contract.ts'

/** An artefact and who reads it. */
export type Place = Omit<ReadRequest, 'offset' | 'limit'>

/** One piece of an artefact: `data` begins at the byte `at`; from `from` to `to` it is the piece itself, and around that the margin. */
export interface Piece {
  readonly at: number
  readonly data: Buffer
  readonly from: number
  readonly to: number
}

export const newline = 0x0a

/** Few requests for a store far away, and little memory. */
const bytesAtATime = 1_048_576

/**
 * Shows an artefact to `visit` piece by piece, until it says `true`; `margin` bytes around each piece, where there are any, are
 * shown with it. Gives the size of the artefact; `undefined` if there is none, or no longer.
 */
export async function scan(
  reader: SpillReader,
  place: Place,
  margin: number,
  visit: (piece: Piece) => boolean,
): Promise<number | undefined> {
  for (let begin = 0; ; begin += bytesAtATime) {
    const at = Math.max(0, begin - margin)
    const from = begin - at
    const range = await reader.read({ ...place, offset: at, limit: from + bytesAtATime + margin })
    if (range === undefined) return undefined
    const { bytes, data } = range
    const to = Math.min(from + bytesAtATime, data.length)
    const isDone = visit({ at, data: Buffer.from(data.buffer, data.byteOffset, data.length), from, to })
    if (isDone || begin + bytesAtATime >= bytes) return bytes
  }
}
