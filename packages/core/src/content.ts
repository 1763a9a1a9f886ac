import { isJsonObject, type Json, type Limits, snapshot, ValueRefused } from './json.ts'
import { wellFormed } from './well-formed.ts'

type Block = { readonly [member: string]: Json }

/** Hints of the Model Context Protocol for a content block. */
export interface ContentAnnotations {
  readonly audience?: readonly ('user' | 'assistant')[]
  readonly priority?: number
  readonly lastModified?: string
}

interface Extras {
  readonly annotations?: ContentAnnotations
  readonly _meta?: { readonly [member: string]: Json }
}

/** Text for the model. */
export interface TextContent extends Extras {
  readonly type: 'text'
  readonly text: string
}

/** A picture for the model. */
export interface ImageContent extends Extras {
  readonly type: 'image'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

/** Sound for the model. */
export interface AudioContent extends Extras {
  readonly type: 'audio'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

/** Where something can be read, without what is there. */
export interface ResourceLink extends Extras {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  /** Bytes. */
  readonly size?: number
}

/** Something with its address, as text or as base64. */
export interface EmbeddedResource extends Extras {
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

/** The content that one text makes, frozen; lone surrogates become U+FFFD (RES-8). */
export function text(value: string): readonly Content[] {
  return Object.freeze([Object.freeze({ type: 'text' as const, text: value.toWellFormed() })])
}

/** A value in its default words, frozen and well-formed: a text as it is, everything else as compact JSON. */
export function renderJson(value: Json): readonly Content[] {
  if (typeof value === 'string') return text(value)
  // JSON.stringify escapes lone surrogates: what it gives is well-formed, but would tell the model of halves.
  const json = JSON.stringify(value)
  const whole = json.includes('\\ud')
    ? json.replace(loneEscape, (found) => (found === '\\\\' ? found : '\ufffd'))
    : json
  return Object.freeze([Object.freeze({ type: 'text' as const, text: whole })])
}

/** An escaped surrogate, and the escaped backslash, which may stand before a `ud800` that is none. */
const loneEscape = /\\(?:\\|ud[89a-f][\da-f]{2})/g

/**
 * A deep-frozen, well-formed copy of content that a renderer, a plugin or a tool gave. A string is no content; an empty array is.
 * Members that MCP does not know stay.
 *
 * @throws ValueRefused naming the block and the member, as in `$[1].mimeType`
 */
export function checkContent(content: unknown, limits: Limits): readonly Content[] {
  const blocks = snapshot(content, limits)
  if (!Array.isArray(blocks)) {
    throw new ValueRefused('$', 'content has to be an array of blocks such as { type: "text", text }')
  }
  for (const [index, block] of blocks.entries()) checkBlock(block, `$[${index}]`)
  return wellFormed(blocks) as unknown as readonly Content[]
}

/** The text of content, blocks joined by line breaks; what is no text is named, as in `[image image/png]`. */
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

function checkBlock(block: Json, path: string): void {
  if (!isJsonObject(block)) throw new ValueRefused(path, 'a content block has to be an object')
  const { type } = block
  const members = typeof type === 'string' && Object.hasOwn(required, type) ? required[type] : undefined
  if (members === undefined) {
    throw new ValueRefused(`${path}.type`, `it has to be one of ${Object.keys(required).join(', ')}`)
  }
  for (const member of members) checkText(block, member, path, `a ${type} block needs a text here`)
  if (type === 'resource') checkResource(own(block, 'resource'), `${path}.resource`)
  if (type === 'resource_link') checkLink(block, path)
  checkExtras(block, path)
}

function checkResource(resource: Json | undefined, path: string): void {
  if (!isJsonObject(resource)) throw new ValueRefused(path, 'an embedded resource has to be an object')
  checkText(resource, 'uri', path, 'an embedded resource needs a text here')
  if (typeof own(resource, 'text') !== 'string' && typeof own(resource, 'blob') !== 'string') {
    throw new ValueRefused(path, 'an embedded resource needs a `text` or a base64 `blob`')
  }
  checkOptional(resource, ['text', 'blob', 'mimeType'], path)
}

function checkLink(link: Block, path: string): void {
  checkOptional(link, ['title', 'description', 'mimeType'], path)
  const size = own(link, 'size')
  if (size !== undefined && typeof size !== 'number') throw new ValueRefused(`${path}.size`, 'it has to be a number')
}

/** What a block of any type may carry: hints for the client, and `_meta`. */
function checkExtras(block: Block, path: string): void {
  const meta = own(block, '_meta')
  if (meta !== undefined && !isJsonObject(meta)) throw new ValueRefused(`${path}._meta`, 'it has to be an object')
  const hints = own(block, 'annotations')
  if (hints === undefined) return
  const at = `${path}.annotations`
  if (!isJsonObject(hints)) throw new ValueRefused(at, 'it has to be an object')
  checkOptional(hints, ['lastModified'], at)
  const audience = own(hints, 'audience')
  if (audience !== undefined && !(Array.isArray(audience) && audience.every(isRole))) {
    throw new ValueRefused(`${at}.audience`, 'it has to be an array of "user" and "assistant"')
  }
  const priority = own(hints, 'priority')
  if (priority !== undefined && !(typeof priority === 'number' && priority >= 0 && priority <= 1)) {
    throw new ValueRefused(`${at}.priority`, 'it has to be a number from 0 to 1')
  }
}

function isRole(value: Json): boolean {
  return value === 'user' || value === 'assistant'
}

function checkOptional(block: Block, members: readonly string[], path: string): void {
  for (const member of members) {
    if (own(block, member) !== undefined) checkText(block, member, path, 'it has to be a text')
  }
}

function checkText(block: Block, member: string, path: string, reason: string): void {
  if (typeof own(block, member) !== 'string') throw new ValueRefused(`${path}.${member}`, reason)
}

function own(block: Block, member: string): Json | undefined {
  return Object.hasOwn(block, member) ? block[member] : undefined
}
