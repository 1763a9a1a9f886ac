import * as fc from 'fast-check'
import { expect } from 'vitest'
import { createToolRuntime } from '../src/index.ts'
import { picks } from './support/arbitraries.ts'
import { Clockwork, type Pick } from './support/clockwork.ts'
import { LaneStage, plan } from './support/lane.ts'
import { type Happened, Model, type Plan } from './support/model.ts'
import { fakeTime, property } from './support/property.ts'
import { codeOf } from './support/results.ts'

fakeTime()

const isAbove = (one: string, other: string): boolean => other.startsWith(`${one}/`)
const laneOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf('/')))

/** Lets bodies go in the order of the picks until the step is over; gives what happened, in order. */
async function playedOut(stage: LaneStage, picks: readonly Pick[], abortAt: number | undefined): Promise<Happened[]> {
  stage.begin()
  for (let turn = 0; ; turn++) {
    await stage.clock.quiet()
    if (turn === abortAt) {
      stage.controller.abort()
      await stage.clock.quiet()
    }
    if (stage.results !== undefined) return stage.log
    const { waiting } = stage.clock
    if (waiting.length === 0) throw new Error('deadlock: nothing runs, and the step is not over')
    const pick = picks[turn % picks.length] ?? 0
    stage.clock.release(waiting[(pick === 'time' ? 0 : pick) % waiting.length] as string)
  }
}

/** A chain of parents down to `depth`, with siblings at each level. */
const tree = (depth: number): fc.Arbitrary<Plan> =>
  fc
    .tuple(plan(1), depth === 0 ? fc.constant(undefined) : tree(depth - 1), fc.boolean())
    .map(([made, below, isFirst]) => {
      const kind = made.kind === 'refused' || made.kind === 'refused parallel' ? 'exclusive' : made.kind
      if (below === undefined) return { ...made, kind }
      return {
        ...made,
        kind,
        nested: isFirst ? [below, ...made.nested.slice(0, 1)] : [...made.nested.slice(0, 1), below],
      }
    })

const deep = fc.integer({ min: 1, max: 6 }).chain((depth) => fc.array(tree(depth), { minLength: 1, maxLength: 2 }))

property(
  'CON-9: nested calls never deadlock, at any depth up to the limit and any cap, also from an exclusive parent',
  fc.record({
    plans: deep,
    cap: fc.integer({ min: 1, max: 3 }),
    picks,
    abortAt: fc.option(fc.nat(12), { nil: undefined }),
  }),
  async ({ plans, cap, picks, abortAt }, witness) => {
    const stage = new LaneStage({ plans, cap })
    await playedOut(stage, picks, abortAt)
    expect(stage.results).toHaveLength(plans.length)
    if (stage.log.some(({ id }) => id.split('/').length > 4)) witness()
  },
)

property(
  'CON-9: no two exclusive nested calls below one step overlap unless one is the descendant of the other; the cap holds in each lane',
  fc.record({ plans: fc.array(plan(2), { minLength: 1, maxLength: 3 }), cap: fc.integer({ min: 1, max: 3 }), picks }),
  async ({ plans, cap, picks }, witness) => {
    const stage = new LaneStage({ plans, cap })
    await playedOut(stage, picks, undefined)
    const running = new Set<string>()
    for (const { kind, id } of stage.bodies) {
      if (kind === 'leave') {
        running.delete(id)
        continue
      }
      running.add(id)
      const isExclusive = stage.plan(id).kind === 'exclusive'
      const here = [...running].filter((other) => laneOf(other) === laneOf(id))
      expect(here.length).toBeLessThanOrEqual(isExclusive ? 1 : cap)
      if (!isExclusive || !id.includes('/')) continue
      const others = [...running].filter(
        (other) => other !== id && other.includes('/') && stage.plan(other).kind === 'exclusive',
      )
      for (const other of others) expect(isAbove(other, id), `${id} overlaps ${other}`).toBe(true)
      if (running.size > 1) witness()
    }
  },
)

const script = fc.array(fc.nat(9), { minLength: 1, maxLength: 8 })

property(
  'CON-9: lanes of nested calls obey CON-1 to CON-6: starts and results come as the model of the scheduler says',
  // One thing happens at a time: who of two parents makes its next call first is nobody's business.
  fc.record({
    plans: fc.array(plan(2, { isQuick: fc.constant(false), together: fc.constant(true) }), {
      minLength: 1,
      maxLength: 3,
    }),
    cap: fc.integer({ min: 1, max: 3 }),
    script,
    abortAt: fc.option(fc.nat(8), { nil: undefined }),
  }),
  async ({ plans, cap, script, abortAt }, witness) => {
    const model = new Model(plans, cap)
    const stage = new LaneStage({ plans, cap })
    const same = async (expected: readonly Happened[]): Promise<void> => {
      const seen = await stage.happened()
      const told = (happened: readonly Happened[]): string[] =>
        happened.map(({ kind, id, code }) => `${kind} ${id} ${code ?? ''}`).sort()
      expect(told(seen)).toEqual(told(expected))
      expect([...stage.clock.waiting].sort()).toEqual(model.letGoable.sort())
      if (seen.filter(({ kind, id }) => kind === 'start' && id.includes('/')).length > 1) witness()
    }
    stage.begin()
    await same(model.begin())
    for (let turn = 0; !model.isOver; turn++) {
      if (turn === abortAt) {
        const expected = model.abort()
        stage.controller.abort()
        await same(expected)
        continue
      }
      const open = model.letGoable
      const id = open[(script[turn % script.length] ?? 0) % Math.max(1, open.length)]
      if (id === undefined) throw new Error('the model is stuck')
      const expected = model.letGo(id)
      stage.clock.release(id)
      await same(expected)
    }
    await stage.clock.quiet()
    expect(stage.results).toHaveLength(plans.length)
  },
)

property(
  'CON-9: calls nest eight deep and no deeper; the ninth is a failure and not a hang',
  fc.record({
    depth: fc.integer({ min: 1, max: 12 }),
    isSafe: fc.boolean(),
    cap: fc.integer({ min: 1, max: 2 }),
    isCaught: fc.boolean(),
  }),
  async ({ depth, isSafe, cap, isCaught }, witness) => {
    let deepest = 0
    const runtime = createToolRuntime({
      maxParallelToolCalls: cap,
      tools: [
        {
          name: 'down',
          description: '',
          parameters: {},
          output: { schema: {} },
          isConcurrencySafe: () => isSafe,
          async execute(args, exec) {
            const { left } = args as { left: number }
            deepest = Math.max(deepest, depth - left)
            if (left === 0) return 'there'
            const below = exec.invoke('down', { left: left - 1 })
            return isCaught ? below.catch(() => 'no deeper') : below
          },
        },
      ],
    })
    const result = await runtime.execute({ name: 'down', arguments: { left: depth } })
    expect(deepest).toBe(Math.min(depth, 8))
    if (depth <= 8) expect(!result.isError && result.value).toBe('there')
    else {
      expect(isCaught ? !result.isError && result.value : codeOf(result)).toBe(isCaught ? 'no deeper' : 'TOOL_ERROR')
      witness()
    }
  },
)

property(
  'CON-9: what a body started and did not wait for ends with it, whatever its lanes held',
  fc.record({
    nested: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
    cap: fc.integer({ min: 1, max: 3 }),
    picks,
    fails: fc.boolean(),
  }),
  async ({ nested, cap, picks, fails }, witness) => {
    const clock = new Clockwork(picks)
    const open = new Set<number>()
    const runtime = createToolRuntime({
      maxParallelToolCalls: cap,
      abortGraceMs: 20,
      tools: [
        {
          name: 'parent',
          description: '',
          parameters: {},
          output: { schema: {} },
          async execute(_args, exec) {
            for (const [n, isSafe] of nested.entries()) exec.invoke('child', { n, isSafe }).catch(() => {})
            await clock.wait('parent')
            if (fails) throw new Error('no more')
            return 1
          },
        },
        {
          name: 'child',
          description: '',
          parameters: {},
          output: { schema: {} },
          isConcurrencySafe: (args) => (args as { isSafe: boolean }).isSafe,
          async execute(args) {
            const { n } = args as { n: number }
            open.add(n)
            await clock.wait(`child ${n}`)
            open.delete(n)
            return 1
          },
        },
      ],
    })
    let isDone = false
    void runtime.execute({ name: 'parent' }).then(() => {
      isDone = true
    })
    await clock.drive(() => isDone)
    const ran = open.size
    await clock.finish()
    // Nothing of it starts any more: those that were open have ended, and no others have come.
    expect(open.size).toBe(0)
    if (ran > 0) witness()
  },
)
