import type { FinishReason, ToolCall, ToolResult } from '@pawl/core'

/** What an assistant message asks for. */
export interface AssistantStep {
  readonly calls: readonly (ToolCall & { readonly id: string })[]
  readonly finishReason: FinishReason | undefined
}

/** The wire shape of one model provider: its message in, messages for it out. */
export interface Provider {
  readonly name: string
  /** `undefined` where the message is not of this provider. */
  read(message: unknown): AssistantStep | undefined
  /** What follows the assistant's message in the conversation, ready to be sent. */
  reply(results: readonly ToolResult[]): readonly object[]
}
