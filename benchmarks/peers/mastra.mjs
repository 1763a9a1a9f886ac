import { RuntimeContext } from '@mastra/core/runtime-context'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'
import { all, output, parameters } from './schemas.mjs'

/** The tool alone, without an agent. */
export async function make({ bodies, bodyNames, sum }) {
  const tools = new Map(
    bodyNames.map((id) => [
      id,
      createTool({
        id,
        description: `Runs ${id}.`,
        inputSchema: z.object(parameters),
        outputSchema: z.object(output),
        execute: ({ context }) => bodies[id](context),
      }),
    ]),
  )
  const runtimeContext = new RuntimeContext()
  const call = (name, abortSignal) =>
    tools.get(name).execute({ context: sum, runtimeContext }, { toolCallId: 'c1', messages: [], abortSignal })
  return {
    label: 'Mastra `createTool().execute`',
    call: (signal) => call('add', signal),
    batch: (name, count) => all(count, () => call(name)),
  }
}
