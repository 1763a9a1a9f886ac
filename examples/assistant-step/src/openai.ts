import { type ToolResult, textOf } from '@pawl/core'
import Type from 'typebox'
import { Value } from 'typebox/value'
import type { Provider } from './provider.ts'

const ChatCompletion = Type.Object({
  object: Type.Literal('chat.completion'),
  choices: Type.Array(
    Type.Object({
      message: Type.Object({
        tool_calls: Type.Optional(
          Type.Array(
            Type.Object({
              id: Type.String(),
              type: Type.Literal('function'),
              function: Type.Object({ name: Type.String(), arguments: Type.String() }),
            }),
          ),
        ),
        function_call: Type.Optional(Type.Unknown()),
      }),
      finish_reason: Type.String(),
    }),
    { minItems: 1 },
  ),
})

const ToolMessage = Type.Object({ role: Type.Literal('tool'), tool_call_id: Type.String() })

/** Chat Completions: arguments come as JSON text, and every call is answered by a message of its own. */
export const openai: Provider = {
  name: 'OpenAI Chat Completions',

  read(message) {
    if (!Value.Check(ChatCompletion, message)) return undefined
    const [choice] = message.choices
    if (message.choices.length > 1)
      throw new Error(`has ${message.choices.length} choices, and a step is one of them. Leave the one to run.`)
    if (choice?.message.function_call != null)
      throw new Error('has a "function_call", which has no id to answer to. Ask with "tools", not with "functions".')
    const calls = choice?.message.tool_calls ?? []
    return {
      // The text goes in as it came: parsing it, and telling the model what is wrong with it, is the pipeline's work.
      calls: calls.map(({ id, function: { name, arguments: text } }) => ({ id, name, arguments: text })),
      finishReason: choice?.finish_reason,
    }
  },

  reply(results) {
    const context = results.flatMap((result) => result.context ?? [])
    return [...results.map(toolMessage), ...context.map((text) => ({ role: 'developer', content: text }))]
  },

  answered(reply) {
    return reply.flatMap((message) => (Value.Check(ToolMessage, message) ? [message.tool_call_id] : []))
  },
}

/** It carries text only, also of a failure: the content of a failed call begins with its code. */
function toolMessage({ callId, content }: ToolResult): object {
  return { role: 'tool', tool_call_id: callId, content: textOf(content) }
}
