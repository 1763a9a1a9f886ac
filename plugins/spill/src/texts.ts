import type { Content } from '@pawl/core'

/** The text that a block shows, also that of an embedded resource; `undefined` if it is none. */
function textIn(block: Content): string | undefined {
  if (block.type === 'text') return block.text
  return block.type === 'resource' && 'text' in block.resource ? block.resource.text : undefined
}

/** All texts in their order, each block on lines of its own. */
export function joinedText(content: readonly Content[]): string {
  return content
    .map(textIn)
    .filter((text) => text !== undefined)
    .join('\n')
}

/** Whether all texts together have more UTF-8 bytes than this. A long one is known by its length: a UTF-16 unit has a byte at least. */
export function textsExceed(content: readonly Content[], most: number): boolean {
  let bytes = 0
  for (const block of content) {
    const text = textIn(block) ?? ''
    bytes += text.length > most ? text.length : Buffer.byteLength(text)
    if (bytes > most) return true
  }
  return false
}

/**
 * The content with one text where its first one stood, in place of all. What is no text stays; of a resource that was a text, its
 * address stays.
 */
export function withText(content: readonly Content[], text: string): readonly Content[] {
  const first = content.findIndex((block) => textIn(block) !== undefined)
  return content.flatMap((block, at): Content[] => {
    const rest = textIn(block) === undefined ? [block] : addressOf(block)
    return at === first ? [{ type: 'text', text }, ...rest] : rest
  })
}

function addressOf(block: Content): Content[] {
  if (block.type !== 'resource') return []
  const { uri, mimeType } = block.resource
  return [{ type: 'resource_link', uri, name: uri, ...(mimeType !== undefined && { mimeType }) }]
}
