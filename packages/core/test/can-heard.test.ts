import { getEventListeners } from 'node:events'
import { expect, test, vi } from 'vitest'
import { createToolRuntime, type Plugin, type ToolRuntimeOptions } from '../src/index.ts'
import { fakeTime } from './support/property.ts'

/*
 * An abort is heard, in time and by everybody, whatever bodies, hooks, listeners and controllers do; and nothing else is one.
 */

fakeTime('performance')

const abortGraceMs = 50
const tool = { name: 'tool', description: '', parameters: {}, output: { schema: {} }, isConcurrencySafe: () => true }
const call = { name: 'tool' }
const never = new Promise<never>(() => {})
const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function runtimeOf(execute: unknown, more: ToolRuntimeOptions = {}): ReturnType<typeof createToolRuntime> {
  return createToolRuntime({ abortGraceMs, tools: [{ ...tool, execute } as never], ...more })
}

test.each([true, false])(
  "a body's listener that stops the event does not keep the lane from hearing it, in the same turn: %s",
  async (sameTurn) => {
    const caller = new AbortController()
    const runtime = runtimeOf((_args: unknown, { signal }: { signal: AbortSignal }) => {
      signal.addEventListener('abort', (event) => event.stopImmediatePropagation())
      return never
    })
    const result = runtime.execute(call, { signal: caller.signal })
    if (!sameTurn) await turnOfTheLoop()
    caller.abort()
    await vi.advanceTimersByTimeAsync(abortGraceMs)
    expect((await result).error).toMatchObject({ code: 'ABORTED', details: { abandoned: true } })
  },
)

test('an event that somebody dispatches on the signal is no abort', async () => {
  const caller = new AbortController()
  const runtime = runtimeOf(async (_args: unknown, { signal }: { signal: AbortSignal }) => {
    await turnOfTheLoop()
    signal.dispatchEvent(new Event('abort'))
    await turnOfTheLoop()
    return 'done'
  })
  const told: unknown[] = []
  for await (const event of runtime.stream([call, call], { signal: caller.signal }))
    if (event.type === 'result') told.push(event.result.value)
  expect(told).toEqual(['done', 'done'])
  expect((await runtime.dispatch([call, call], { signal: caller.signal })).map(({ value }) => value)).toEqual(told)
})

test('no nested body begins after an abort, though it was made by a listener that heard first', async () => {
  const caller = new AbortController()
  let begun = 0
  const runtime = createToolRuntime({
    abortGraceMs,
    tools: [
      { ...tool, name: 'child', execute: () => ++begun },
      {
        ...tool,
        async execute(_args: unknown, exec) {
          caller.signal.addEventListener('abort', () => void exec.invoke('child').catch(() => {}))
          await exec.invoke('child')
          return never
        },
      },
    ],
  })
  // Their listener is put on before pawl's own.
  const result = runtime.execute(call, { signal: caller.signal })
  await turnOfTheLoop()
  caller.abort()
  await vi.advanceTimersByTimeAsync(abortGraceMs)
  expect((await result).error?.code).toBe('ABORTED')
  expect(begun).toBe(1)
})

test('an abort from within a stage that then hangs is waited for no longer than the grace', async () => {
  const caller = new AbortController()
  const hanging: Plugin = {
    name: 'hanging',
    async preExecute(exec, next) {
      if (exec.index === 1) caller.abort()
      return exec.index === 1 ? never : next()
    },
  }
  // The second is gated in the turn that publishes the first: the lane listens, and nothing runs.
  const runtime = createToolRuntime({
    abortGraceMs,
    stageTimeoutMs: 100_000,
    tools: [{ ...tool, isConcurrencySafe: () => false, execute: turnOfTheLoop as never }],
    plugins: [hanging],
  })
  const results = runtime.dispatch([call, call], { signal: caller.signal })
  await turnOfTheLoop()
  await turnOfTheLoop()
  await vi.advanceTimersByTimeAsync(abortGraceMs)
  expect((await results).map(({ error }) => error?.code)).toEqual([undefined, 'ABORTED_BEFORE_DISPATCH'])
})

test('an abort while a call is classified starts no wrapper', async () => {
  const caller = new AbortController()
  let entered = 0
  const runtime = createToolRuntime({
    tools: [
      {
        ...tool,
        isConcurrencySafe() {
          caller.abort()
          return true
        },
        execute: () => 1,
      },
    ],
    plugins: [
      {
        name: 'wrapper',
        execute(_exec, next) {
          entered++
          return next()
        },
      },
    ],
  })
  const { error } = await runtime.execute(call, { signal: caller.signal })
  expect([error?.code, entered]).toEqual(['ABORTED_BEFORE_DISPATCH', 0])
})

test('a handed signal that is none is a fault of its wrapper, and a controller that throws keeps nobody from hearing', async () => {
  class Throwing extends AbortController {
    override abort(): void {
      throw new Error('not me')
    }
  }
  const handed: unknown[] = [{ aborted: false }, {}, new Throwing()]
  const plugin: Plugin = {
    name: 'hands',
    execute: (exec, next) => next(exec.index < 3 ? { signal: handed[exec.index] as AbortSignal } : undefined),
  }
  const caller = new AbortController()
  const heard: number[] = []
  const runtime = runtimeOf(
    (_args: unknown, { signal, index }: { signal: AbortSignal; index: number }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(heard.push(index)))),
    { plugins: [plugin] },
  )
  const results = runtime.dispatch([call, call, call, call], { signal: caller.signal })
  await turnOfTheLoop()
  caller.abort()
  await vi.advanceTimersByTimeAsync(abortGraceMs)
  const codes = (await results).map(({ error }) => error?.code)
  expect(codes).toEqual(['PLUGIN_ERROR', 'PLUGIN_ERROR', 'ABORTED', 'ABORTED'])
  expect(heard).toEqual([3])
  expect((await results)[0]?.trace.faults[0]).toMatchObject({ plugin: 'hands', stage: 'tools/execute' })
})

test('CAN-6: any number of steps share one listener on a signal, and take it off', async () => {
  const caller = new AbortController()
  const warnings: Error[] = []
  const warned = (warning: Error): unknown => warnings.push(warning)
  process.on('warning', warned)
  const runtime = runtimeOf(async (_args: unknown, { signal }: { signal: AbortSignal }) => {
    await turnOfTheLoop()
    await turnOfTheLoop()
    return getEventListeners(signal, 'abort').length
  })
  const steps = Array.from({ length: 40 }, () => runtime.execute(call, { signal: caller.signal }))
  expect(new Set((await Promise.all(steps)).map(({ value }) => value))).toEqual(new Set([1]))
  expect(getEventListeners(caller.signal, 'abort')).toEqual([])
  await turnOfTheLoop()
  process.off('warning', warned)
  expect(warnings).toEqual([])

  const hanging = runtimeOf(() => never)
  const last = Array.from({ length: 40 }, () => hanging.execute(call, { signal: caller.signal }))
  await turnOfTheLoop()
  caller.abort()
  await vi.advanceTimersByTimeAsync(abortGraceMs)
  expect((await Promise.all(last)).every(({ error }) => error?.code === 'ABORTED')).toBe(true)
})

test('a wrapper has its stage time once, however often it calls next()', async () => {
  const runtime = runtimeOf(() => 'done', {
    stageTimeoutMs: 50,
    plugins: [
      {
        name: 'endless',
        async execute(_exec, next) {
          for (;;) {
            await new Promise((resolve) => setTimeout(resolve, 30))
            await next()
          }
        },
      },
    ],
  })
  const result = runtime.execute(call)
  await turnOfTheLoop()
  for (let ms = 0; ms < 100; ms += 10) {
    await vi.advanceTimersByTimeAsync(10)
    await turnOfTheLoop()
  }
  expect((await result).error).toMatchObject({
    code: 'PLUGIN_ERROR',
    message: expect.stringContaining('did not settle within 50 ms'),
  })
  expect((await result).trace.bodyInvocations).toBe(1)
})
