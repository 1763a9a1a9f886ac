import type { FinishReason, ToolCall, ToolResult } from '@pawl/core'

/** What an assistant message asks for. */
export interface AssistantStep {
  readonly calls: readonly (ToolCall & { readonly id: string })[]
  readonly finishReason: FinishReason | undefined
}

/** The wire shape of one model provider: its message in, messages for it out. */
export interface Provider {
  readonly name: string
  /**
   * `undefined` where the message is not of this provider.
   *
   * @throws Error where it is, but asks for calls in a way that is not handled here: none is passed over
   */
  read(message: unknown): AssistantStep | undefined
  /** What follows the assistant's message in the conversation, ready to be sent. */
  reply(results: readonly ToolResult[]): readonly object[]
  /** The ids of the calls that a reply answers, in order. */
  answered(reply: readonly object[]): readonly string[]
}
