import { AIMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { z } from 'zod'
import { parameters } from './schemas.mjs'

/** The node that runs the tool calls of one message. */
export async function make({ bodies, bodyNames, sum }) {
  const schema = z.object(parameters)
  const node = new ToolNode(
    bodyNames.map((name) => tool((args) => bodies[name](args), { name, description: `Runs ${name}.`, schema })),
  )
  const asking = (name, count) => {
    const calls = Array.from({ length: count }, (_, at) => ({ name, args: sum, id: `c${at}`, type: 'tool_call' }))
    return { messages: [new AIMessage({ content: '', tool_calls: calls })] }
  }
  const one = asking('add', 1)
  const run = async (state, signal) => (await node.invoke(state, signal && { signal })).messages
  return {
    label: 'LangGraph `ToolNode.invoke`',
    call: (signal) => run(one, signal),
    textOf: (messages) => messages[0].content,
    batch: async (name, count) => (await run(asking(name, count))).length,
  }
}
