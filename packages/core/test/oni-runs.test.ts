import * as fc from 'fast-check'
import { expect } from 'vitest'
import { createToolRuntime, type Outcome, type Plugin } from '../src/index.ts'
import { plugin, world } from './support/arbitraries.ts'
import { Clockwork } from './support/clockwork.ts'
import { count, of } from './support/observe.ts'
import { fakeTime, property } from './support/property.ts'
import { play } from './support/rig.ts'

fakeTime()

const tool = { name: 'tool', description: '', parameters: {}, output: { schema: {} } }

/** Worlds in which some layer calls next() more than once. */
const repeating = world({
  plugins: fc
    .tuple(
      fc.array(plugin, { maxLength: 2 }),
      fc.constantFrom('twice', 'retry'),
      fc.constantFrom('retry', undefined),
      plugin,
    )
    .map(([outer, execute, role, inner]) => [
      ...outer,
      { minds: 255, waits: false, execute, role },
      { ...inner, role: undefined },
    ]) as never,
})

property(
  'ONI-4: trace.bodyInvocations equals the times that the body was entered, in any world',
  repeating,
  async (made, witness) => {
    const history = await play(made)
    for (const [n, result] of history.results.entries()) {
      expect(result.trace.bodyInvocations).toBe(count(history, n, 'body'))
      if (result.trace.bodyInvocations > 1) witness()
    }
  },
)

property(
  'ONI-4: trace.attempts equals the number of tries of the outermost retry',
  repeating,
  async (made, witness) => {
    const history = await play(made)
    const outermost = made.plugins.findIndex(({ role, execute }) => role === 'retry' && execute !== undefined)
    for (const [n, { trace }] of history.results.entries()) {
      const entered = count(history, n, 'wrap') > 0 || count(history, n, 'body') > 0
      if (outermost === -1) {
        if (entered) expect(trace.attempts).toBe(1)
        continue
      }
      // A `next` that is refused, late or beside another, is no try.
      const refused = trace.faults.filter(
        ({ plugin, stage, message }) =>
          plugin === `p${outermost}` && stage === 'tools/execute' && message.includes('next()'),
      ).length
      const seen = of(history, n, 'next', 'tool/result', 'onResult')
      const untilResult = seen.slice(
        0,
        seen.findIndex(({ kind }) => kind !== 'next'),
      )
      const nexts = untilResult.filter(({ by }) => by === `p${outermost}`).length
      // Where the journal keeps a result too long, the result is made once more, and tells of a `next` that came meanwhile.
      const isRemade = trace.faults.some(({ message }) => message.includes('did not take tool/result'))
      const isCalm =
        history.events.every(({ kind }) => kind !== 'abort') &&
        made.plugins[outermost]?.execute !== 'late next' &&
        !isRemade
      if (isCalm) expect(trace.attempts).toBe(nexts - refused)
      expect(trace.attempts).toBeLessThanOrEqual(nexts)
      expect(trace.attempts).toBeGreaterThanOrEqual(nexts - refused)
      if (trace.attempts > 1) witness()
    }
  },
)

property(
  'ONI-5: state of a failed attempt (deferred context, notes) does not leak into the final result',
  fc.record({
    fails: fc.nat(3),
    tries: fc.integer({ min: 1, max: 4 }),
    falls: fc.boolean(),
    inner: fc.boolean(),
    nested: fc.boolean(),
    isLate: fc.boolean(),
  }),
  async ({ fails, tries, falls, inner, nested, isLate }, witness) => {
    let attempt = 0
    const runtime = createToolRuntime({
      tools: [
        {
          ...tool,
          async execute(_args, exec) {
            const mine = ++attempt
            exec.deferContext(`context ${mine}`)
            exec.note({ [`note${mine}`]: true })
            if (nested) await exec.invoke('inner', { mine }).catch(() => {})
            if (isLate)
              queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => exec.deferContext(`late ${mine}`))))
            if (mine <= fails) throw new Error('again')
            return mine
          },
        },
        {
          ...tool,
          name: 'inner',
          execute(args, exec) {
            exec.deferContext(`nested ${(args as { mine: number }).mine}`)
            return 1
          },
        },
      ],
      plugins: [
        ...(falls
          ? [
              {
                name: 'fallback',
                execute: async (exec, next) =>
                  (await next()).isError ? exec.succeed('fallback') : exec.succeed('fine'),
              } satisfies Plugin,
            ]
          : []),
        {
          name: 'retry',
          role: 'retry',
          async execute(exec, next) {
            if (exec.name === 'inner') return next()
            let outcome = await next()
            for (let at = 1; at < tries && outcome.isError; at++) outcome = await next()
            return outcome
          },
        },
        ...(inner
          ? [
              {
                name: 'inner notes',
                execute: async (exec, next) => {
                  exec.note({ [`inner${attempt + 1}`]: true })
                  return next()
                },
              } satisfies Plugin,
            ]
          : []),
      ],
    })
    const result = await runtime.execute({ name: 'tool' })
    const isFine = fails < tries
    const last = Math.min(tries, fails + 1)
    const context = (result.context ?? []).filter((line) => !line.startsWith('late'))
    const lost = !isFine && falls
    expect(context).toEqual(lost ? [] : [`context ${last}`, ...(nested ? [`nested ${last}`] : [])])
    expect((result.context ?? []).filter((line) => line.startsWith('late') && line !== `late ${last}`)).toEqual([])
    const notes = Object.keys(result.trace).filter((member) => /^(note|inner)\d/.test(member))
    expect(notes.sort()).toEqual(lost ? [] : [...(inner ? [`inner${last}`] : []), `note${last}`].sort())
    if (last > 1) witness()
  },
)

property(
  'ONI-9: next called after its wrapper settled, after an abort or beside a pending next runs nothing, fails, and is a fault of that plugin',
  fc.record({
    when: fc.constantFrom('settled', 'aborted', 'pending'),
    calls: fc.integer({ min: 1, max: 3 }),
    isInner: fc.boolean(),
    bodyWaits: fc.boolean(),
  }),
  async ({ when, calls, isInner, bodyWaits }, witness) => {
    const clock = new Clockwork([])
    const caller = new AbortController()
    let bodies = 0
    let inside = 0
    const outcomes: Outcome[] = []
    const naughty: Plugin = {
      name: 'naughty',
      async execute(exec, next) {
        const again = async (): Promise<void> => {
          outcomes.push(...(await Promise.all(Array.from({ length: calls }, () => next()))))
        }
        if (when === 'settled') {
          void clock.wait('late').then(again)
          return exec.succeed('own')
        }
        if (when === 'pending') {
          const first = next()
          await again()
          return first
        }
        await clock.wait('abort')
        await again()
        return outcomes[0] as Outcome
      },
    }
    const quiet: Plugin = {
      name: 'quiet',
      execute(_exec, next) {
        inside++
        return next()
      },
    }
    const runtime = createToolRuntime({
      abortGraceMs: 50,
      tools: [
        {
          ...tool,
          execute() {
            bodies++
            return bodyWaits ? clock.wait('body').then(() => 1) : Promise.resolve(1)
          },
        },
      ],
      plugins: isInner
        ? [{ ...quiet, name: 'outer', execute: async (_exec, next) => next() }, naughty, quiet]
        : [naughty, quiet],
    })
    let done: Awaited<ReturnType<typeof runtime.execute>> | undefined
    void runtime.execute({ name: 'tool' }, { signal: caller.signal }).then((result) => {
      done = result
    })
    await clock.quiet()
    if (when === 'aborted') {
      caller.abort()
      clock.release('abort')
    }
    await clock.quiet()
    clock.release('body')
    await clock.quiet()
    clock.release('late')
    await clock.quiet()
    expect(done).toBeDefined()
    expect(outcomes).toHaveLength(calls)
    expect(outcomes.every(({ isError }) => isError)).toBe(true)
    expect([inside, bodies]).toEqual(when === 'pending' ? [1, 1] : [0, 0])
    const faults = done?.trace.faults.filter(({ plugin, stage }) => plugin === 'naughty' && stage === 'tools/execute')
    // A fault that comes after the result can only be told elsewhere.
    if (when !== 'settled') expect(faults).toHaveLength(calls)
    if (when === 'settled') expect(!done?.isError && done?.value).toBe('own')
    await clock.finish()
    witness()
  },
)
