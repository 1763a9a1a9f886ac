import { generateText, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { z } from 'zod'
import { output, parameters } from './schemas.mjs'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** One step of `generateText`, the only public way in; its loop is part of what is measured. */
export async function make({ bodies, bodyNames, sumText }) {
  const tools = Object.fromEntries(
    bodyNames.map((name) => [
      name,
      tool({
        description: `Runs ${name}.`,
        inputSchema: z.object(parameters),
        outputSchema: z.object(output),
        execute: (args) => bodies[name](args),
      }),
    ]),
  )
  const asking = (toolName, count) => {
    const content = Array.from({ length: count }, (_, at) => ({
      type: 'tool-call',
      toolCallId: `c${at}`,
      toolName,
      input: sumText,
    }))
    const model = new MockLanguageModelV3({
      doGenerate: async () => {
        model.doGenerateCalls.length = 0 // the mock keeps every request
        return { content, finishReason: { unified: 'tool-calls', raw: 'tool-calls' }, usage, warnings: [] }
      },
    })
    return model
  }
  const run = async (model, abortSignal) =>
    (await generateText({ model, tools, prompt: 'go', maxRetries: 0, abortSignal })).toolResults
  const one = asking('add', 1)
  return {
    label: 'AI SDK `generateText`, one step of a mock model',
    call: (signal) => run(one, signal),
    textOf: ([result]) => result.output,
    batch: async (name, count) => (await run(asking(name, count))).length,
  }
}
