import { ToolError } from '@pawl/core'

/**
 * The codes that an imported tool fails with, beside those of the pipeline, with their meaning. They stand in `error.code` of a
 * result, and in `cause.code` of what `importMcpTools` rejects with where the server did not give its list.
 */
export const mcpErrorCodes = {
  MCP_TOOL_ERROR:
    'The tool says that it failed (`isError`). Its text is the message, its blocks are `details.content`.',
  MCP_TIMEOUT:
    'No answer and no progress for `idleTimeoutMs`, or no answer within `totalTimeoutMs` (`details.limit`, `details.ms`). The server was told to stop.',
  MCP_CANCELLED: 'The call was cancelled, and the server was told so. It may have taken effect.',
  MCP_CONNECTION_FAILED:
    'The connection is closed (`details.sent: false`, nothing was sent), closed during the call (`true`, the outcome is unknown), or could not carry the call.',
  MCP_REQUEST_FAILED: 'The server answered with a JSON-RPC error (`details.rpcCode`, `details.data`).',
  MCP_INVALID_RESULT: 'What the server answered is no tool result of the protocol.',
  MCP_TASK_REQUIRED: 'The tool runs as a task only, which is not supported. Nothing was sent.',
} as const

/** One of the keys of `mcpErrorCodes`. */
export type McpErrorCode = keyof typeof mcpErrorCodes

interface Extras {
  readonly retryable?: boolean
  readonly details?: { readonly [member: string]: unknown }
}

/** A `ToolError` with a code of the table. */
export function mcpError(code: McpErrorCode, message: string, extras: Extras = {}): ToolError {
  return new ToolError(code, message, extras)
}

/** At most `most` UTF-16 code units, never half a pair; what is left out is counted. */
export function bounded(text: string, most: number): string {
  if (text.length <= most) return text
  const end = /[\ud800-\udbff]/.test(text[most - 1] as string) ? most - 1 : most
  return `${text.slice(0, end)}… (${text.length - end} more characters)`
}

/** A short text of something that was thrown, without the full stop, to end a sentence with. */
export function wordsOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return bounded(message.replace(/^(MCP error -?\d+: )+/, '').replace(/\.$/, ''), 1_000)
}
