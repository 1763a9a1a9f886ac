import { getEventListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test, vi } from 'vitest'
import type { Exec, Next, Outcome, Plugin } from '../../src/index.ts'
import { errorOf, runtimeOf, statusOf, toolOf } from './bench.ts'

afterEach(() => {
  vi.useRealTimers()
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Aborts what runs inside as soon as it waits, and calls that a timeout. */
const impatient: Plugin = {
  name: 'impatient',
  role: 'timeout',
  async execute(exec, next) {
    if (exec.name !== 'waits') return next()
    const controller = new AbortController()
    const inner = next({ signal: controller })
    queueMicrotask(() => controller.abort(new Error('too slow')))
    await inner
    return exec.fail({ code: 'TOOL_TIMEOUT', message: 'waits took too long' })
  },
}

const answersForThem: Plugin = {
  name: 'memo',
  role: 'cache',
  execute: (exec, next) => (exec.name === 'known' ? exec.succeed('from before') : next()),
}

test('B1: two thousand calls on one signal leave it as it was, warn of nothing and hold nothing', async () => {
  const warnings: Error[] = []
  const warned = (warning: Error): void => void warnings.push(warning)
  process.on('warning', warned)
  const untilAborted = ({ signal }: Exec): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
  const fails = (): never => {
    throw new Error('no')
  }
  const { runtime } = runtimeOf(
    [
      toolOf(({ signal }) => ({ aborted: signal.aborted }), 'works'),
      toolOf(fails, 'fails'),
      toolOf(untilAborted, 'waits'),
      toolOf(() => 1, 'denied'),
      toolOf(() => 1, 'known'),
    ],
    {
      journal: { append() {} },
      guards: [({ name }) => (name === 'denied' ? 'not this one' : undefined)],
      plugins: [answersForThem, impatient],
    },
  )
  const names = ['works', 'fails', 'waits', 'denied', 'known']
  const codes = ['ok', 'TOOL_ERROR', 'TOOL_TIMEOUT', 'DENIED', 'ok']
  const { signal } = new AbortController()
  const held: WeakRef<object>[] = []
  for (let at = 0; at < 2_000; at++) {
    const result = await runtime.execute({ id: `${at}`, name: names[at % 5]! }, { signal })
    expect(statusOf(result)).toBe(codes[at % 5])
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    held.push(new WeakRef(result))
  }
  await new Promise(setImmediate)
  collectGarbage()
  expect(held.filter((ref) => ref.deref() !== undefined).length).toBeLessThan(10)
  expect(warnings).toEqual([])
  process.off('warning', warned)
})

/** Tries five times with 10 s in between. */
function patient(pause: (exec: Exec) => Promise<void>): Plugin {
  return {
    name: 'patient',
    role: 'retry',
    async execute(exec: Exec, next: Next): Promise<Outcome> {
      let outcome = await next()
      for (let tries = 1; tries < 5 && outcome.isError; tries++) {
        await pause(exec)
        if (exec.signal.aborted) return exec.fail({ code: 'ABORTED', message: 'cancelled between two tries' })
        outcome = await next()
      }
      return outcome
    },
  }
}

const fails = (): never => {
  throw new Error('down')
}

test('B3: an abort while a retry waits settles the call at once as aborted, after one try, with no timer left', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const pause = ({ signal }: Exec): Promise<void> =>
    new Promise((resolve) => {
      const woken = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', woken)
        resolve()
      }
      const timer = setTimeout(woken, 10_000)
      signal.addEventListener('abort', woken)
    })
  const { runtime } = runtimeOf(toolOf(fails), { plugins: [patient(pause)] })
  const controller = new AbortController()
  const settled = vi.fn()
  const call = runtime.execute({ name: 'work' }, { signal: controller.signal })
  void call.then(settled)
  await vi.advanceTimersByTimeAsync(50)
  expect(settled).not.toHaveBeenCalled()
  controller.abort()
  await vi.advanceTimersByTimeAsync(0)
  expect(settled).toHaveBeenCalledOnce()
  const result = await call
  expect(errorOf(result)).toMatchObject({ code: 'ABORTED', sideEffects: 'possible' })
  expect(result.trace).toMatchObject({ attempts: 1, bodyInvocations: 1, faults: [] })
  expect(vi.getTimerCount()).toBe(0)
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
})

test('B3: a retry that sleeps through an abort holds the call no longer than the grace, and its next try runs nothing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const body = vi.fn(fails)
  const deafPause = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10_000))
  const { runtime } = runtimeOf(toolOf(body), { plugins: [patient(deafPause)], abortGraceMs: 200 })
  const controller = new AbortController()
  const settled = vi.fn()
  const call = runtime.execute({ name: 'work' }, { signal: controller.signal })
  void call.then(settled)
  await vi.advanceTimersByTimeAsync(50)
  controller.abort()
  await vi.advanceTimersByTimeAsync(200)
  expect(settled).toHaveBeenCalledOnce()
  const result = await call
  expect(errorOf(result).code).toBe('ABORTED')
  expect(result.trace.attempts).toBe(1)
  expect(vi.getTimerCount()).toBe(1) // the pause of the plugin itself
  await vi.advanceTimersByTimeAsync(60_000)
  expect(body).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})
