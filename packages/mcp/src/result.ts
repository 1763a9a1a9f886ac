import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { type Content, type Exec, type Json, type Outcome, textOf } from '@pawl/core'
import { bounded, mcpError } from './errors.ts'

interface ToolAnswer {
  readonly content?: readonly Content[]
  readonly structuredContent?: { readonly [member: string]: unknown }
  readonly isError?: boolean
}

/** UTF-16 code units of a failure's message, which is also what the model reads of it. */
const longestMessage = 16_384

/**
 * What one tool's answers come to. The canonical value is `structuredContent`; for a tool that declares no output schema and
 * gives none, the text of an answer of one text block, else the blocks.
 */
export class Answers {
  readonly #server: string
  readonly #tool: string
  readonly #isStructured: boolean
  /**
   * The server's blocks, by the canonical value that they came with: that frozen object itself, as the pipeline made it. A value
   * that a plugin has put in its place is another object, so that what it took out does not come back this way.
   */
  readonly #blocks = new WeakMap<object, readonly Content[]>()

  /** @param isStructured the tool declares an output schema */
  constructor(server: string, tool: string, isStructured: boolean) {
    this.#server = server
    this.#tool = tool
    this.#isStructured = isStructured
  }

  /**
   * Judges an answer.
   * @throws ToolError if it is no tool result
   */
  take(answer: unknown, exec: Exec): Outcome | Json {
    const { content, structuredContent, isError } = this.#checked(answer)
    if (isError === true) return this.#failure(content ?? [], structuredContent, exec)
    // Where a value is missing that an output schema asks for, null is what that schema refuses.
    if (structuredContent === undefined) return this.#isStructured ? null : (plainValue(content) as Json)
    const outcome = exec.succeed(structuredContent)
    // A failure that a body returns counts as its own; one for its output is the pipeline's to tell, from the value.
    if (outcome.isError) return structuredContent as Json
    if (content !== undefined && content.length > 0) this.#blocks.set(outcome.value as object, content)
    return outcome
  }

  /**
   * The server's own blocks where they are known, else a text as it is and any other value as compact JSON, with what is for eyes
   * and ears in blocks of its own.
   */
  render(value: Json): readonly Content[] {
    const kept = typeof value === 'object' && value !== null ? this.#blocks.get(value) : undefined
    if (kept !== undefined) return kept
    if (!this.#isStructured && Array.isArray(value) && value.every(isBlock)) return value as unknown as Content[]
    if (typeof value === 'string') return [{ type: 'text', text: value }]
    const media: Content[] = []
    return [{ type: 'text', text: jsonOf(value, media) }, ...media]
  }

  #checked(answer: unknown): ToolAnswer {
    const parsed = CallToolResultSchema.safeParse(answer)
    const { content, structuredContent, isError } = answer as ToolAnswer
    const wrong = parsed.success ? undefined : `${parsed.error.issues[0]?.path.join('.')} is wrong`
    const missing = content === undefined && structuredContent === undefined && isError !== true
    if (wrong === undefined && !missing) return { content, structuredContent, isError } as ToolAnswer
    const what = bounded(wrong ?? 'it has neither content nor structuredContent', 200)
    const message = `MCP server "${this.#server}" answered ${this.#tool} with something that is no tool result: ${what}. The call may have taken effect.`
    throw mcpError('MCP_INVALID_RESULT', message)
  }

  #failure(content: readonly Content[], structuredContent: ToolAnswer['structuredContent'], exec: Exec): Outcome {
    const said = textOf(content).trim()
    const words = said !== '' || structuredContent === undefined ? said : jsonOrNothing(structuredContent)
    return exec.fail({
      code: 'MCP_TOOL_ERROR',
      message: words === '' ? `${this.#tool} failed and did not say why.` : bounded(words, longestMessage),
      details: { content, ...(structuredContent && { structuredContent }) },
    })
  }
}

function plainValue(content: readonly Content[] = []): unknown {
  const [first] = content
  return content.length === 1 && first?.type === 'text' ? first.text : content
}

const types = new Set(['text', 'image', 'audio', 'resource_link', 'resource'])

function isBlock(value: Json): boolean {
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
  return typeof type === 'string' && types.has(type)
}

/**
 * Compact JSON, well-formed. Servers that put their content blocks into structured content too give base64 there, which tells a
 * model nothing and costs it much: such blocks are named in the text, and kept in `media`.
 */
function jsonOf(value: unknown, media: Content[] = []): string {
  const json = JSON.stringify(value, (_member, part: unknown) => {
    const block = mediaOf(part)
    if (block === undefined) return part
    media.push(block)
    return textOf([block])
  })
  // JSON.stringify escapes lone surrogates, which would tell the model of halves.
  return json.replace(/\\(?:\\|ud[89a-f][\da-f]{2})/g, (found) => (found === '\\\\' ? found : '\ufffd'))
}

/** A failure stays one, however deep what it brings along is nested. */
function jsonOrNothing(structuredContent: unknown): string {
  try {
    return jsonOf(structuredContent)
  } catch {
    return ''
  }
}

function mediaOf(part: unknown): Content | undefined {
  const { type, data, mimeType, resource } = (part ?? {}) as { readonly [member: string]: unknown }
  if (type === 'image' || type === 'audio')
    return isBase64(data) && typeof mimeType === 'string' ? { type, data, mimeType } : undefined
  if (type !== 'resource') return undefined
  const { uri, blob, mimeType: kind } = (resource ?? {}) as { readonly [member: string]: unknown }
  if (typeof uri !== 'string' || !isBase64(blob)) return undefined
  return { type, resource: { uri, blob, ...(typeof kind === 'string' && { mimeType: kind }) } }
}

/** So long that it is no word, path or id of the server's own vocabulary. */
function isBase64(data: unknown): data is string {
  return typeof data === 'string' && data.length >= 64 && /^[A-Za-z0-9+/]+={0,2}$/.test(data)
}
