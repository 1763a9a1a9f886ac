import { type Content, type ToolResult, textOf } from '@pawl/core'
import Type from 'typebox'
import { Value } from 'typebox/value'
import type { Provider } from './provider.ts'

const Message = Type.Object({
  type: Type.Literal('message'),
  content: Type.Array(Type.Object({ type: Type.String() })),
  stop_reason: Type.String(),
})

const ToolUse = Type.Object({
  type: Type.Literal('tool_use'),
  id: Type.String(),
  name: Type.String(),
  input: Type.Unknown(),
})

const ToolResults = Type.Object({ role: Type.Literal('user'), content: Type.Array(Type.Unknown()) })
const ToolResultBlock = Type.Object({ type: Type.Literal('tool_result'), tool_use_id: Type.String() })

/** Messages: arguments come parsed, and one user message answers all calls, results first. */
export const anthropic: Provider = {
  name: 'Anthropic Messages',

  read(message) {
    if (!Value.Check(Message, message)) return undefined
    const uses = message.content.filter(({ type }) => type === 'tool_use')
    if (!uses.every((use) => Value.Check(ToolUse, use))) return undefined
    return {
      calls: uses.map(({ id, name, input }) => ({ id, name, arguments: input })),
      finishReason: message.stop_reason,
    }
  },

  reply(results) {
    const context = results.flatMap((result) => result.context ?? [])
    return [{ role: 'user', content: [...results.map(toolResult), ...context.map(textBlock)] }]
  },

  answered(reply) {
    const blocks = reply.flatMap((message) => (Value.Check(ToolResults, message) ? message.content : []))
    return blocks.flatMap((block) => (Value.Check(ToolResultBlock, block) ? [block.tool_use_id] : []))
  },
}

function toolResult({ callId, isError, content }: ToolResult): object {
  const blocks = content.map(isError ? asText : asBlock).filter(isNotEmpty)
  return { type: 'tool_result', tool_use_id: callId, ...(isError && { is_error: true }), content: blocks }
}

interface TextBlock {
  readonly type: 'text'
  readonly text: string
}

interface ImageBlock {
  readonly type: 'image'
  readonly source: { readonly type: 'base64'; readonly media_type: string; readonly data: string }
}

const pictures = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

function asBlock(block: Content): TextBlock | ImageBlock {
  if (block.type !== 'image' || !pictures.has(block.mimeType)) return asText(block)
  return { type: 'image', source: { type: 'base64', media_type: block.mimeType, data: block.data } }
}

/** All that the API takes in a failure. */
function asText(block: Content): TextBlock {
  return textBlock(textOf([block]))
}

function textBlock(text: string): TextBlock {
  return { type: 'text', text }
}

/** The API refuses blank text blocks; a result without blocks is fine. */
function isNotEmpty(block: TextBlock | ImageBlock): boolean {
  return block.type !== 'text' || block.text.trim() !== ''
}
