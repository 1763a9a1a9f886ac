import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AnyTool } from '../../src/index.ts'
import { wordsOf } from '../support/results.ts'
import { errorOf, runtimeOf, statusOf, toolOf } from './bench.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Ends by itself only, after `ms`. */
function deaf(name: string, ms: number, isSafe: boolean): AnyTool {
  const body = (): Promise<string> => new Promise((resolve) => setTimeout(resolve, ms, `${name} is done`))
  return { ...toolOf(body, name), isConcurrencySafe: () => isSafe }
}

test('P1: an abort leaves one result for each call, soon, although a body ignores its signal', async () => {
  const bodies = [deaf('fast', 5, true), deaf('slow', 5_000, true), deaf('never_started_exclusive', 5, false)]
  const { runtime, entries, warnings } = runtimeOf(bodies, { abortGraceMs: 200 })
  const controller = new AbortController()
  const begun = Date.now()
  let took = Number.POSITIVE_INFINITY
  const step = runtime.dispatch(
    [
      { id: 'c1', name: 'fast', arguments: {} },
      { id: 'c2', name: 'slow', arguments: {} },
      { id: 'c3', name: 'never_started_exclusive', arguments: {} },
    ],
    { signal: controller.signal },
  )
  void step.then(() => {
    took = Date.now() - begun
  })
  await vi.advanceTimersByTimeAsync(50)
  controller.abort()
  await vi.advanceTimersByTimeAsync(450)
  expect(took).toBeLessThanOrEqual(500)

  const results = await step
  expect(results.map(({ callId }) => callId)).toEqual(['c1', 'c2', 'c3'])
  expect(results.map(statusOf)).toEqual(['ok', 'ABORTED', 'ABORTED_BEFORE_DISPATCH'])
  expect(results.map(({ trace }) => trace.abandoned)).toEqual([undefined, true, undefined])
  expect(errorOf(results[1])).toMatchObject({ sideEffects: 'possible', details: { abandoned: true } })
  expect(errorOf(results[2])).toMatchObject({ sideEffects: 'none' })
  expect(results[2]?.trace.bodyInvocations).toBe(0)
  const closed = entries.flatMap((entry) => (entry.type === 'tool/result' ? [entry.callId] : []))
  expect(closed).toEqual(['c1', 'c2', 'c3'])

  // The body's end comes late: it is written down and told once, and there is still one result.
  await vi.advanceTimersByTimeAsync(5_000)
  expect(entries.at(-1)).toMatchObject({ type: 'tool/late', callId: 'c2' })
  expect(warnings).toHaveLength(1)
  expect(entries.filter(({ type }) => type === 'tool/result')).toHaveLength(3)
})

test('P4: every name that no tool has gets its own result, also a name that objects inherit', async () => {
  const { runtime } = runtimeOf(toolOf(() => 'read', 'read'))
  const names = ['read', 'raed', 'constructor', '__proto__', 'toString', '']
  const ids = ['a', 'b', 'c', 'd', 'e', 'f']
  const results = await runtime.dispatch(names.map((name, at) => ({ id: ids[at], name, arguments: {} })))

  expect(results.map(({ callId }) => callId)).toEqual(ids)
  expect(results.map(statusOf)).toEqual(['ok', ...new Array(5).fill('UNKNOWN_TOOL')])
  for (const [at, result] of results.entries()) if (at > 0) expect(wordsOf(result)).toContain(`"${names[at]}"`)
  expect(errorOf(results[1]).details).toEqual({ suggestion: 'read' })
  expect(wordsOf(results[1]!)).toContain('Did you mean "read"?')
})
