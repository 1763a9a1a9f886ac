import { tool } from '@langchain/core/tools'
import { z } from 'zod'
import { all, parameters } from './schemas.mjs'

/** The tool alone, called as an agent calls it. */
export async function make({ bodies, bodyNames, sum }) {
  const tools = new Map(
    bodyNames.map((name) => [
      name,
      tool((args) => bodies[name](args), { name, description: `Runs ${name}.`, schema: z.object(parameters) }),
    ]),
  )
  const call = (name, at, signal) =>
    tools.get(name).invoke({ name, args: sum, id: `c${at}`, type: 'tool_call' }, signal && { signal })
  return {
    label: 'LangChain `tool.invoke`',
    call: (signal) => call('add', 0, signal),
    textOf: (message) => message.content,
    batch: (name, count) => all(count, (at) => call(name, at)),
  }
}
