import * as fc from 'fast-check'
import type { Pick } from './clockwork.ts'
import { json, refused, throwables } from './hostile.ts'
import {
  type Abort,
  type ApproverSpec,
  answers,
  approverActs,
  type Body,
  type Call,
  contentActs,
  type End,
  entryTypes,
  type GuardSpec,
  guardActs,
  type JournalSpec,
  observerActs,
  type PluginSpec,
  postActs,
  preActs,
  toolNames,
  type World,
  wrapActs,
} from './world.ts'

/** Mostly `usual`, sometimes anything. */
function mostly<T>(usual: T, all: readonly T[], weight = 3): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...all) })
}

export const ownCodes = [
  'NOT_FOUND',
  'DENIED',
  'TOOL_TIMEOUT',
  'ABORTED',
  'ABORTED_BEFORE_DISPATCH',
  'PLUGIN_ERROR',
] as const

const end: fc.Arbitrary<End> = fc.oneof(
  { weight: 6, arbitrary: json.map((value): End => ({ kind: 'value', value })) },
  { weight: 1, arbitrary: fc.nat(refused.length - 1).map((what): End => ({ kind: 'refused', what })) },
  { weight: 1, arbitrary: fc.constant<End>({ kind: 'violation' }) },
  { weight: 2, arbitrary: fc.nat(throwables.length - 1).map((what): End => ({ kind: 'throw', what })) },
  { weight: 1, arbitrary: fc.constantFrom(...ownCodes).map((code): End => ({ kind: 'tool error', code })) },
  { weight: 1, arbitrary: fc.constantFrom(...ownCodes).map((code): End => ({ kind: 'fail', code })) },
  { weight: 1, arbitrary: fc.constant<End>({ kind: 'hang' }) },
)

const body = (depth: number): fc.Arbitrary<Body> =>
  fc.record({
    waits: fc.nat(2),
    async: fc.boolean(),
    hears: fc.boolean(),
    end,
    nested:
      depth === 0
        ? fc.constant([])
        : fc.oneof(
            { weight: 4, arbitrary: fc.constant([]) },
            { weight: 1, arbitrary: fc.array(call(depth - 1), { maxLength: 2 }) },
          ),
    together: fc.boolean(),
  })

export const call = (depth = 1): fc.Arbitrary<Call> =>
  fc.record({
    tool: mostly('plain', toolNames, 6),
    args: mostly('valid', ['valid', 'invalid', 'malformed'] as const, 6),
    text: fc.boolean(),
    safe: mostly('true', answers, 2),
    body: body(depth),
    render: mostly('fine', contentActs),
    finalize: mostly('undefined', contentActs),
  })

const mask = fc.oneof(fc.constant(255), fc.nat(255))
const optionally = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined })

export const plugin: fc.Arbitrary<PluginSpec> = fc.record({
  role: mostly<'retry' | undefined>(undefined, ['retry']),
  minds: mask,
  waits: fc.boolean(),
  pre: optionally(mostly('pass', preActs, 1)),
  execute: optionally(mostly('pass', wrapActs, 1)),
  post: optionally(mostly('accept', postActs, 1)),
  onCall: optionally(fc.constantFrom(...observerActs)),
  onResult: optionally(fc.constantFrom(...observerActs)),
})

export const guard: fc.Arbitrary<GuardSpec> = fc.record({ minds: mask, act: mostly('abstain', guardActs, 2) })

export const approver: fc.Arbitrary<ApproverSpec> = fc.record({
  acts: fc.array(mostly('allow', approverActs, 1), { minLength: 1, maxLength: 3 }),
  waits: fc.boolean(),
})

export const journal: fc.Arbitrary<JournalSpec> = fc.record({
  waits: fc.boolean(),
  faults: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(
        fc.record({
          type: fc.constantFrom(...entryTypes),
          minds: mask,
          how: fc.constantFrom('throw', 'reject', 'hang', 'thenable'),
        }),
        { maxLength: 2 },
      ),
    },
  ),
})

const pick: fc.Arbitrary<Pick> = fc.oneof(
  { weight: 8, arbitrary: fc.nat(7) },
  { weight: 1, arbitrary: fc.constant('time' as const) },
)
export const picks: fc.Arbitrary<readonly Pick[]> = fc.array(pick, { minLength: 1, maxLength: 12 })

export const abort: fc.Arbitrary<Abort | undefined> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constant<Abort>({ at: 'before' }) },
  { weight: 3, arbitrary: fc.nat(12).map((n): Abort => ({ at: 'turn', n })) },
  { weight: 3, arbitrary: fc.nat(60).map((n): Abort => ({ at: 'event', n })) },
)

/** A whole world; `members` replaces the generators of its parts. */
export const world = (members: { [M in keyof World]?: fc.Arbitrary<World[M]> } = {}): fc.Arbitrary<World> =>
  fc.record({
    calls: fc.array(call(), { minLength: 1, maxLength: 4 }),
    plugins: fc.array(plugin, { maxLength: 3 }),
    guards: fc.array(guard, { maxLength: 2 }),
    approver: fc.option(approver, { nil: undefined }),
    journal: fc.option(journal, { nil: undefined }),
    cap: fc.integer({ min: 1, max: 4 }),
    picks,
    abort,
    finishReason: mostly<'length' | undefined>(undefined, ['length'], 6),
    ...members,
  }) as fc.Arbitrary<World>

/** Calls without anything hostile about them, for properties that look at one thing. */
export const plainCall: fc.Arbitrary<Call> = call(0).map((made) => ({
  ...made,
  tool: 'plain',
  args: 'valid',
  render: 'fine',
  finalize: 'undefined',
}))
