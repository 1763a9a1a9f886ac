import { Desk } from './approve.ts'
import { Chain } from './chain.ts'
import { ConfigError } from './errors.ts'
import { asMermaid, asText, type Explanation, explanationOf } from './explain.ts'
import { Guards } from './guards.ts'
import type { Host } from './host.ts'
import { hubOf } from './hub.ts'
import { StepIds } from './ids.ts'
import { safeLogger } from './logger.ts'
import { resolveOptions, type ToolRuntimeOptions } from './options.ts'
import type { Guard, Plugin } from './plugin.ts'
import { Plugins } from './plugins.ts'
import { publicRegistry, Registry, type ToolRegistry } from './registry.ts'
import { checkCalls, type ToolCall } from './requests.ts'
import type { ToolResult } from './result.ts'
import { type DispatchOptions, readOptions, Step } from './step.ts'
import { EventQueue, type ToolEvent } from './stream.ts'

/** Runs the tool calls of assistant steps through one pipeline. Made by `createToolRuntime`. */
export interface ToolRuntime {
  readonly tools: ToolRegistry
  /** Adds a guard, which counts at once, also for calls that wait. What it answers takes the guard off again. */
  guard(guard: Guard): () => void
  /** Adds a plugin inside all others, for calls admitted from now on. What it answers takes it out and disposes of it. */
  use(plugin: Plugin): () => Promise<void>
  /** The composed pipeline, in the order in which it really runs. **Default:** `text`. */
  explain(options?: { readonly format?: 'text' | 'mermaid' }): string
  explain(options: { readonly format: 'json' }): Explanation
  /**
   * Runs one assistant step: one result for each call, in the order of the calls. Rejects only on a mistake of the caller's (a
   * closed runtime, options of the wrong type), before any call was journalled.
   */
  dispatch(calls: readonly ToolCall[], options?: DispatchOptions): Promise<ToolResult[]>
  /** The same, told as it happens. Leaving the loop cancels the step and waits for it. */
  stream(calls: readonly ToolCall[], options?: DispatchOptions): AsyncGenerator<ToolEvent, void, undefined>
  /** A step of one call. */
  execute(call: ToolCall, options?: DispatchOptions): Promise<ToolResult>
  /** Stops admitting, aborts what runs, waits `abortGraceMs` at most for bodies, disposes of plugins in reverse. Idempotent. */
  close(): Promise<void>
}

/**
 * Makes a runtime from tools, policies and seams; all of `options` may be left out. It holds no timer, listener or other handle
 * while no step runs.
 *
 * @throws ConfigError if anything is put together wrongly: what, where, and the way out
 * @example
 * const runtime = createToolRuntime({ tools: [add] })
 * const [result] = await runtime.dispatch([{ id: '1', name: 'add', arguments: '{"a":1,"b":2}' }])
 */
export function createToolRuntime(options: ToolRuntimeOptions = {}): ToolRuntime {
  const resolved = resolveOptions(options)
  const logger = safeLogger(options.logger)
  const registry = new Registry(resolved.limits, logger)
  const tools = publicRegistry(registry)
  const guards = new Guards()
  const plugins = new Plugins(guards, { tools, logger }, resolved)
  const host: Host = {
    options: resolved,
    registry,
    guards,
    journal: options.journal,
    approver: options.approver,
    logger,
    desk: new Desk(),
    ids: new StepIds(),
    running: new Chain(),
    plugins,
  }
  const addGuard = (guard: Guard): (() => void) => {
    if (typeof guard !== 'function')
      throw new ConfigError('[pawl] a guard has to be a function that returns a reason, or undefined to abstain.')
    return guards.add('guard', guard)
  }
  for (const tool of options.tools ?? []) registry.register(tool)
  for (const guard of options.guards ?? []) addGuard(guard)
  plugins.add(options.plugins ?? [])

  let closing: Promise<void> | undefined

  function refuseIfClosed(what: string): void {
    if (closing !== undefined) throw new Error(`[pawl] the runtime is closed and ${what}.`)
  }

  function begin(
    calls: readonly ToolCall[],
    how: DispatchOptions,
    answer: (step: Step) => unknown,
    listener?: (event: ToolEvent) => void,
  ): Step {
    refuseIfClosed('takes no more calls')
    checkCalls(calls)
    const step = new Step(host, calls, how, answer, listener)
    step.begin()
    return step
  }

  function run<T>(calls: readonly ToolCall[], how: DispatchOptions, answer: (step: Step) => T): Promise<T> {
    try {
      return begin(calls, how === noOptions ? how : readOptions(how), answer).done as Promise<T>
    } catch (mistake) {
      return Promise.reject(mistake)
    }
  }

  return {
    tools,
    guard: addGuard,
    use(plugin) {
      refuseIfClosed('takes no more plugins')
      plugins.add([plugin])
      let takenOut: Promise<void> | undefined
      return () => {
        takenOut ??= plugins.remove(plugin)
        return takenOut
      }
    },
    explain: ((how: { format?: 'text' | 'mermaid' | 'json' } = {}) => {
      const explanation = explanationOf(host)
      if (how.format === 'json') return explanation
      return how.format === 'mermaid' ? asMermaid(explanation) : asText(explanation)
    }) as ToolRuntime['explain'],
    dispatch(calls, how = noOptions) {
      return run(calls, how, allResults)
    },
    async *stream(calls, given = noOptions) {
      const how = readOptions(given)
      const queue = new EventQueue()
      const leave = new AbortController()
      const deaf = forward(how.signal, leave)
      let step: Step | undefined
      let isOver = false
      try {
        step = begin(calls, { ...how, signal: leave.signal }, allResults, (event) => queue.push(event))
        step.done.then(() => queue.end())
        yield* queue.drain()
        isOver = true
      } finally {
        if (!isOver) leave.abort(new Error('the listener left'))
        await step?.done
        deaf()
      }
    },
    execute(call, how = noOptions) {
      return run([call], how, onlyResult)
    },
    close() {
      closing ??= (async () => {
        await Promise.all(host.running.all().map((step) => step.close(new Error('the runtime is closing'))))
        await plugins.close()
      })()
      return closing
    },
  }
}

const noOptions: DispatchOptions = {}
const allResults = (step: Step): ToolResult[] => step.results
const onlyResult = (step: Step): ToolResult => step.results[0] as ToolResult

/** Aborts `controller` when `signal` aborts; the answer ends that. */
function forward(signal: AbortSignal | undefined, controller: AbortController): () => void {
  return signal === undefined ? () => {} : hubOf(signal).hear((reason) => controller.abort(reason))
}
