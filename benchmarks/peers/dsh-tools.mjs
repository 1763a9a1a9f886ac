import { Context } from '@deepseek-ai/cordis'
import { CallId } from '@deepseek-ai/dsh-llm'
import SystemPrompt from '@deepseek-ai/dsh-system-prompt'
import ToolRuntime, { defineTool } from '@deepseek-ai/dsh-tools'
import { all } from './schemas.mjs'

const number = { type: 'number', required: true }

/** The runtime on a bare context with the service that it asks for; a batch is handed to it all at once. */
export async function make({ bodies, bodyNames, sum }) {
  const context = new Context()
  await context.plugin(SystemPrompt)
  await context.plugin(ToolRuntime)
  for (const name of bodyNames) {
    const output = {
      schema: { type: 'object', additionalProperties: false, properties: { sum: number } },
      render: (_args, value) => [{ type: 'text', text: JSON.stringify(value) }],
    }
    const tool = {
      name,
      description: `Runs ${name}.`,
      parameters: { a: number, b: number },
      output,
      execute: bodies[name],
    }
    context.tools.register(defineTool({ ...tool, isConcurrencySafe: () => true }))
  }
  const idle = new AbortController().signal
  const call = (name, signal = idle) => context.tools.execute({ signal, callId: CallId('c1'), name, arguments: sum })
  return {
    label: 'dsh-tools `ToolRuntime.execute`',
    call: (signal) => call('add', signal),
    textOf: (result) => result.content[0].text,
    batch: (name, count) => all(count, () => call(name)),
  }
}
