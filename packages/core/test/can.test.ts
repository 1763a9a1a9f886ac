import * as fc from 'fast-check'
import { expect } from 'vitest'
import type { Outcome, ToolResult } from '../src/index.ts'
import { abort, plainCall, world } from './support/arbitraries.ts'
import { at, count, of, resultsByNumber } from './support/observe.ts'
import { fakeTime, property } from './support/property.ts'
import { codeOf } from './support/results.ts'
import { play, spies } from './support/rig.ts'

fakeTime()

property(
  'CAN-1: already aborted: ABORTED_BEFORE_DISPATCH for every call, no stage of policy, no body',
  world({ abort: fc.constant({ at: 'before' as const }) }),
  async (made, witness) => {
    const history = await play(made, spies)
    const policy = history.events.filter(({ kind }) =>
      ['waterfall', 'pre', 'guard', 'ask', 'execute', 'wrap', 'body'].includes(kind),
    )
    expect(policy).toEqual([])
    const faulty = made.journal?.faults.some(({ type }) => type === 'tool/call') === true
    for (const result of history.results) {
      if (!faulty) expect(codeOf(result)).toBe('ABORTED_BEFORE_DISPATCH')
      expect(result.isError && result.error.sideEffects).toBe('none')
    }
    if (made.plugins.length > 0) witness()
  },
)

property(
  'CAN-2: ABORTED only if a body was invoked; ABORTED_BEFORE_DISPATCH only if none ever was, retries included',
  world({ abort: abort.filter((made) => made !== undefined) }),
  async (made, witness) => {
    const history = await play(made)
    for (const [n, result] of resultsByNumber(history)) {
      const code = codeOf(result)
      if (n < 0 || (code !== 'ABORTED' && code !== 'ABORTED_BEFORE_DISPATCH') || !result.isError) continue
      // A tool's own word is TOOL_ERROR; what is left is the pipeline's.
      expect(code).toBe(result.trace.bodyInvocations > 0 ? 'ABORTED' : 'ABORTED_BEFORE_DISPATCH')
      if (history.nodes[n]?.parent === undefined) expect(result.trace.bodyInvocations).toBe(count(history, n, 'body'))
      if (code === 'ABORTED') witness()
    }
  },
)

property(
  "CAN-3: only a success can be turned into an abort, and exactly if the caller's signal was aborted when its execute stage settled",
  world({
    calls: fc.array(plainCall, { minLength: 1, maxLength: 3 }),
    journal: fc.constant(undefined),
    abort: abort.filter((made) => made !== undefined && made.at !== 'before'),
  }),
  async (made, witness) => {
    const history = await play(made, spies)
    const abortedAt = history.events.findIndex(({ kind }) => kind === 'abort')
    const abortEvent = history.events[abortedAt]
    for (const n of made.calls.keys()) {
      const settledAt = at(history, n, 'settled')
      const folded = of(history, n, 'fold')[0]?.detail as ToolResult | undefined
      if (settledAt === -1 || folded === undefined) continue
      const inner = history.events[settledAt]?.detail as Outcome
      // Both in one turn: which came first for the pipeline can not be told from here, unless the abort was before.
      const isBefore = abortedAt !== -1 && abortedAt < settledAt
      if (!isBefore && abortEvent?.turn === history.events[settledAt]?.turn && abortedAt !== -1) continue
      if (inner.isError) expect(codeOf(folded)).toBe(inner.error.code)
      else if (folded.isError && folded.error.details?.abandoned === true) expect(isBefore).toBe(true)
      else
        expect(codeOf(folded)).toBe(
          isBefore ? (count(history, n, 'body') > 0 ? 'ABORTED' : 'ABORTED_BEFORE_DISPATCH') : undefined,
        )
      if (!inner.isError && isBefore) witness()
    }
  },
  { witnesses: 10 },
)
