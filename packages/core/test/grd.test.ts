import * as fc from 'fast-check'
import { expect } from 'vitest'
import { createToolRuntime, type Guard } from '../src/index.ts'
import { abort, approver, call, guard, plainCall, plugin, world } from './support/arbitraries.ts'
import { guardAnswer } from './support/cast.ts'
import { json, thenable } from './support/hostile.ts'
import { at, count, of } from './support/observe.ts'
import { fakeTime, property } from './support/property.ts'
import { bare, codeOf } from './support/results.ts'
import { play, spies } from './support/rig.ts'
import { guardActs, minds, postActs, type World } from './support/world.ts'

fakeTime()

const denying = fc.record({ minds: fc.integer({ min: 1, max: 255 }), act: fc.constantFrom(...guardActs.slice(1)) })
const withDenial = fc
  .tuple(fc.array(guard, { maxLength: 2 }), denying, fc.nat(2))
  .map(([guards, denial, place]) => [...guards.slice(0, place), denial, ...guards.slice(place)])

property(
  'GRD-1: if any guard denies, no body runs and the result is DENIED, whatever plugins, approval and post hooks do',
  world({ guards: withDenial }),
  async (made, witness) => {
    const history = await play(made)
    for (const { n, parent } of history.nodes) {
      if (!made.guards.some((spec) => spec.act !== 'abstain' && minds(spec, n))) continue
      expect(count(history, n, 'body', 'tool/dispatch')).toBe(0)
      const isAsked = of(history, n, 'guard').some(({ detail }) => detail !== 'abstain')
      if (!isAsked || parent !== undefined) continue
      expect(codeOf(history.results[n])).toBe('DENIED')
      expect(count(history, n, 'execute', 'wrap', 'ask')).toBe(0)
      witness()
    }
  },
)

property(
  'GRD-1: the order in which guards were registered makes no difference to whether a call runs',
  fc.tuple(world({ guards: withDenial, abort: fc.constant(undefined) }), fc.nat(2)),
  async ([made, turn], witness) => {
    const turned = [...made.guards.slice(turn), ...made.guards.slice(0, turn)].reverse()
    const [one, other] = [await play(made), await play({ ...made, guards: turned })]
    expect(other.results.map(codeOf)).toEqual(one.results.map(codeOf))
    if (made.guards.length > 1) witness()
  },
)

/** How a guard may be registered: by option, by a plugin, while the runtime lives. */
property(
  'GRD-1: a guard counts however it was registered',
  fc.record({
    way: fc.constantFrom('option', 'plugin', 'live', 'used plugin'),
    isLifted: fc.boolean(),
    before: fc.boolean(),
  }),
  async ({ way, isLifted, before }, witness) => {
    const guard: Guard = () => 'no'
    let bodies = 0
    const tool = { name: 'tool', description: '', parameters: {}, output: { schema: {} }, execute: () => ++bodies }
    const runtime = createToolRuntime({
      tools: [tool],
      guards: [...(before ? [() => undefined] : []), ...(way === 'option' ? [guard] : [])],
      plugins: way === 'plugin' ? [{ name: 'p', guard }] : [],
    })
    const lift =
      way === 'live' ? runtime.guard(guard) : way === 'used plugin' ? runtime.use({ name: 'p', guard }) : undefined
    const lifted = isLifted && lift !== undefined
    if (lifted) {
      lift()
      lift()
    }
    const result = await runtime.execute({ name: 'tool' })
    expect([codeOf(result), bodies]).toEqual(lifted ? [undefined, 1] : ['DENIED', 0])
    expect(runtime.explain({ format: 'json' }).guards).toHaveLength((before ? 1 : 0) + (lifted ? 0 : 1))
    witness()
  },
)

const stateless = world({
  abort: fc.constant(undefined),
  calls: fc.array(call(0), { minLength: 1, maxLength: 4 }),
  approver: fc.option(
    approver.map((spec) => ({ ...spec, acts: spec.acts.slice(0, 1) })),
    { nil: undefined },
  ),
  picks: fc.constant([0]),
})

property(
  'GRD-2: adding a guard can only shrink the set of calls whose body runs',
  fc.tuple(stateless, guard, fc.nat(2)),
  async ([made, added, place], witness) => {
    // A body that hangs is let go by an abort at a moment that depends on what else runs; here it answers.
    const calls = made.calls.map((spec) =>
      spec.body.end.kind === 'hang' ? { ...spec, body: { ...spec.body, end: { kind: 'violation' as const } } } : spec,
    )
    const before: World = { ...made, calls }
    const after: World = { ...before, guards: [...made.guards.slice(0, place), added, ...made.guards.slice(place)] }
    const ran = async (world: World): Promise<number[]> => {
      const history = await play(world)
      return [...world.calls.keys()].filter((n) => count(history, n, 'body') > 0)
    }
    const [without, withIt] = [await ran(before), await ran(after)]
    for (const n of withIt) expect(without).toContain(n)
    if (withIt.length < without.length) witness()
    if (added.act === 'abstain') expect(withIt).toEqual(without)
  },
)

const answersOfGuards: fc.Arbitrary<() => unknown> = fc.oneof(
  fc.constantFrom(...guardActs).map((act) => () => guardAnswer(act)),
  json.map((value) => () => value),
  fc.string({ unit: 'binary' }).map((words) => () => words),
  fc.constantFrom<() => unknown>(
    () => new String('boxed'),
    () => true,
    () => Symbol('s'),
    () => () => undefined,
    () => thenable(() => {}),
    () => Object.defineProperty({}, 'then', { get: () => Promise.reject(new Error('x')) }),
    () => Promise.reject(new Error('later')),
    () => ({ kind: 'allow' }),
  ),
)

property(
  'GRD-3: a guard that throws, answers with a promise or with anything but a string or undefined denies; so does an empty string',
  fc.tuple(answersOfGuards, fc.boolean()),
  async ([answer, isFirst], witness) => {
    let bodies = 0
    const guard = answer as Guard
    const abstain: Guard = () => undefined
    const runtime = createToolRuntime({
      tools: [{ name: 'tool', description: '', parameters: {}, output: { schema: {} }, execute: () => ++bodies }],
      guards: isFirst ? [guard, abstain] : [abstain, guard],
    })
    let said: { readonly is: 'thrown' | 'said'; readonly what?: unknown }
    try {
      said = { is: 'said', what: answer() }
    } catch {
      said = { is: 'thrown' }
    }
    if (said.what instanceof Promise) said.what.catch(() => {})
    const result = await runtime.execute({ name: 'tool' })
    const abstains = said.is === 'said' && said.what === undefined
    expect([codeOf(result), bodies]).toEqual(abstains ? [undefined, 1] : ['DENIED', 0])
    if (abstains || !result.isError) return
    witness()
    const reason = String(result.error.details?.reason)
    expect(reason.trim()).not.toBe('')
    expect(reason.isWellFormed()).toBe(true)
    if (typeof said.what === 'string' && said.what.trim() !== '') expect(reason).toBe(said.what.toWellFormed())
  },
)

const asking = fc
  .tuple(fc.array(plugin, { maxLength: 1 }), fc.integer({ min: 1, max: 255 }), fc.boolean())
  .map(([outer, minds, waits]) => [
    ...outer.map((spec) => ({ ...spec, pre: undefined })),
    { minds, waits, pre: 'ask' as const },
  ])

property(
  'GRD-4: nobody is asked to approve a call that a guard denies, and guards run again after an approval',
  world({ plugins: asking as never, guards: withDenial, approver: approver as never }),
  async (made, witness) => {
    const history = await play(made, spies)
    for (const { n } of history.nodes) {
      const asked = at(history, n, 'ask')
      if (asked === -1) continue
      const before = history.events.slice(0, asked).filter((event) => event.n === n && event.kind === 'guard')
      expect(before.length).toBeGreaterThanOrEqual(made.guards.length)
      expect(before.every(({ detail }) => detail === 'abstain')).toBe(true)
      const body = at(history, n, 'body')
      if (body === -1) continue
      const after = history.events.slice(asked, body).filter((event) => event.n === n && event.kind === 'guard')
      expect(after.length).toBeGreaterThanOrEqual(made.guards.length)
      witness()
    }
  },
)

property(
  'GRD-4: a guard that changes its mind while a person thinks is heard',
  fc.record({
    answer: fc.constantFrom('allow', 'deny'),
    turnsAt: fc.constantFrom('ask', 'never'),
    reason: fc.constantFrom('no', ''),
  }),
  async ({ answer, turnsAt, reason }, witness) => {
    let said: string | undefined
    let bodies = 0
    const runtime = createToolRuntime({
      tools: [{ name: 'tool', description: '', parameters: {}, output: { schema: {} }, execute: () => ++bodies }],
      guards: [() => said],
      approver: {
        request: async () => {
          if (turnsAt === 'ask') said = reason
          return answer as 'allow'
        },
      },
      plugins: [{ name: 'p', preExecute: () => ({ kind: 'ask' }) }],
    })
    const result = await runtime.execute({ name: 'tool' })
    const runs = answer === 'allow' && turnsAt === 'never'
    expect(bodies).toBe(runs ? 1 : 0)
    expect(codeOf(result)).toBe(runs ? undefined : answer === 'deny' ? 'APPROVAL_REJECTED' : 'DENIED')
    if (turnsAt === 'ask' && answer === 'allow') witness()
  },
)

const allPost = fc.array(fc.constantFrom(...postActs), { minLength: 1, maxLength: 3 })

property(
  'GRD-5: a denial is never turned into a success by any later stage; isError, code and reason stay',
  fc.tuple(world({ calls: fc.array(plainCall, { minLength: 1, maxLength: 3 }), guards: withDenial, abort }), allPost),
  async ([made, posts], witness) => {
    const plugins = posts.map((post) => ({ minds: 255, waits: false, post, execute: 'answer' as const }))
    const history = await play({ ...made, plugins: [...plugins, ...made.plugins] })
    for (const [n, result] of history.results.entries()) {
      const denial = of(history, n, 'guard').find(({ detail }) => detail !== 'abstain')
      if (denial === undefined) continue
      expect(codeOf(result)).toBe('DENIED')
      if (!result.isError) continue
      const reason =
        denial.detail === 'deny' ? 'not today' : denial.detail === 'empty' ? 'it gave no reason' : undefined
      if (reason !== undefined) expect(result.error.details).toMatchObject({ reason })
      expect(typeof result.error.details?.reason).toBe('string')
      expect(result.error.stage).toBe('guards')
      expect(bare(result)).not.toHaveProperty('value')
      witness()
    }
  },
)
