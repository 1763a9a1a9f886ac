import { getEventListeners } from 'node:events'
import { type Plugin, ToolError } from '@pawl/core'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Body, failureOf, gist, numRuns, obedient, pass, slow, toolOf, worldOf } from '../test/world.ts'
import { timeout } from './index.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe("TMO-3: caller first, or an enclosing deadline first: never this one's TOOL_TIMEOUT", () => {
  /** Notes what comes out of the layer inside it. */
  const noting = (codes: string[]): Plugin => ({
    name: 'noting',
    async execute(_exec, next) {
      const outcome = await next()
      codes.push(outcome.isError ? outcome.error.code : 'ok')
      return outcome
    },
  })

  test('the caller on the same tick, before: not a timeout', async () => {
    const caller = new AbortController()
    setTimeout(() => caller.abort(), 20)
    const result = worldOf(toolOf(slow(30)), [timeout({ defaultMs: 20 })]).run(caller.signal)
    await pass(30)
    expect(gist(await result)).toEqual({ code: 'ABORTED', abandoned: false })
  })

  test('the caller on the same tick, after: a timeout', async () => {
    const caller = new AbortController()
    const result = worldOf(toolOf(slow(30)), [timeout({ defaultMs: 20 })]).run(caller.signal)
    setTimeout(() => caller.abort(), 20)
    await pass(30)
    expect(gist(await result)).toEqual({ code: 'TOOL_TIMEOUT', ms: 20, abandoned: false })
  })

  test('the caller aborts with what looks like our reason, or in the very deadline of another instance', async () => {
    const caller = new AbortController()
    setTimeout(() => caller.abort(new DOMException('work has used up its 20 ms', 'TimeoutError')), 10)
    const result = worldOf(toolOf(obedient), [timeout({ defaultMs: 20 })]).run(caller.signal)
    await pass(20)
    expect(gist(await result).code).toBe('TOOL_ERROR')
  })

  test.each<[string, Body]>([
    ['obedient', obedient],
    ['slow', slow(30)],
  ])('an enclosing deadline of the same length is the first (%s body)', async (_, body) => {
    const codes: string[] = []
    const outer = { ...timeout({ defaultMs: 20 }), name: 'outer' }
    const result = worldOf(toolOf(body), [outer, noting(codes), timeout({ defaultMs: 20 })]).run()
    await pass(30)
    expect(gist(await result)).toEqual({ code: 'TOOL_TIMEOUT', ms: 20, abandoned: false })
    expect(codes).toEqual([body === obedient ? 'TOOL_ERROR' : 'ok'])
  })

  test("a tool that fails with another deadline's code fails with an error of its own", async () => {
    const body: Body = () => {
      throw new ToolError('TOOL_TIMEOUT', 'mine', { details: { timeoutMs: 20 } })
    }
    const result = worldOf(toolOf(body), [timeout({ defaultMs: 20 })]).run()
    expect(await failureOf(result)).toMatchObject({ code: 'TOOL_ERROR', details: { code: 'TOOL_TIMEOUT' } })
  })

  test.each([
    { parent: 20, child: 500, childsCode: 'TOOL_ERROR', parents: { code: 'TOOL_TIMEOUT', ms: 20 } },
    { parent: 500, child: 20, childsCode: 'TOOL_TIMEOUT', parents: { code: 'TOOL_ERROR', ms: 20 } },
  ])('nested calls, $parent ms around $child ms', async ({ parent, child, childsCode, parents }) => {
    const codes: string[] = []
    const outer = toolOf((exec) => exec.invoke('child', {}), { name: 'parent' })
    const plugins = [noting(codes), timeout({ tools: { parent, child } })]
    const result = worldOf([outer, toolOf(obedient, { name: 'child' })], plugins).run()
    await pass(500)
    expect(gist(await result)).toMatchObject(parents)
    expect(codes[0]).toBe(childsCode)
  })

  test.each([
    { outerMs: 20, innerMs: 500, inners: 'TOOL_ERROR', outers: { code: 'TOOL_TIMEOUT', ms: 20 } },
    { outerMs: 500, innerMs: 20, inners: 'TOOL_TIMEOUT', outers: { code: 'ok' } },
  ])(
    'a runtime inside a body, $outerMs ms around $innerMs ms, one instance for both',
    async ({ outerMs, innerMs, inners, outers }) => {
      const plugin = timeout({ tools: { outer: outerMs, inner: innerMs } })
      const inner = worldOf(toolOf(obedient, { name: 'inner' }), [plugin])
      const outer = worldOf(
        toolOf(async ({ signal }) => gist(await inner.run(signal)).code, { name: 'outer' }),
        [plugin],
      )
      const result = outer.run()
      await pass(500)
      expect(gist(await result)).toMatchObject(outers)
      const said = inner.entries.find((entry) => entry.type === 'tool/result')
      expect(said).toMatchObject({ result: { error: { code: inners } } })
    },
  )
})

/** What one call goes through: who would end it when, ms from its start. */
interface Plan {
  readonly body: { readonly endsAt: number; readonly deaf: boolean; readonly cleanUp: number; readonly throws: boolean }
  readonly inner: { readonly ms: number; readonly grace: number }
  readonly outer: { readonly ms: number; readonly grace: number } | undefined
  readonly callerAt: number | undefined
}

const ms = fc.integer({ min: 1, max: 200 })
const plans: fc.Arbitrary<Plan> = fc.record({
  body: fc.record({ endsAt: ms, deaf: fc.boolean(), cleanUp: ms, throws: fc.boolean() }),
  inner: fc.record({ ms, grace: ms }),
  outer: fc.option(fc.record({ ms, grace: ms }), { nil: undefined }),
  callerAt: fc.option(ms, { nil: undefined }),
})

/** The moments of which two at once would leave the order open. Those have tests of their own above. */
function hasTies({ body, inner, outer, callerAt = -1 }: Plan): boolean {
  const causes = [inner.ms, outer?.ms ?? -2, callerAt]
  const moments = [
    ...causes,
    ...causes.map((at) => at + body.cleanUp),
    body.endsAt,
    inner.ms + inner.grace,
    (outer?.ms ?? -3) + (outer?.grace ?? 0),
  ]
  return new Set(moments).size < moments.length
}

/** What has to come of it, by arithmetic alone. */
function expected({ body, inner, outer, callerAt = Infinity }: Plan): {
  code: string
  ms?: number
  abandoned: boolean
  at: number
} {
  const bodyEnd = (abortAt: number): number =>
    body.deaf || abortAt > body.endsAt ? body.endsAt : Math.min(body.endsAt, abortAt + body.cleanUp)
  const natural = body.throws ? 'MINE' : 'ok'
  const within = (abortAt: number) => {
    const end = bodyEnd(Math.min(abortAt, inner.ms))
    if (inner.ms > abortAt || inner.ms > bodyEnd(abortAt))
      return { code: natural, abandoned: false, at: bodyEnd(abortAt), end: bodyEnd(abortAt) }
    const at = Math.min(end, inner.ms + inner.grace)
    return { code: 'TOOL_TIMEOUT', ms: inner.ms, abandoned: at < end, at, end }
  }
  let got = within(callerAt)
  if (outer !== undefined && outer.ms < Math.min(got.at, callerAt)) {
    const inside = within(outer.ms)
    const at = Math.min(inside.at, outer.ms + outer.grace)
    got = { code: 'TOOL_TIMEOUT', ms: outer.ms, abandoned: inside.end > at, at, end: inside.end }
  }
  const { end: _, ...said } = got
  return said.code === 'ok' && callerAt < said.at ? { ...said, code: 'ABORTED' } : said
}

test('TMO-2, TMO-3, TMO-5, CAN-6: whoever is first of body, caller, this deadline and an enclosing one decides, and nothing is left', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      fc.pre(!hasTies(plan))
      let running = false
      const body: Body = ({ signal }) =>
        new Promise((resolve, reject) => {
          running = true
          const end = (): void => {
            running = false
            clearTimeout(timer)
            plan.body.throws ? reject(new ToolError('MINE', 'mine')) : resolve('done')
          }
          const timer = setTimeout(end, plan.body.endsAt)
          if (plan.body.deaf) return
          signal.addEventListener('abort', () => running && setTimeout(() => running && end(), plan.body.cleanUp), {
            once: true,
          })
        })
      const inner = timeout({ defaultMs: plan.inner.ms, graceMs: plan.inner.grace })
      const outer = plan.outer && { ...timeout({ defaultMs: plan.outer.ms, graceMs: plan.outer.grace }), name: 'outer' }
      const { run, entries, warnings } = worldOf(toolOf(body), outer === undefined ? [inner] : [outer, inner])
      const caller = new AbortController()
      if (plan.callerAt !== undefined) setTimeout(() => caller.abort(), plan.callerAt)

      const start = Date.now()
      const settled = run(caller.signal).then((result) => ({ ...gist(result), at: Date.now() - start }))
      await vi.runAllTimersAsync()
      const { at, ...said } = expected(plan)
      expect(await settled).toEqual({ ...said, at })
      expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0)
      const late = entries.filter((entry) => entry.type === 'tool/late')
      expect([late.length, warnings.length]).toEqual(said.abandoned ? [1, 1] : [0, 0])
    }),
    { numRuns },
  )
})
