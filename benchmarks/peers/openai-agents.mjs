import { invokeFunctionTool, RunContext, setTracingDisabled, tool } from '@openai/agents-core'
import { z } from 'zod'
import { all, output, parameters } from './schemas.mjs'

/** The function tool alone, without the runner's bookkeeping; tracing is off. It parses the model's JSON text. */
export async function make({ bodies, bodyNames, sumText }) {
  setTracingDisabled(true)
  const tools = new Map(
    bodyNames.map((name) => [
      name,
      tool({
        name,
        description: `Runs ${name}.`,
        parameters: z.object(parameters),
        outputSchema: z.object(output),
        execute: (args) => bodies[name](args),
      }),
    ]),
  )
  const runContext = new RunContext()
  const toolCall = {
    type: 'function_call',
    id: 'f1',
    callId: 'c1',
    name: 'add',
    arguments: sumText,
    status: 'completed',
  }
  const call = (name, signal) =>
    invokeFunctionTool({ tool: tools.get(name), runContext, input: sumText, details: { toolCall, signal } })
  return {
    label: 'OpenAI Agents `invokeFunctionTool`',
    call: (signal) => call('add', signal),
    batch: (name, count) => all(count, () => call(name)),
  }
}
