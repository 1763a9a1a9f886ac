import { channel } from 'node:diagnostics_channel'
import * as fc from 'fast-check'
import { afterAll, expect } from 'vitest'
import type { StageMessage, ToolResult } from '../src/index.ts'
import { plugin, world } from './support/arbitraries.ts'
import { at, count, type History, type Kind, of } from './support/observe.ts'
import { fakeTime, property } from './support/property.ts'
import { bare, codeOf, rendered, textsOf, wordsOf } from './support/results.ts'
import { play, spies } from './support/rig.ts'
import { isAdmissible, minds, type World } from './support/world.ts'

fakeTime()

/** What stands for what in the order of a call: letters as in the rule's sentence. */
const letters: { readonly [K in Kind]?: string } = {
  'tool/call': 'c',
  waterfall: 'p',
  'tool/rewritten': 'w',
  guard: 'g',
  ask: 'k',
  execute: 'e',
  'tool/dispatch': 'd',
  body: 'b',
  'tool/executed': 'v',
  render: 'j',
  fold: 'o',
  finalize: 'f',
  'tool/result': 'r',
  onResult: 't',
}

/**
 * call, waterfall (once more after a rewrite), guards, question, guards again, execute stage, body, projection (once more where a
 * post-execute layer replaced the value), post-execute, finalization, result.
 */
const order = /^c(p(wp?)?)?(g(kg?)?)?(e(db?v?|g)*)?j?(oj*)?f?rt$/

function orderOf(history: History, n: number): string {
  const words = of(history, n).filter(({ kind, by }) => kind !== 'guard' || by === 'g0')
  return words.map(({ kind }) => letters[kind] ?? '').join('')
}

const oneGuard = fc.constant([{ minds: 0, act: 'abstain' as const }])
const plainJournal = fc.record({ waits: fc.boolean(), faults: fc.constant([]) })

property(
  'STG-1: the observed order of every call is call, admit, pre, guards, ask, guards, execute, project, post, finalize, result',
  world({ guards: oneGuard, journal: plainJournal, plugins: fc.array(plugin, { maxLength: 2 }) }),
  async (made, witness) => {
    const history = await play(made, spies)
    for (const [n, result] of history.results.entries()) {
      // A run that was given up on may be noted late; until the result the order is the same.
      const seen = orderOf(history, n)
      const untilResult = seen.slice(0, seen.indexOf('t') + 1)
      expect(untilResult).toMatch(order)
      expect(seen.slice(untilResult.length)).toMatch(/^$/)
      if (!result.isError && untilResult.includes('b')) witness()
    }
  },
)

const stages: Map<string, string[]> = new Map()
const listen = (message: unknown): void => {
  const { executionId, stage } = message as StageMessage
  stages.set(executionId, [...(stages.get(executionId) ?? []), stage])
}
const traced = [
  'admit',
  'tools/pre-execute',
  'guards',
  'ask',
  'tools/execute',
  'execute',
  'projectContent',
  'tools/post-execute',
  'finalizeContent',
  'tools/result',
] as const
const stageStarts = channel('tracing:pawl:stage:start')

property(
  'STG-1: the diagnostics channel tells the stages in the same order',
  world({ journal: plainJournal }),
  async (made, witness) => {
    stages.clear()
    stageStarts.subscribe(listen)
    const history = await play(made)
    stageStarts.unsubscribe(listen)
    for (const { executionId } of history.results) {
      const seen = (stages.get(executionId) ?? []).map((stage) => traced.indexOf(stage as (typeof traced)[number]))
      // a: admit p: pre g: guards k: ask e: execute stage b: body j: project o: post f: finalize r: result
      const word = seen.map((index) => 'apgkebjofr'[index]).join('')
      expect(word.slice(0, word.indexOf('r') + 1)).toMatch(/^(ap?g?(kg?)?(e(b|g)*)?)?j(oj*)?f?r$/)
      if (word.includes('b')) witness()
    }
  },
)

afterAll(() => {
  stageStarts.unsubscribe(listen)
})

property(
  'STG-2: an unknown tool or invalid arguments reach no policy, no person and no body',
  world({ abort: fc.constant(undefined) }),
  async (made, witness) => {
    const history = await play(made, spies)
    for (const node of history.nodes) {
      if (isAdmissible(made, node)) continue
      expect(count(history, node.n, 'waterfall', 'pre', 'guard', 'ask', 'execute', 'body')).toBe(0)
      if (node.parent !== undefined) continue
      const call = node.call
      const expected = call.tool === 'plain' || call.tool === 'bare' ? 'INVALID_ARGS' : 'UNKNOWN_TOOL'
      const code = codeOf(history.results[node.n])
      expect([expected, 'JOURNAL_ERROR', 'ABORTED_BEFORE_DISPATCH']).toContain(code)
      if (code === expected) witness()
    }
  },
)

const refusals = ['DENIED', 'INVALID_ARGS', 'APPROVAL_REJECTED', 'APPROVAL_UNAVAILABLE', 'ABORTED_BEFORE_DISPATCH']

property(
  'STG-3: a denied, blocked-before-start or invalid call never runs a body, and still passes projection and finalization',
  world(),
  async (made, witness) => {
    const history = await play(made)
    for (const [n, call] of made.calls.entries()) {
      const code = codeOf(history.results[n])
      const first = of(history, n, 'guard').find(({ detail }) => detail !== 'abstain')
      const isRefused = refusals.includes(String(code)) && count(history, n, 'body') === 0
      if (!isRefused && first === undefined) continue
      expect(count(history, n, 'body')).toBe(0)
      expect(history.results[n]?.content.length).toBeGreaterThan(0)
      if (call.tool !== 'plain') continue
      expect(count(history, n, 'finalize')).toBe(1)
      if (code === 'DENIED') witness()
    }
  },
)

property(
  'STG-4: finalizeContent runs exactly once for every outcome of a known tool and can change content only',
  world({ plugins: fc.array(plugin, { maxLength: 2 }) }),
  async (made, witness) => {
    const history = await play(made)
    const without: World = { ...made, calls: made.calls.map((call) => ({ ...call, finalize: 'undefined' })) }
    const plain = await play(without)
    for (const [n, call] of made.calls.entries()) {
      const [result, other] = [history.results[n] as ToolResult, plain.results[n] as ToolResult]
      expect(count(history, n, 'finalize')).toBe(call.tool === 'plain' ? 1 : 0)
      for (const { detail } of of(history, n, 'finalize')) expect(Object.isFrozen(detail)).toBe(true)
      const { content, ...rest } = bare(result) as { content: unknown }
      const { content: before, ...otherRest } = bare(other) as { content: unknown }
      expect(rest).toEqual(otherRest)
      const isBroken = call.tool === 'plain' && ['throw', 'garbage', 'promise'].includes(call.finalize)
      expect(result.trace.faults.some(({ stage }) => stage === 'finalizeContent')).toBe(isBroken)
      if (call.tool === 'plain' && call.finalize === 'fine') expect(wordsOf(result)).toBe(`rendered ${n}`)
      if (!isBroken) continue
      witness()
      if (made.plugins.some(({ post }) => post !== undefined)) continue // what a layer put in place stays
      const byDefault = result.isError ? `${result.error.code}: ${result.error.message}` : rendered(result.value)
      expect(wordsOf(result)).toBe(byDefault)
      expect(before).toBeDefined()
      expect(content).toBeDefined()
    }
  },
)

const secret = 'hunter2-is-the-secret'

property(
  'STG-5: a post-execute stage that throws turns a success into PLUGIN_ERROR and withholds it; a failure keeps its code',
  world({
    calls: world().map(({ calls }) =>
      calls.map((call) => ({
        ...call,
        tool: 'plain' as const,
        args: 'valid' as const,
        finalize: 'undefined' as const,
        body:
          call.body.end.kind === 'value' ? { ...call.body, end: { kind: 'value' as const, value: secret } } : call.body,
        render: 'throw' as const, // the default rendering shows the secret
      })),
    ),
    picks: fc.array(fc.nat(7), { minLength: 1, maxLength: 12 }), // no timer fires early, so that both runs take the same way
    plugins: fc
      .tuple(plugin, fc.constantFrom('throw', 'reject', 'hang', 'garbage', 'both', 'bad content', 'block'))
      .map(([outer, post]) => [
        { ...outer, post: undefined, execute: outer.execute === 'replace' ? 'pass' : outer.execute },
        { minds: 85, waits: outer.waits, post },
      ]) as never,
  }),
  async (made, witness) => {
    const history = await play(made)
    const quiet = await play({
      ...made,
      plugins: made.plugins.map((spec, index) => (index === 1 ? { ...spec, minds: 0 } : spec)),
    })
    const act = made.plugins[1]?.post
    // An abort comes at another moment where other things happen; the two runs are then not to be compared.
    const isCalm = [history, quiet].every(({ events }) => events.every(({ kind }) => kind !== 'abort'))
    for (const n of made.calls.keys()) {
      const [result, before] = [history.results[n] as ToolResult, quiet.results[n] as ToolResult]
      if (!minds({ minds: 85 }, n) || count(history, n, 'post') === 0) continue
      if (!isCalm && codeOf(result) !== codeOf(before) && !['PLUGIN_ERROR', 'BLOCKED'].includes(String(codeOf(result))))
        continue
      expect(result.isError).toBe(true)
      if (!result.isError) continue
      if (!before.isError) {
        expect(result.error.code).toBe(act === 'block' ? 'BLOCKED' : 'PLUGIN_ERROR')
        if (act !== 'block') expect(result.error.details).toEqual({ plugin: 'p1', stage: 'tools/post-execute' })
        expect(result.error.sideEffects).toBe(count(history, n, 'body') === 0 ? 'none' : 'possible')
        expect(textsOf([result.content, result.error.message, result.context ?? []]).join('\n')).not.toContain(secret)
        witness()
      } else if (isCalm) expect(result.error.code).toBe(before.error.code)
      if (act !== 'block' && !(before.isError && act === 'both'))
        expect(result.trace.faults.some(({ plugin, stage }) => plugin === 'p1' && stage === 'tools/post-execute')).toBe(
          true,
        )
    }
  },
)

property(
  'STG-5: on a failure that is already there, neither a throw nor a block changes code, stage or side effects',
  world({ abort: fc.constant(undefined) }),
  async (made, witness) => {
    const history = await play(made, spies)
    for (const [n, result] of history.results.entries()) {
      const folded = of(history, n, 'fold')[0]
      const inner = folded?.detail as ToolResult | undefined
      if (inner?.isError !== true) continue
      expect(result.isError).toBe(true)
      if (!result.isError) continue
      expect([result.error.code, result.error.stage]).toEqual([inner.error.code, inner.error.stage])
      if (made.plugins.some(({ post }) => post === 'throw' || post === 'block')) witness()
      expect(at(history, n, 'fold')).toBeLessThan(at(history, n, 'onResult'))
    }
  },
)
