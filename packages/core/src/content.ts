import { isJsonObject, type Json, type Limits, snapshot, ValueRefused } from './json.ts'

/** Hints of the Model Context Protocol for a content block. */
export interface ContentAnnotations {
  readonly audience?: readonly ('user' | 'assistant')[]
  readonly priority?: number
  readonly lastModified?: string
}

interface Block {
  readonly annotations?: ContentAnnotations
  readonly _meta?: { readonly [member: string]: Json }
}

export interface TextContent extends Block {
  readonly type: 'text'
  readonly text: string
}

export interface ImageContent extends Block {
  readonly type: 'image'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

export interface AudioContent extends Block {
  readonly type: 'audio'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

export interface ResourceLink extends Block {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  /** Bytes. */
  readonly size?: number
}

export interface EmbeddedResource extends Block {
  readonly type: 'resource'
  readonly resource: { readonly uri: string; readonly mimeType?: string } & (
    | { readonly text: string }
    | { readonly blob: string }
  )
}

/** What the model sees of a result: the content blocks of the Model Context Protocol, 2025-06-18. */
export type Content = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource

/** The members that a block of each type must have, all of them texts. */
const required: { readonly [type: string]: readonly string[] } = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
  resource: [],
}

/** One text block; lone surrogates become U+FFFD. */
export function text(value: string): readonly Content[] {
  return Object.freeze([Object.freeze({ type: 'text' as const, text: value.toWellFormed() })])
}

/** A value in its default words: a text as it is, everything else as compact JSON. */
export function renderJson(value: Json): readonly Content[] {
  return text(typeof value === 'string' ? value : JSON.stringify(value))
}

/**
 * A frozen, well-formed copy of content that a renderer, a plugin or a tool gave.
 * @throws ValueRefused naming the block and the member
 */
export function checkContent(content: unknown, limits: Limits): readonly Content[] {
  const blocks = snapshot(content, limits)
  if (!Array.isArray(blocks))
    throw new ValueRefused('$', 'content has to be an array of blocks such as { type: "text", text }')
  return Object.freeze(blocks.map((block: Json, index) => checkBlock(block, `$[${index}]`)))
}

/** The text of content; what is no text is named in brackets. */
export function textOf(content: readonly Content[]): string {
  return content.map(wordsOf).join('\n')
}

function wordsOf(block: Content): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[resource ${block.resource.uri}]`
    default:
      return `[${block.type} ${block.mimeType}]`
  }
}

function checkBlock(block: Json, path: string): Content {
  if (!isJsonObject(block)) throw new ValueRefused(path, 'a content block has to be an object')
  const { type } = block
  const members = typeof type === 'string' && Object.hasOwn(required, type) ? required[type] : undefined
  if (members === undefined)
    throw new ValueRefused(path, `\`type\` has to be one of ${Object.keys(required).join(', ')}`)
  for (const member of members) {
    if (typeof block[member] !== 'string')
      throw new ValueRefused(`${path}.${member}`, `a ${type} block needs a text here`)
  }
  if (type === 'resource') checkResource(block.resource, `${path}.resource`)
  return wellFormed(block) as unknown as Content
}

function checkResource(resource: Json | undefined, path: string): void {
  if (!isJsonObject(resource) || typeof resource.uri !== 'string')
    throw new ValueRefused(path, 'an embedded resource needs a `uri`')
  if (typeof resource.text !== 'string' && typeof resource.blob !== 'string') {
    throw new ValueRefused(path, 'an embedded resource needs a `text` or a base64 `blob`')
  }
}

/** The same value where all its text is well-formed already, which is nearly always; otherwise a copy. */
function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map(wellFormed)
    return items.every((item, index) => item === value[index]) ? value : Object.freeze(items)
  }
  const members = Object.entries(value).map(([name, member]) => [name.toWellFormed(), wellFormed(member)] as const)
  const isSame = Object.entries(value).every(
    ([name, member], index) => members[index]?.[0] === name && members[index]?.[1] === member,
  )
  return isSame ? value : Object.freeze(Object.fromEntries(members))
}
