import { type ToolResult, textOf } from '@pawl/core'
import type { Message } from './messages.ts'

/**
 * A message that reads back what was spilled can not be written down beforehand, for a locator is made anew in each run. The model
 * copies it from the notice that it was shown; here it takes the place of `<locator>`.
 */
export function withLocator(message: Message, shown: readonly ToolResult[]): Message {
  const words = shown.map(({ content }) => textOf(content)).join()
  const locator = /"locator":"([^"]+)"/.exec(words)?.[1]
  if (locator === undefined) return message
  const calls = message.calls.map((call) =>
    typeof call.arguments === 'string' ? { ...call, arguments: call.arguments.replace('<locator>', locator) } : call,
  )
  return { ...message, calls }
}
