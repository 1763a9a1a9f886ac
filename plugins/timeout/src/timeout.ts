import type { Exec, Next, Outcome, Plugin } from '@pawl/core'
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
  const running: Running = new Set()
  let runtimes = 0
  let disposed = false

  return {
    name: 'timeout',
    role: 'timeout',
    failure: 'open',
    setup() {
      runtimes++
      disposed = false
    },
    execute(exec, next) {
      const ms = tools.get(exec.name) ?? exec.tool.timeoutMs ?? defaultMs
      return ms === undefined || ms === false || disposed ? next() : withDeadline(ms, graceMs, exec, next, running)
    },
    dispose() {
      if (--runtimes > 0) return
      disposed = true
      for (const release of running) release()
    },
  }
}

/** For each deadline that has a timer: what takes it off although `next()` has not settled. */
type Running = Set<() => void>

/** `next()` settles whatever happens, also when the call is given up on from outside, so this holds its timer no longer than that. */
function withDeadline(ms: number, graceMs: number, exec: Exec, next: Next, running: Running): Promise<Outcome> {
  return new Promise((resolve) => {
    const controller = new AbortController()
    // This variable, one for each passage, tells whose deadline it was: no other one, whatever it looks like, sets it.
    let passed = false

    const leave = (outcome: Outcome): void => {
      clearTimeout(timer)
      running.delete(release)
      resolve(outcome)
    }
    const pass = (): void => {
      if (exec.signal.aborted) return // the caller or an enclosing deadline was first
      passed = true
      timer = setTimeout(() => leave(timedOut(exec, ms)), graceMs)
      controller.abort(new DOMException(`${exec.name} has used up its ${ms} ms`, 'TimeoutError'))
    }
    const release = (): void => {
      if (passed) leave(timedOut(exec, ms))
      else clearTimeout(timer)
    }
    let timer = setTimeout(pass, ms)
    running.add(release)
    next({ signal: controller }).then((outcome) => leave(passed ? timedOut(exec, ms, outcome) : outcome))
  })
}

/**
 * The failure of this deadline. `ended` is what the inside came to all the same; without it, something there still runs, and
 * may not be started once more beside itself: no further try is worth it.
 */
function timedOut(exec: Exec, timeoutMs: number, ended?: Outcome): Outcome {
  const stopped = ended === undefined ? 'has not stopped since' : 'was stopped'
  const message =
    ended?.error?.sideEffects === 'none'
      ? `${exec.name} did not begin within ${timeoutMs} ms; nothing ran.`
      : `${exec.name} did not finish within ${timeoutMs} ms and ${stopped}; it may have taken effect.`
  return exec.fail({ code: 'TOOL_TIMEOUT', message, retryable: ended !== undefined, details: { timeoutMs } })
}
