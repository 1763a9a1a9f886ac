import type { SpillReader } from './contract.ts'
import type { Place } from './scan.ts'

/** A picture or sound, whole. */
export interface BlobPage {
  readonly kind: 'blob'
  readonly mediaType: string
  /** Base64. */
  readonly data: string
  readonly bytes: number
}

/** Bytes of a picture or of sound that are shown to a model, at most. */
export const largestShown = 4_194_304

/** Whether a model can be shown it. */
export function isShown(mediaType: string, bytes: number): boolean {
  return /^(image|audio)\//.test(mediaType) && bytes <= largestShown
}

/** All of a blob. `undefined`: it is there no longer. */
export async function blobOf(reader: SpillReader, place: Place, mediaType: string): Promise<BlobPage | undefined> {
  const range = await reader.read({ ...place, offset: 0, limit: largestShown })
  if (range === undefined) return undefined
  const { data, bytes } = range
  return { kind: 'blob', mediaType, data: Buffer.from(data).toString('base64'), bytes }
}
