import type { Content } from '@pawl/core'

/** Something in a block that is no text. */
export interface Blob {
  /** Which block. */
  readonly at: number
  /** What it is, in a few words. */
  readonly what: string
  readonly mediaType: string
  readonly base64: string
  /** Its size, decoded. */
  readonly bytes: number
}

/** Both alphabets of RFC 4648, also on several lines, as `Buffer` decodes them. Of anything else it would drop what it does not know. */
const base64 = /^[\w+/\s-]*={0,2}$/
/** Characters of a name or type that is printed. */
const longestName = 100

/** All that is no text and no mere link. */
export function blobsOf(content: readonly Content[]): Blob[] {
  return content.flatMap((block, at) => {
    if (block.type === 'image' || block.type === 'audio') return [blob(at, block.type, block.mimeType, block.data)]
    if (block.type !== 'resource' || !('blob' in block.resource)) return []
    const { uri, mimeType = 'application/octet-stream', blob: data } = block.resource
    return [blob(at, short(uri), mimeType, data)]
  })
}

function blob(at: number, name: string, mediaType: string, data: string): Blob {
  const bytes = Buffer.byteLength(data, 'base64')
  return { at, what: `${name} (${short(mediaType)})`, mediaType, base64: data, bytes }
}

/** The largest ones, as many as have to go so that the rest is within `budget`. */
export function tooLarge(blobs: readonly Blob[], budget: number): Blob[] {
  let inline = blobs.reduce((sum, { bytes }) => sum + bytes, 0)
  const bySize = [...blobs].sort((one, other) => other.bytes - one.bytes)
  const first = bySize.findIndex(({ bytes }) => {
    if (inline <= budget) return true
    inline -= bytes
    return false
  })
  return first === -1 ? bySize : bySize.slice(0, first)
}

/** @throws Error if it is no base64: it would not come back as it was */
export function decoded({ base64: data, what }: Blob): Uint8Array {
  if (!base64.test(data.trimEnd())) throw new Error(`${what} is no base64`)
  return Buffer.from(data, 'base64')
}

/** What stands in its place. */
export function markerOf({ what, bytes }: Blob, rest: string): Content {
  return { type: 'text', text: `(${what} of ${bytes.toLocaleString('en-US')} bytes left out. ${rest})` }
}

function short(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName).toWellFormed()}…` : name
}
