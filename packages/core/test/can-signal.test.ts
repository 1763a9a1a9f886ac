import { getEventListeners } from 'node:events'
import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createToolRuntime, type Outcome, type Plugin } from '../src/index.ts'
import { picks, world } from './support/arbitraries.ts'
import { Clockwork } from './support/clockwork.ts'
import { explored, fakeTime, property } from './support/property.ts'
import { codeOf } from './support/results.ts'

fakeTime()

const rule = explored(world())
const tool = { name: 'tool', description: '', parameters: {}, output: { schema: {} } }

interface WrapperSpec {
  readonly hands: 'nothing' | 'signal' | 'controller'
  readonly isAsync: boolean
  readonly looks: boolean
}

const wrapper: fc.Arbitrary<WrapperSpec> = fc.record({
  hands: fc.constantFrom('nothing', 'signal', 'controller'),
  isAsync: fc.boolean(),
  looks: fc.boolean(),
})

property(
  "CAN-4: the caller's abort reaches the body's signal through any stack of wrappers, with the caller's reason",
  fc.record({
    stack: fc.array(wrapper, { maxLength: 5 }),
    reason: fc.anything(),
    when: fc.constantFrom('before read', 'after read', 'listening'),
    depth: fc.nat(2),
  }),
  async ({ stack, reason, when, depth }, witness) => {
    const clock = new Clockwork([])
    const caller = new AbortController()
    let body: AbortSignal | undefined
    let heard = 0
    const runtime = createToolRuntime({
      abortGraceMs: 10,
      tools: [
        {
          ...tool,
          async execute(args, exec) {
            const { deeper } = args as { deeper: number }
            if (deeper > 0) return exec.invoke('tool', { deeper: deeper - 1 })
            if (when === 'before read') await clock.wait('body')
            body = exec.signal
            if (when === 'listening') body.addEventListener('abort', () => heard++)
            await clock.wait('body')
            return 1
          },
        },
      ],
      plugins: stack.map(
        ({ hands, isAsync, looks }, index): Plugin => ({
          name: `p${index}`,
          async execute(exec, next) {
            if (isAsync) await null
            if (looks) expect(exec.signal.aborted).toBe(false)
            if (hands === 'nothing') return next()
            const controller = new AbortController()
            return next({ signal: hands === 'signal' ? controller.signal : controller })
          },
        }),
      ),
    })
    const running = runtime.execute({ name: 'tool', arguments: { deeper: depth } }, { signal: caller.signal })
    await clock.quiet()
    caller.abort(reason)
    const expected: unknown = caller.signal.reason
    if (when === 'before read') {
      expect(clock.release('body')).toBe(true)
      await clock.quiet()
    }
    expect(body?.aborted).toBe(true)
    expect(body?.reason).toBe(expected)
    if (when === 'listening') expect(heard).toBe(1)
    clock.release('body')
    await vi.runAllTimersAsync()
    // A parent hears of it by the throw of its nested call, which is its own failure then.
    expect(codeOf(await running)).toBe(depth === 0 ? 'ABORTED' : 'TOOL_ERROR')
    if (stack.some(({ hands }) => hands !== 'nothing')) witness()
  },
)

property(
  'CAN-5: what a wrapper hands down with next({ signal }) is seen below it and nowhere else',
  fc.record({
    above: fc.array(wrapper, { maxLength: 2 }),
    below: fc.array(wrapper, { maxLength: 2 }),
    hands: fc.constantFrom('signal', 'controller'),
    tries: fc.integer({ min: 1, max: 3 }),
    aborts: fc.boolean(),
  }),
  async ({ above, below, hands, tries, aborts }, witness) => {
    const caller = new AbortController()
    const seen: { readonly by: string; readonly signal: AbortSignal }[] = []
    const own = new Error('mine')
    const plain = (by: string): Plugin => ({
      name: by,
      async execute(exec, next) {
        seen.push({ by, signal: exec.signal })
        const outcome = await next()
        seen.push({ by, signal: exec.signal })
        return outcome
      },
    })
    const handed: AbortController[] = []
    const middle: Plugin = {
      name: 'middle',
      async execute(exec, next) {
        let outcome: Outcome | undefined
        for (let at = 0; at < tries; at++) {
          const controller = new AbortController()
          handed.push(controller)
          outcome = await next({ signal: hands === 'signal' ? controller.signal : controller })
          expect(exec.signal).toBe(caller.signal)
        }
        return outcome as Outcome
      },
    }
    const runtime = createToolRuntime({
      tools: [
        {
          ...tool,
          execute(_args, exec) {
            seen.push({ by: 'body', signal: exec.signal })
            const before = exec.signal.aborted
            if (aborts) handed.at(-1)?.abort(own)
            return { before, after: exec.signal.aborted, isOwn: exec.signal.reason === own }
          },
        },
      ],
      plugins: [
        ...above.map((_, index) => plain(`above ${index}`)),
        middle,
        ...below.map((_, index) => plain(`below ${index}`)),
      ],
    })
    const result = await runtime.execute({ name: 'tool' }, { signal: caller.signal })
    expect(!result.isError && result.value).toEqual({ before: false, after: aborts, isOwn: aborts })
    for (const { by, signal } of seen) {
      if (by.startsWith('above')) expect(signal).toBe(caller.signal)
      else expect(signal).not.toBe(caller.signal)
    }
    expect(caller.signal.aborted).toBe(false)
    // Each try has a signal of its own, which all below see alike.
    const inner = seen.filter(({ by }) => !by.startsWith('above')).map(({ signal }) => signal)
    expect(new Set(inner).size).toBe(tries)
    for (const controller of handed) expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0)
    if (aborts) witness()
  },
)

rule('CAN-6: after a call settles, no listener and no timer that pawl added remains', (history, witness) => {
  const made = history.world
  expect([history.listenersLeft, history.timersLeft]).toEqual([0, 0])
  if (made.plugins.some(({ execute }) => execute === 'signal' || execute === 'controller')) witness()
})

property(
  'CAN-6: N calls on one signal leave it as it was, and have no more than one listener each while they run',
  fc.record({
    steps: fc.integer({ min: 1, max: 5 }),
    calls: fc.integer({ min: 1, max: 6 }),
    stack: fc.array(wrapper, { maxLength: 3 }),
    picks,
    aborts: fc.boolean(),
    isStream: fc.boolean(),
  }),
  async ({ steps, calls, stack, picks, aborts, isStream }, witness) => {
    const clock = new Clockwork(picks)
    const caller = new AbortController()
    const runtime = createToolRuntime({
      abortGraceMs: 10,
      tools: [
        {
          ...tool,
          isConcurrencySafe: () => true,
          execute: (_args, { signal }) => clock.wait('body').then(() => (signal.aborted ? 2 : 1)),
        },
      ],
      plugins: stack.map(
        ({ hands }, index): Plugin => ({
          name: `p${index}`,
          execute: (_exec, next) =>
            hands === 'nothing'
              ? next()
              : next({ signal: hands === 'signal' ? new AbortController().signal : new AbortController() }),
        }),
      ),
    })
    let left = steps
    const requests = Array.from({ length: calls }, () => ({ name: 'tool' }))
    const run = async (): Promise<void> => {
      if (isStream) for await (const _ of runtime.stream(requests, { signal: caller.signal }));
      else await runtime.dispatch(requests, { signal: caller.signal })
      left--
    }
    for (let step = 0; step < steps; step++) void run()
    await clock.quiet()
    expect(getEventListeners(caller.signal, 'abort').length).toBeLessThanOrEqual(steps)
    if (aborts) caller.abort()
    await clock.drive(() => left === 0)
    await clock.finish()
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0)
    expect(vi.getTimerCount()).toBe(0)
    if (stack.length > 0) witness()
  },
)

test('CAN-6: with real time, nothing of pawl keeps the process alive', async () => {
  vi.useRealTimers()
  const timers = (): number => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
  const before = timers()
  const runtime = createToolRuntime({
    abortGraceMs: 4_000,
    tools: [
      {
        ...tool,
        isConcurrencySafe: () => true,
        execute: () => new Promise<number>((resolve) => setImmediate(() => resolve(1))),
      },
    ],
    plugins: [
      {
        name: 'p',
        preExecute: async (_exec, next) => next(),
        execute: async (_exec, next) => next(),
        postExecute: async (_exec, _result, next) => next(),
      },
    ],
    journal: { append: async () => {} },
  })
  for (let step = 0; step < 20; step++) {
    const caller = new AbortController()
    const running = runtime.dispatch([{ name: 'tool' }, { name: 'tool' }], { signal: caller.signal })
    if (step % 2 === 1) caller.abort()
    await running
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(timers()).toBeLessThanOrEqual(before)
})
