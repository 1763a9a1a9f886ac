import type { Plugin, ToolResult, ToolRuntime, ToolRuntimeOptions } from '@pawl/core'
import { type AnyTool, type CallError, createToolRuntime, defineTool, type Exec, type JournalEntry } from '@pawl/core'
import Type from 'typebox'
import { vi } from 'vitest'

/** As many as a property has to have, more in a deep run. */
export const numRuns: number = process.env.PAWL_DEEP === '1' ? 20_000 : 1_000

/** The body of a tool without parameters. */
export type Body = (exec: Exec) => unknown

export function toolOf(body: Body, more: { readonly name?: string; readonly timeoutMs?: number } = {}): AnyTool {
  return defineTool({
    name: 'work',
    description: 'Works.',
    parameters: Type.Object({}),
    output: { schema: Type.Unknown() },
    isConcurrencySafe: () => true,
    ...more,
    execute: (_args: unknown, exec: Exec) => body(exec) as null,
  }) as AnyTool
}

/** A runtime of one tool, and what it told. */
export interface World {
  readonly runtime: ToolRuntime
  readonly entries: JournalEntry[]
  readonly warnings: string[]
  /** One call of the tool. */
  run(signal?: AbortSignal): Promise<ToolResult>
}

export function worldOf(
  tools: AnyTool | readonly AnyTool[],
  plugins: readonly Plugin[],
  more: ToolRuntimeOptions = {},
): World {
  const entries: JournalEntry[] = []
  const warnings: string[] = []
  const runtime = createToolRuntime({
    tools: [tools].flat(),
    plugins,
    journal: {
      append(entry) {
        entries.push(entry)
      },
    },
    logger: { warn: (message) => warnings.push(message) },
    ...more,
  })
  const [name] = runtime.tools.list().map((tool) => tool.name)
  return {
    runtime,
    entries,
    warnings,
    run: (signal) => runtime.execute({ id: 'c', name: name as string, arguments: {} }, { signal }),
  }
}

/** Never ends and never looks at its signal. */
export const deaf: Body = () => new Promise(() => {})

/** Ends at its signal's abort, by throwing the reason. */
export const obedient: Body = ({ signal }) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

/** Ends with its value after `ms`, and never looks at its signal. */
export const slow =
  (ms: number, value: unknown = 'done'): Body =>
  () =>
    new Promise((resolve) => setTimeout(resolve, ms, value))

/** A retry as somebody would write it by hand. */
export const retry = (
  tries: number,
  worthIt: (code: string, retryable: boolean | undefined) => boolean = () => true,
): Plugin => ({
  name: 'by-hand',
  role: 'retry',
  async execute(_exec, next) {
    let outcome = await next()
    for (let at = 1; at < tries && outcome.isError && worthIt(outcome.error.code, outcome.error.retryable); at++)
      outcome = await next()
    return outcome
  },
})

/** A promise that is settled from outside. */
export class Late {
  resolve!: (value: unknown) => void
  reject!: (thrown: unknown) => void
  readonly promise: Promise<unknown> = new Promise((resolve, reject) => {
    this.resolve = resolve
    this.reject = reject
  })
}

/** Lets time of the fake timers go by, with everything that follows from each. */
export const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

export async function failureOf(result: Promise<ToolResult>): Promise<CallError> {
  const settled = await result
  if (!settled.isError) throw new Error('it was no failure')
  return settled.error
}

/** What a result says in short. */
export function gist(result: ToolResult): { code: string; ms?: unknown; abandoned: boolean } {
  const abandoned = result.trace.abandoned === true
  if (!result.isError) return { code: 'ok', abandoned }
  return { code: result.error.code, ms: result.error.details?.timeoutMs, abandoned }
}
