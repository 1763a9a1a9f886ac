import type { Content } from '@pawl/core'
import * as fc from 'fast-check'
import type { SpillBounds } from '../../src/index.ts'

const piece = fc.oneof(
  fc.constantFrom('\n', '\r\n', '\0', '\ufeff', '\u{1f600}', 'é', '漢', 'ab', 'a line of text\n', '(1 of 2 bytes)'),
  fc.string({ unit: 'binary', maxLength: 8 }),
)

/** Texts of many short lines and characters of every width, of up to some 2 kB. */
const texts: fc.Arbitrary<string> = fc
  .tuple(fc.array(piece, { maxLength: 30, size: 'max' }), fc.integer({ min: 1, max: 8 }))
  .map(([pieces, times]) => pieces.join('').repeat(times).toWellFormed())

const data = fc.uint8Array({ maxLength: 600, size: 'max' }).map((bytes) => Buffer.from(bytes).toString('base64'))
const uri = 'file:///a'

const text = texts.map((value): Content => ({ type: 'text', text: value }))
const block: fc.Arbitrary<Content> = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: texts.map((value): Content => ({ type: 'resource', resource: { uri, text: value } })) },
  { weight: 1, arbitrary: data.map((value): Content => ({ type: 'image', data: value, mimeType: 'image/png' })) },
  { weight: 1, arbitrary: data.map((value): Content => ({ type: 'audio', data: value, mimeType: 'audio/wav' })) },
  { weight: 1, arbitrary: data.map((blob): Content => ({ type: 'resource', resource: { uri, blob } })) },
  { weight: 1, arbitrary: fc.constant<Content>({ type: 'resource_link', uri, name: 'a' }) },
)

/** Content of every kind of block. */
export const contents: fc.Arbitrary<readonly Content[]> = fc.oneof(
  text.map((one) => [one]),
  fc.array(block, { maxLength: 6 }),
)

/** Content of texts alone. */
export const textContents: fc.Arbitrary<readonly Content[]> = fc.array(text, { minLength: 1, maxLength: 3 })

/** Bounds that about half of such content is over. */
export const bounds: fc.Arbitrary<Required<SpillBounds>> = fc.record({
  maxInlineBytes: fc.integer({ min: 256, max: 2_000 }),
  maxBlobBytes: fc.integer({ min: 0, max: 1_000 }),
  preview: fc.constantFrom('head' as const, 'tail' as const, 'headTail' as const),
})

/** The text of a block, also that of a resource. */
export function textOfBlock(block: Content): string | undefined {
  if (block.type === 'text') return block.text
  return block.type === 'resource' && 'text' in block.resource ? block.resource.text : undefined
}

/** The bytes of a block that is no text, decoded. */
export function blobOfBlock(block: Content): Buffer | undefined {
  if (block.type === 'image' || block.type === 'audio') return Buffer.from(block.data, 'base64')
  return block.type === 'resource' && 'blob' in block.resource ? Buffer.from(block.resource.blob, 'base64') : undefined
}

export function sizesOf(content: readonly Content[]): { readonly text: number; readonly blobs: number } {
  let text = 0
  let blobs = 0
  for (const block of content) {
    text += Buffer.byteLength(textOfBlock(block) ?? '')
    blobs += blobOfBlock(block)?.length ?? 0
  }
  return { text, blobs }
}
