import * as fc from 'fast-check'
import { expect } from 'vitest'
import type { JournalEntry } from '../src/index.ts'
import { journal, plainCall, world } from './support/arbitraries.ts'
import { count, type Event, of } from './support/observe.ts'
import { fakeTime, property } from './support/property.ts'
import { codeOf } from './support/results.ts'
import { play, spies } from './support/rig.ts'
import { entryTypes, minds, type World } from './support/world.ts'

fakeTime()

const patient = fc.array(fc.nat(7), { minLength: 1, maxLength: 12 })
const journalled = world({ journal: journal as never })
const isTop = (made: World, { n }: Event): boolean => n >= 0 && n < made.calls.length
const policy = ['waterfall', 'pre', 'guard', 'ask', 'execute', 'wrap', 'body']

property(
  'JRN-1: tool/call of every call of a step is accepted by the journal before any policy or body of that step runs',
  world({ journal: journal as never, picks: patient }), // an entry that is taken after stageTimeoutMs was refused for the pipeline
  async (made, witness) => {
    const { events } = await play(made, spies)
    const first = events.findIndex((event) => policy.includes(event.kind))
    const calls = events.filter((event) => event.kind === 'tool/call' && isTop(made, event))
    expect(calls.map(({ n }) => n)).toEqual([...made.calls.keys()])
    const accepted = events
      .map((event, place) => [event, place] as const)
      .filter(([event]) => event.kind === 'taken' && event.by === 'tool/call' && isTop(made, event))
    for (const [, place] of accepted) if (first !== -1) expect(place).toBeLessThan(first)
    const faulty = made.journal?.faults.filter(({ type }) => type === 'tool/call') ?? []
    const failed = [...made.calls.keys()].filter((n) => faulty.some((fault) => minds(fault, n)))
    if (first !== -1 && made.journal?.waits !== true) expect(accepted).toHaveLength(made.calls.length - failed.length)
    if (first !== -1 && made.calls.length > 1 && made.journal?.waits === true) witness()
  },
)

property(
  'JRN-1: if an append before the body fails, the body does not run and the result is JOURNAL_ERROR',
  world({
    journal: fc.record({
      waits: fc.boolean(),
      faults: fc.tuple(
        fc.record({
          type: fc.constantFrom('tool/call', 'tool/dispatch', 'tool/rewritten'),
          minds: fc.integer({ min: 1, max: 255 }),
          how: fc.constantFrom('throw', 'reject', 'hang', 'thenable'),
        }),
      ),
    }) as never,
    abort: fc.constant(undefined),
  }),
  async (made, witness) => {
    const history = await play(made)
    const [fault] = made.journal?.faults ?? []
    if (fault === undefined) return
    for (const [n, result] of history.results.entries()) {
      if (!minds(fault, n) || count(history, n, fault.type) === 0) continue
      expect(count(history, n, 'body')).toBe(0)
      if (fault.type === 'tool/call') {
        expect(codeOf(result)).toBe(
          history.events.some(({ kind }) => kind === 'abort') ? codeOf(result) : 'JOURNAL_ERROR',
        )
        expect(count(history, n, ...(['pre', 'guard', 'ask', 'wrap'] as const))).toBe(0)
        expect(result.isError).toBe(true)
      } else if (
        made.plugins.every(
          ({ execute, post }) => execute === undefined && (post === undefined || post === 'next' || post === 'accept'),
        )
      )
        expect(codeOf(result)).toBe('JOURNAL_ERROR')
      witness()
    }
  },
)

property(
  'JRN-1: if a later append fails, the outcome stands and the fault is recorded',
  fc.tuple(
    world({
      calls: fc.array(plainCall, { minLength: 1, maxLength: 3 }),
      plugins: fc.constant([]),
      abort: fc.constant(undefined),
      picks: fc.constant([0]),
    }),
    fc.record({
      type: fc.constantFrom('tool/executed', 'tool/result'),
      minds: fc.integer({ min: 1, max: 255 }),
      how: fc.constantFrom('throw', 'reject', 'hang', 'thenable'),
    }),
    fc.boolean(),
  ),
  async ([made, fault, waits], witness) => {
    const quiet = await play({ ...made, journal: { waits, faults: [] } })
    const faulty = await play({ ...made, journal: { waits, faults: [fault as never] } })
    for (const [n, result] of faulty.results.entries()) {
      const before = quiet.results[n]
      expect([result.isError, codeOf(result)]).toEqual([before?.isError, codeOf(before)])
      expect(result.content).toEqual(before?.content)
      expect(before?.trace.faults.filter(({ message }) => message.includes('journal'))).toEqual([])
      const isHit = minds(fault, n) && count(faulty, n, fault.type as (typeof entryTypes)[number]) > 0
      const told = result.trace.faults.filter(({ message }) => message.includes(fault.type))
      if (isHit && result.trace.abandoned === undefined) expect(told.length).toBeGreaterThan(0)
      else if (!isHit) expect(told).toEqual([])
      if (isHit) witness()
    }
  },
)

property(
  'JRN-2: every body invocation has its tool/dispatch before it, with its number',
  journalled,
  async (made, witness) => {
    const history = await play(made)
    for (const n of made.calls.keys()) {
      const seen = of(history, n, 'tool/dispatch', 'body')
      const bodies = seen.filter(({ kind }) => kind === 'body').length
      let dispatched = 0
      let entered = 0
      for (const { kind, detail } of seen) {
        if (kind === 'tool/dispatch') expect((detail as { attempt: number }).attempt).toBe(entered + 1)
        if (kind === 'tool/dispatch') dispatched++
        else expect(++entered).toBeLessThanOrEqual(dispatched)
      }
      if (bodies > 0) witness()
    }
  },
)

property(
  'JRN-2: what a body came to is recorded as soon as it settles, also while it waits to be published in order',
  world({
    calls: fc.array(
      plainCall.map((call) => ({ ...call, safe: 'true' as const })),
      { minLength: 2, maxLength: 4 },
    ),
    plugins: fc.constant([]),
    guards: fc.constant([]),
    journal: fc.constant({ waits: false, faults: [] }),
    abort: fc.constant(undefined),
    cap: fc.constant(4),
  }),
  async (made, witness) => {
    const history = await play(made)
    for (const n of made.calls.keys()) {
      const end = of(history, n, 'body end')[0]
      const executed = of(history, n, 'tool/executed')[0]
      const result = of(history, n, 'tool/result')[0]
      if (end === undefined || executed === undefined || result === undefined) continue
      if (made.calls[n]?.body.end.kind !== 'hang') expect(executed.turn).toBe(end.turn)
      const [entry, final] = [executed.detail as JournalEntry, result.detail as JournalEntry]
      if (entry.type !== 'tool/executed' || final.type !== 'tool/result') throw new Error('not what was asked for')
      expect(entry.outcome.isError).toBe(final.result.isError)
      if (!entry.outcome.isError && !final.result.isError) expect(entry.outcome.value).toEqual(final.result.value)
      if (result.turn > executed.turn) witness()
    }
  },
)

property(
  'JRN-2: the entries of a call are complete, in order, plain JSON, and the last is the very result',
  journalled,
  async (made, witness) => {
    const history = await play(made)
    for (const [n, result] of history.results.entries()) {
      const entries = of(history, n, ...entryTypes).map(({ detail }) => detail as JournalEntry)
      const kinds = entries.map(({ type }) => type.slice('tool/'.length))
      expect(kinds.join(' ')).toMatch(
        /^call( rewritten)?( dispatch( executed)?)*( late)?( executed)* result( late| executed)?$/,
      )
      for (const entry of entries) {
        expect(JSON.parse(JSON.stringify(entry))).toEqual(entry)
        expect([entry.executionId, entry.index, entry.callId]).toEqual([result.executionId, n, `c${n}`])
      }
      const last = entries.find(({ type }) => type === 'tool/result')
      const isTaken = !result.trace.faults.some(({ message }) => message.includes('tool/result'))
      if (isTaken && last?.type === 'tool/result') expect(last.result).toBe(result)
      if (entries.length > 3) witness()
    }
  },
)
