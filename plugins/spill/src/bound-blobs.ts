import type { Content } from '@pawl/core'
import type { SpillRef } from '@pawl/spill'
import { blobsOf, markerOf, tooLarge } from './blobs.ts'
import type { Saving } from './saving.ts'

/** Content without its largest blobs, and where these are. */
export interface BoundedBlobs {
  readonly content: readonly Content[]
  readonly blobs: readonly (Pick<SpillRef, 'locator' | 'bytes'> & { readonly mediaType: string })[]
}

/** Saves the largest blobs until the rest is within `budget`, and puts a notice where each one stood. */
export async function boundBlobs(
  content: readonly Content[],
  budget: number,
  saving: Saving,
  cutsUnsaved: boolean,
): Promise<BoundedBlobs> {
  const large = tooLarge(blobsOf(content), budget)
  const refs = await Promise.all(large.map((blob) => saving.blob(blob)))
  const markers = new Map<number, Content>()
  const blobs: BoundedBlobs['blobs'][number][] = []
  for (const [index, blob] of large.entries()) {
    const ref = refs[index]
    if (ref !== undefined) {
      const { locator, bytes, retrievalHint } = ref
      markers.set(blob.at, markerOf(blob, `It was saved. ${retrievalHint}`))
      blobs.push({ locator, bytes, mediaType: blob.mediaType })
    } else if (cutsUnsaved) markers.set(blob.at, markerOf(blob, 'It could not be kept.'))
  }
  return { content: markers.size === 0 ? content : content.map((block, at) => markers.get(at) ?? block), blobs }
}
