import {
  type AnyTool,
  createToolRuntime,
  defineTool,
  type Exec,
  memoryJournal,
  type Plugin,
  type ToolResult,
  type ToolRuntimeOptions,
} from '@pawl/core'
import { timeout } from '@pawl/plugin-timeout'
import type { Contender } from './contender.ts'
import {
  type Body,
  bigText,
  bodies,
  bodyNames,
  output,
  parameters,
  ran,
  rows,
  rowsOutput,
  type Sum,
  sum,
} from './work.ts'

/*
 * pawl, with more and more around the same tool. Every call goes through all stages; no timings are asked for.
 */

const forward = (name: string): Plugin => ({ name, execute: (_exec, next) => next() })

/** Four wrappers, one pre-execute and one post-execute layer, which let everything pass. */
const passThrough: readonly Plugin[] = [
  ...['first', 'second', 'third', 'fourth'].map(forward),
  { name: 'policy', preExecute: (_exec, next) => next() },
  { name: 'review', postExecute: (_exec, _result, next) => next() },
]

export const bare = (): Contender => pawl('pawl', 'pawl, bare', {})
export const journalled = (): Contender =>
  pawl('pawl journal', 'pawl, with `memoryJournal()`', { journal: memoryJournal() })
export const plugins = (): Contender => pawl('pawl plugins', 'pawl, 6 plugins that forward', { plugins: passThrough })
export const deadline = (): Contender =>
  underDeadline('pawl deadline', 'pawl, a 30 s timeout and a caller signal', bodies.add)
export const deadlineRead = (): Contender =>
  underDeadline('pawl signal', 'pawl, the same, the tool reads its signal', async ({ a, b }, { signal }) => {
    signal.throwIfAborted()
    ran.add++
    return { sum: a + b }
  })

function underDeadline(id: string, label: string, add: (args: Sum, exec: Exec<Sum>) => Promise<unknown>): Contender {
  const caller = new AbortController().signal
  return pawl(id, label, { plugins: [timeout({ defaultMs: 30_000 })] }, add as typeof bodies.add, caller)
}

function pawl(
  id: string,
  label: string,
  options: ToolRuntimeOptions,
  add: typeof bodies.add = bodies.add,
  caller?: AbortSignal,
): Contender {
  const runtime = createToolRuntime({ maxParallelToolCalls: 100, ...options, tools: toolsWith(add) })
  const one = { id: 'call_1', name: 'add', arguments: sum }
  const large = async (name: string): Promise<number> => {
    const result = await runtime.execute({ id: 'call_1', name })
    if (result.isError) throw new Error(result.error.message)
    return (result.value as { readonly length: number }).length
  }
  return {
    id,
    label,
    call: (signal = caller) => runtime.execute(one, signal && { signal }),
    textOf: (answer) => {
      const [block] = (answer as ToolResult).content
      return block?.type === 'text' ? block.text : undefined
    },
    async batch(body, count) {
      const results = await runtime.dispatch(callsOf(body, count))
      return results.length
    },
    text: () => large('text'),
    rows: () => large('rows'),
    async step(count) {
      const results = await runtime.dispatch(callsOf('add', count))
      return results.length
    },
  }
}

function callsOf(name: Body, count: number): { id: string; name: string; arguments: Sum }[] {
  return Array.from({ length: count }, (_, at) => ({ id: `call_${at}`, name, arguments: sum }))
}

function toolsWith(add: typeof bodies.add): AnyTool[] {
  const isConcurrencySafe = (): boolean => true
  const small = bodyNames.map((name) =>
    defineTool({
      name,
      description: `Runs ${name}.`,
      parameters,
      output: { schema: output },
      isConcurrencySafe,
      execute: (name === 'add' ? add : bodies[name]) as typeof bodies.add,
    }),
  )
  const large = [
    defineTool({
      name: 'text',
      description: 'Gives much text.',
      parameters: {},
      output: { schema: { type: 'string' } },
      execute: async () => bigText,
    }),
    defineTool({
      name: 'rows',
      description: 'Gives many rows.',
      parameters: {},
      output: { schema: rowsOutput },
      execute: async () => rows as never,
    }),
  ]
  return [...small, ...large] as AnyTool[]
}
