import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { ConfigError, createToolRuntime } from '../src/index.ts'
import { call, guard, plugin, world } from './support/arbitraries.ts'
import { LaneStage, plan } from './support/lane.ts'
import { type Happened, Model } from './support/model.ts'
import { count, type Event, type History, of } from './support/observe.ts'
import { costRatio, explored, fakeTime, property } from './support/property.ts'
import { codeOf } from './support/results.ts'
import { play, spies } from './support/rig.ts'
import { isAdmissible } from './support/world.ts'

fakeTime()

/** Worlds in which bodies often overlap. */
const rule = explored(
  world({
    calls: fc.array(call(), { minLength: 2, maxLength: 4 }),
    plugins: fc.array(plugin, { maxLength: 1 }),
    guards: fc.array(guard, { maxLength: 1 }),
    cap: fc.integer({ min: 2, max: 4 }),
  }),
)

/** From where to where the bodies of a call ran, as places in the history; a body that never ended ran until the result. */
function spans(history: History, n: number): [from: number, to: number][] {
  const result = history.events.findIndex((event) => event.kind === 'onResult' && event.n === n)
  const open: number[] = []
  const found: [number, number][] = []
  for (const [place, event] of history.events.entries()) {
    if (event.n !== n) continue
    if (event.kind === 'body') open.push(place)
    if (event.kind === 'body end') {
      const from = open.shift()
      if (from !== undefined) found.push([from, place])
    }
  }
  for (const from of open) found.push([from, Number.POSITIVE_INFINITY])
  // An abandoned body counts as settled with its result.
  return found.map(([from, to]) => [from, result === -1 ? to : Math.min(to, result)])
}

const overlap = (one: [number, number][], other: [number, number][]): boolean =>
  one.some(([from, to]) => other.some(([start, end]) => from < end && start < to))

rule(
  'CON-1: two bodies of one step overlap only if each classified exactly true at its own start',
  (history, witness) => {
    const made = history.world
    const ran = [...made.calls.keys()].map((n) => spans(history, n))
    for (const [n, call] of made.calls.entries()) {
      for (let other = n + 1; other < made.calls.length; other++) {
        if (!overlap(ran[n] ?? [], ran[other] ?? [])) continue
        witness()
        for (const { tool, safe } of [call, made.calls[other] as typeof call]) {
          expect(tool).toBe('plain')
          expect(safe).toBe('true')
        }
      }
    }
  },
)

property(
  'CON-2: an exclusive body overlaps nothing; all before it have settled, none after it has started',
  world({ abort: fc.constant(undefined) }),
  async (made, witness) => {
    const history = await play(made)
    for (const node of history.nodes) {
      const { n, call, parent } = node
      if (parent !== undefined || (call.tool === 'plain' && call.safe === 'true' && isAdmissible(made, node))) continue
      const result = history.events.findIndex((event) => event.kind === 'onResult' && event.n === n)
      const start = history.events.findIndex((event) => event.kind === 'body' && event.n === n)
      for (const other of made.calls.keys()) {
        const first = history.events.findIndex((event) => event.n === other && isBegun(event))
        const settled = history.events.findIndex((event) => event.kind === 'onResult' && event.n === other)
        if (other > n && first !== -1) expect(first).toBeGreaterThan(result)
        if (other < n && start !== -1) expect(settled).toBeLessThan(start)
        if (other !== n && start !== -1) witness()
      }
    }
  },
)

const isBegun = ({ kind }: Event): boolean =>
  ['waterfall', 'pre', 'guard', 'ask', 'wrap', 'classify', 'body'].includes(kind)

rule('CON-3: at most maxParallelToolCalls bodies run, and a cap of 1 is serial', (history, witness) => {
  const made = history.world
  // A run that was given up on holds no slot from then on, a moment that can not be seen from outside.
  const kept = [...made.calls.keys()].filter((n) => history.results[n]?.trace.abandoned !== true)
  const ran = kept.flatMap((n) => spans(history, n).slice(0, 1))
  for (const [from] of ran) {
    const together = ran.filter(([start, end]) => start <= from && from < end).length
    expect(together).toBeLessThanOrEqual(made.cap)
    if (together === made.cap) witness()
  }
})

property(
  'CON-3: an invalid cap is refused when the runtime is built',
  fc.oneof(fc.integer(), fc.double(), fc.anything()).filter((cap) => cap !== undefined),
  (cap, witness) => {
    const isValid = typeof cap === 'number' && Number.isInteger(cap) && cap >= 1
    const build = () => createToolRuntime({ maxParallelToolCalls: cap as number })
    if (isValid) build()
    else {
      expect(build).toThrow(ConfigError)
      witness()
    }
  },
)

/** Runs the script on model and runtime side by side: an entry lets one body end, `abort` cancels. */
async function besideTheModel(
  plans: readonly ReturnType<Model['begin']>[number][] | Parameters<typeof modelOf>[0],
  cap: number,
  script: readonly (number | 'abort')[],
): Promise<Happened[]> {
  const model = modelOf(plans as Parameters<typeof modelOf>[0], cap)
  const stage = new LaneStage({ plans: plans as Parameters<typeof modelOf>[0], cap })
  const all: Happened[] = []
  const same = async (expected: Happened[]): Promise<void> => {
    const seen = await stage.happened()
    all.push(...seen)
    expect(inTracks(seen)).toEqual(inTracks(expected))
    expect([...stage.clock.waiting].sort()).toEqual(model.letGoable.sort())
  }
  stage.begin()
  await same(model.begin())
  let at = 0
  while (!model.isOver) {
    const pick = script[at++ % script.length] ?? 0
    if (pick === 'abort' && !stage.controller.signal.aborted) {
      const expected = model.abort()
      stage.controller.abort()
      await same(expected)
      continue
    }
    const open = model.letGoable
    const id = open[(pick === 'abort' ? 0 : pick) % Math.max(1, open.length)]
    if (id === undefined) throw new Error('the model is stuck')
    const expected = model.letGo(id)
    stage.clock.release(id)
    await same(expected)
  }
  await stage.clock.quiet()
  expect(stage.results).toHaveLength(plans.length)
  expect(vi.getTimerCount()).toBe(0)
  return all
}

const modelOf = (plans: ConstructorParameters<typeof Model>[0], cap: number): Model => new Model(plans, cap)

/** What happens at once has an order within each track; between starts and publications it is told by the rules above. */
function inTracks(happened: readonly Happened[]): unknown {
  return {
    starts: happened.filter(({ kind }) => kind === 'start').map(({ id }) => id),
    published: happened.filter(({ kind }) => kind === 'publish').map(({ id, code }) => `${id} ${code ?? 'ok'}`),
  }
}

const script = fc.array(fc.nat(9), { minLength: 1, maxLength: 8 })
const scriptWithAbort = fc
  .tuple(script, fc.nat(8))
  .map(([picks, place]): (number | 'abort')[] => [...picks.slice(0, place), 'abort', ...picks.slice(place)])
const flat = fc.array(plan(0), { minLength: 1, maxLength: 7 })
const caps = fc.integer({ min: 1, max: 4 })

property(
  'CON-4: a free slot is used: starts and results come exactly when the model of the scheduler says',
  fc.record({ plans: flat, cap: caps, script }),
  async ({ plans, cap, script }, witness) => {
    const seen = await besideTheModel(plans, cap, script)
    if (seen.filter(({ kind }) => kind === 'start').length > 2) witness()
  },
)

property(
  'CON-6: after an abort at any moment nothing new starts, what runs is drained, and CAN-3 decides what it becomes',
  fc.record({ plans: flat, cap: caps, script: scriptWithAbort }),
  async ({ plans, cap, script }, witness) => {
    const seen = await besideTheModel(plans, cap, script)
    if (seen.some(({ code }) => code === 'ABORTED')) witness()
  },
)

rule(
  'CON-6: after an abort no body is entered and nobody is asked, in any world; what is deaf is given up on within the grace',
  (history, witness) => {
    const aborted = history.events.findIndex(({ kind }) => kind === 'abort')
    if (aborted === -1) return
    const after = history.events.slice(aborted + 1).filter(({ kind }) => kind === 'body' || kind === 'ask')
    expect(after).toEqual([])
    if (history.results.some((result) => codeOf(result) === 'ABORTED')) witness()
  },
)

property(
  'CON-5: pre-execute stages run in call order and never overlap within a step; so do post-execute stages',
  world({ plugins: world().map(({ plugins }) => plugins.map((spec) => ({ ...spec, waits: true }))) }),
  async (made, witness) => {
    const history = await play(made, spies)
    const isTop = ({ n }: Event): boolean => n >= 0 && n < made.calls.length
    for (const kind of ['waterfall', 'fold'] as const) {
      const order = history.events.filter((event) => event.kind === kind && isTop(event)).map(({ n }) => n)
      expect(order).toEqual([...order].sort((a, b) => a - b))
    }
    for (const [kind, end] of [
      ['pre', ['execute', 'onResult', 'guard']],
      ['post', ['finalize', 'onResult']],
    ] as const) {
      // Between the first and the last word of a stage about one call, nothing is said about another.
      const words = history.events.filter(
        (event) => isTop(event) && (event.kind === kind || end.includes(event.kind as never)),
      )
      const calls = words.filter((event) => event.kind === kind).map(({ n }) => n)
      expect(calls).toEqual([...calls].sort((a, b) => a - b))
      if (new Set(calls).size > 1) witness()
    }
    for (const n of made.calls.keys()) expect(count(history, n, 'fold')).toBeLessThanOrEqual(1)
    expect(of(history, 0, 'abort')).toEqual([])
  },
)

test("CON-8: the scheduler's own cost grows linearly in the number of calls of a step", {
  timeout: 60_000,
}, async () => {
  const kinds = { parallel: true, exclusive: false }
  for (const isSafe of Object.values(kinds)) {
    const tool = {
      name: 'tool',
      description: '',
      parameters: {},
      output: { schema: {} },
      isConcurrencySafe: () => isSafe,
    }
    const runtimes = [
      createToolRuntime({ tools: [{ ...tool, execute: () => 1 }] }),
      createToolRuntime({ tools: [{ ...tool, execute: async () => 1 }] }),
      createToolRuntime({ tools: [{ ...tool, execute: async () => 1 }], guards: [() => 'no'] }),
    ]
    for (const runtime of runtimes) {
      const step = (calls: number) => () => runtime.dispatch(Array.from({ length: calls }, () => ({ name: 'tool' })))
      expect(await costRatio(step(2_000), step(16_000))).toBeLessThan(32)
    }
  }
})
