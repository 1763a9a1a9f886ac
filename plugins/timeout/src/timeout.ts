import type { Plugin } from '@pawl/core'
import { Deadline, Deadlines } from './deadline.ts'
import { readOptions, type TimeoutOptions } from './options.ts'

/**
 * A deadline for what runs inside this layer. At the deadline `exec.signal` aborts below, with a `TimeoutError` as its reason,
 * and the call becomes `TOOL_TIMEOUT` (`details.timeoutMs`), whatever the body then returns or throws. A body that has not
 * ended `graceMs` later is abandoned.
 *
 * The budget is `tools[name]`, else the tool's own `timeoutMs`, else `defaultMs`, else none; without one nothing is changed,
 * not even the signal. Outside a retry the budget is for all tries together, inside it for each try.
 *
 * The failure is `retryable` where what ran has ended, and not where it was abandoned. If the plugin is disposed of while a
 * call runs, that call goes on without its deadline; one that is past it fails at once.
 *
 * @throws TypeError if an option is unknown or is nothing that a timer can hold
 * @example
 * createToolRuntime({ tools, plugins: [timeout({ defaultMs: 30_000, tools: { build: 600_000, watch: false } })] })
 */
export function timeout(options: TimeoutOptions = {}): Plugin {
  const { tools, defaultMs, graceMs } = readOptions(options)
  const running = new Deadlines()
  let runtimes = 0
  let disposed = false

  return {
    name: 'timeout',
    role: 'timeout',
    failure: 'open',
    setup(context) {
      runtimes++
      disposed = false
      for (const name of tools.keys()) if (context.tools.get(name) === undefined) context.logger.warn(unknownTool(name))
    },
    execute(exec, next) {
      const ms = tools.get(exec.name) ?? exec.tool.timeoutMs ?? defaultMs
      return ms === undefined || ms === false || disposed
        ? next()
        : new Deadline(ms, graceMs, exec, running).around(next)
    },
    dispose() {
      if (--runtimes > 0) return
      disposed = true
      running.releaseAll()
    },
  }
}

/** It may be registered later, so this is no mistake yet. */
function unknownTool(name: string): string {
  return `[pawl] timeout: \`tools\` has a budget for "${name}", and no tool of that name is registered so far.`
}
