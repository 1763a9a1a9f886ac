import * as fc from 'fast-check'
import { expect } from 'vitest'
import { createToolRuntime, errorCodes, type JournalEntry, memoryJournal, type ToolResult } from '../src/index.ts'
import { ownCodes, picks, world } from './support/arbitraries.ts'
import { observer } from './support/cast.ts'
import { Clockwork } from './support/clockwork.ts'
import { thenable } from './support/hostile.ts'
import { count, resultsByNumber } from './support/observe.ts'
import { explored, fakeTime, property } from './support/property.ts'
import { anonymous, expectDeepFrozen } from './support/results.ts'
import { play } from './support/rig.ts'
import { observerActs, type PluginSpec } from './support/world.ts'

fakeTime()

const rule = explored(world())

const numberIn = (args: unknown): number => Number((args as { n: number }).n)

rule('RES-1: every call handed in gets exactly one result, whatever happens to it', (history, witness) => {
  const made = history.world
  expect(history.results.map(({ callId }) => callId)).toEqual(made.calls.map((_, n) => `c${n}`))
  expect(new Set(history.results.map(({ executionId }) => executionId)).size).toBe(made.calls.length)
  for (const [n] of made.calls.entries()) expect(count(history, n, 'onResult')).toBe(1)
  const told = history.events.filter(({ kind }) => kind === 'onResult').map(({ detail }) => detail as ToolResult)
  expect(new Set(told.map(({ executionId }) => executionId)).size).toBe(told.length)
  if (history.results.some(({ isError }) => isError)) witness()
})

property(
  'RES-2: results come in the order of the calls, one for each position, also when ids repeat',
  fc.record({
    ids: fc.array(fc.constantFrom('a', 'b', '', undefined, 'call-1', '__proto__'), { minLength: 1, maxLength: 8 }),
    safe: fc.nat(255),
    cap: fc.integer({ min: 1, max: 8 }),
    picks,
  }),
  async ({ ids, safe, cap, picks }, witness) => {
    const clock = new Clockwork(picks)
    const runtime = createToolRuntime({
      maxParallelToolCalls: cap,
      tools: [
        {
          name: 'echo',
          description: '',
          parameters: {},
          output: { schema: {} },
          isConcurrencySafe: (args) => ((safe >> numberIn(args)) & 1) === 1,
          execute: (args) => clock.wait(`${numberIn(args)}`).then(() => numberIn(args)),
        },
      ],
    })
    let results: readonly ToolResult[] | undefined
    const calls = ids.map((id, n) => ({ ...(id !== undefined && { id }), name: 'echo', arguments: { n } }))
    void runtime.dispatch(calls).then((settled) => {
      results = settled
    })
    await clock.drive(() => results !== undefined)
    expect(results?.map((result) => (result.isError ? 'error' : result.value))).toEqual(ids.map((_, n) => n))
    expect(new Set(results?.map(({ callId }) => callId)).size).toBe(ids.length)
    for (const [n, id] of ids.entries())
      if (id !== undefined && id !== '' && ids.indexOf(id) === n) expect(results?.[n]?.callId).toBe(id)
    if (new Set(ids).size < ids.length && cap > 1) witness()
  },
)

rule(
  'RES-3: dispatch never rejects because of a tool, plugin, guard, approver, renderer, observer or journal',
  (history, witness) => {
    const made = history.world
    const { results } = history
    expect(results).toHaveLength(made.calls.length)
    if (made.plugins.length > 0) witness()
  },
)

const wrongCalls: readonly unknown[] = [
  undefined,
  null,
  'calls',
  {},
  [null],
  [undefined],
  ['call'],
  [{ name: 'echo' }, 1],
]
const wrongSignals: readonly unknown[] = [null, {}, 'signal', { aborted: false }, thenable(() => {})]

property(
  'RES-3: only a programming error of the caller throws, before any call was journalled',
  fc.record({
    calls: fc.constantFrom(...wrongCalls, [{ name: 'echo' }]),
    signal: fc.constantFrom(...wrongSignals, undefined),
    isClosed: fc.boolean(),
    door: fc.constantFrom('dispatch', 'stream', 'execute'),
  }),
  async ({ calls, signal, isClosed, door }, witness) => {
    const entries: unknown[] = []
    const runtime = createToolRuntime({ journal: { append: (entry) => void entries.push(entry) } })
    if (isClosed) await runtime.close()
    const how = { signal } as { signal?: AbortSignal }
    const call = (Array.isArray(calls) ? calls[0] : calls) as never
    const run = async (): Promise<unknown> => {
      if (door === 'dispatch') return runtime.dispatch(calls as never, how)
      if (door === 'execute') return runtime.execute(call, how)
      const events: unknown[] = []
      for await (const event of runtime.stream(calls as never, how)) events.push(event)
      return events
    }
    let got = 'pending'
    run().then(
      () => {
        got = 'settled'
      },
      () => {
        got = 'rejected'
      },
    )
    await new Clockwork([]).quiet()
    const isFine =
      typeof call === 'object' && call !== null && (door === 'execute' || (calls as unknown[]).length === 1)
    const isWrong = isClosed || signal !== undefined || !(Array.isArray(calls) || door === 'execute') || !isFine
    expect(got).toBe(isWrong ? 'rejected' : 'settled')
    if (isWrong) expect(entries).toEqual([])
    if (isWrong) witness()
  },
)

rule(
  'RES-4: a success has a value and no error, a failure a known code, a message and no value',
  (history, witness) => {
    for (const result of [...history.results, ...resultsByNumber(history).values()]) {
      expect(Object.hasOwn(result, 'value')).toBe(!result.isError)
      expect(Object.hasOwn(result, 'error')).toBe(result.isError)
      if (!result.isError) continue
      witness()
      expect([...Object.keys(errorCodes), ...ownCodes]).toContain(result.error.code)
      expect(result.error.message.trim()).not.toBe('')
      expect(['none', 'possible']).toContain(result.error.sideEffects)
    }
  },
)

rule(
  'RES-5: a result is deep-frozen and equals its own JSON round trip; observers saw the object that the caller got',
  (history, witness) => {
    const seen = resultsByNumber(history)
    for (const [n, result] of history.results.entries()) {
      expectDeepFrozen(result)
      expect(JSON.parse(JSON.stringify(result))).toEqual(result)
      expect(seen.get(n)).toBe(result)
      if (result.trace.faults.length + result.trace.decisions.length > 0) witness()
    }
  },
)

const withoutObservers = ({ onCall: _, onResult: __, ...plugin }: PluginSpec): PluginSpec => plugin

property(
  'RES-7: a throwing, rejecting or hanging observer changes no outcome, delays no result and starves no other observer',
  fc.tuple(world(), fc.constantFrom(...observerActs), fc.constantFrom(...observerActs)),
  async ([made, onCall, onResult], witness) => {
    const quiet = await play({ ...made, plugins: made.plugins.map(withoutObservers) })
    const loud = await play(made, () => ({
      outside: [{ name: 'loud', onCall: () => observer(onCall) as never, onResult: () => observer(onResult) as never }],
    }))
    expect(loud.results.map(anonymous)).toEqual(quiet.results.map(anonymous))
    expect([loud.turns, loud.elapsed]).toEqual([quiet.turns, quiet.elapsed])
    expect(loud.events.filter(({ kind }) => kind === 'onResult')).toHaveLength(
      quiet.events.filter(({ kind }) => kind === 'onResult').length,
    )
    expect(loud.unhandled).toEqual([])
    if (onCall !== 'fine' || onResult !== 'fine') witness()
  },
)

rule('RES-7: no rejection goes unhandled, whoever rejects', (history, witness) => {
  expect(history.unhandled).toEqual([])
  if (history.results.some(({ isError }) => isError)) witness()
})

rule('RES-9: sideEffects is none exactly if no body of the call was ever invoked', (history, witness) => {
  const shown = history.events.filter(({ kind, n }) => kind === 'onResult' && n >= 0)
  for (const n of new Set(shown.map(({ n }) => n))) {
    // One call, or, when it is nested, one for each run of its parent's body: their bodies are seen together.
    const results = shown.filter((event) => event.n === n).map(({ detail }) => detail as ToolResult)
    const claimed = results.reduce((sum, { trace }) => sum + trace.bodyInvocations, 0)
    expect(claimed, `call ${n}`).toBe(count(history, n, 'body'))
    for (const result of results) {
      if (!result.isError) continue
      expect(result.error.sideEffects, `call ${n}`).toBe(result.trace.bodyInvocations === 0 ? 'none' : 'possible')
      if (result.trace.bodyInvocations > 0) witness()
    }
  }
})

property(
  'RES-3: the journal in memory is a journal like any other',
  fc.tuple(fc.nat(3), fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 5 })),
  async ([keep, sizes], witness) => {
    const journal = memoryJournal({ keep })
    const tool = { name: 'one', description: '', parameters: {}, output: { schema: {} }, execute: () => 1 }
    const runtime = createToolRuntime({ tools: [tool], journal })
    for (const size of sizes) await runtime.dispatch(Array.from({ length: size }, () => ({ name: 'one' })))
    const entries: JournalEntry[] = []
    for await (const entry of journal.entries()) entries.push(entry)
    const kept = sizes.slice(Math.max(0, sizes.length - keep)).slice(keep === 0 ? sizes.length : 0)
    const types = ['tool/call', 'tool/dispatch', 'tool/executed', 'tool/result']
    for (const type of types)
      expect(entries.filter((entry) => entry.type === type)).toHaveLength(kept.reduce((sum, size) => sum + size, 0))
    if (keep > 0) witness()
  },
)
