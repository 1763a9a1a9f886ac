import {
  type AnyTool,
  type CallError,
  createToolRuntime,
  type Exec,
  type Journal,
  type JournalEntry,
  type Json,
  type ToolResult,
  type ToolRuntime,
  type ToolRuntimeOptions,
} from '../../src/index.ts'

/** A tool of any parameters that gives its arguments back, and what its body was run with. */
export function echo(
  parameters: object = {},
  more: { readonly [M in keyof AnyTool]?: AnyTool[M] } = {},
): { readonly tool: AnyTool; readonly seen: unknown[] } {
  const seen: unknown[] = []
  const tool: AnyTool = {
    name: 'work',
    description: 'Gives back what it got.',
    parameters,
    output: { schema: {} },
    execute(args) {
      seen.push(args)
      return args as Json
    },
    ...more,
  }
  return { tool, seen }
}

/** A tool without parameters whose body is this one. */
export function toolOf(execute: (exec: Exec) => unknown, name = 'work'): AnyTool {
  return {
    name,
    description: 'Works.',
    parameters: {},
    output: { schema: {} },
    execute: (_args, exec) => execute(exec as Exec) as Json,
  }
}

/** A runtime that writes down its journal and its warnings. */
export function runtimeOf(
  tools: AnyTool | readonly AnyTool[],
  more: ToolRuntimeOptions = {},
): { readonly runtime: ToolRuntime; readonly entries: JournalEntry[]; readonly warnings: string[] } {
  const entries: JournalEntry[] = []
  const warnings: string[] = []
  const journal: Journal = { append: (entry) => void entries.push(entry) }
  const logger = { warn: (message: string) => void warnings.push(message) }
  return { runtime: createToolRuntime({ tools: [tools].flat(), journal, logger, ...more }), entries, warnings }
}

/** The error of a result that has to be a failure. */
export function errorOf(result: ToolResult | undefined): CallError {
  if (result?.isError !== true) throw new Error(`it was no failure: ${JSON.stringify(result)}`)
  return result.error
}

/** `ok`, or the code of the failure. */
export function statusOf(result: ToolResult): string {
  return result.isError ? result.error.code : 'ok'
}

/** A promise that is settled from outside. */
export class Deferred<T> {
  resolve!: (value: T) => void
  reject!: (thrown: unknown) => void
  readonly promise: Promise<T> = new Promise((resolve, reject) => {
    this.resolve = resolve
    this.reject = reject
  })
}
