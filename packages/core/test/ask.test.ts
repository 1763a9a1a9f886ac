import * as fc from 'fast-check'
import { expect, vi } from 'vitest'
import { type ApprovalAnswer, type Approver, createToolRuntime, type ToolResult } from '../src/index.ts'
import { approver, plugin, world } from './support/arbitraries.ts'
import { Clockwork } from './support/clockwork.ts'
import { json, thenable, throwables } from './support/hostile.ts'
import { at, count, of } from './support/observe.ts'
import { fakeTime, property } from './support/property.ts'
import { codeOf } from './support/results.ts'
import { play } from './support/rig.ts'

fakeTime()

const tool = { name: 'tool', description: '', parameters: {}, output: { schema: {} } }
const asks = { name: 'asks', preExecute: () => ({ kind: 'ask' as const, reason: 'please' }) }

const asking = fc
  .tuple(fc.array(plugin, { maxLength: 1 }), fc.integer({ min: 1, max: 255 }), fc.boolean())
  .map(([others, minds, waits]) => [{ minds, waits, pre: 'ask' as const }, ...others])

property(
  'ASK-1: ask runs the body only after an explicit grant that came before the abort',
  world({ plugins: asking as never, approver: fc.option(approver, { nil: undefined }) }),
  async (made, witness) => {
    const history = await play(made)
    const aborted = history.events.findIndex(({ kind }) => kind === 'abort')
    for (const [n, result] of history.results.entries()) {
      if (count(history, n, 'ask') === 0) continue
      const answer = of(history, n, 'answer')[0]
      const answeredAt = at(history, n, 'answer')
      const isGranted = answer?.detail === 'allow' && (aborted === -1 || answeredAt < aborted)
      if (count(history, n, 'body') > 0) {
        expect(isGranted).toBe(true)
        expect(at(history, n, 'body')).toBeGreaterThan(answeredAt)
        witness()
      } else {
        expect(result.isError || made.plugins.some(({ execute }) => execute !== undefined)).toBe(true)
        if (answer?.detail === 'deny' && !isAbortCode(result))
          expect(['APPROVAL_REJECTED', 'APPROVAL_UNAVAILABLE']).toContain(codeOf(result))
      }
    }
  },
)

const isAbortCode = (result: ToolResult): boolean => String(codeOf(result)).startsWith('ABORTED')

const saying: fc.Arbitrary<() => unknown> = fc.oneof(
  fc.constantFrom('allow', 'deny', 'Allow', 'ALLOW', 'allow ', 'yes', 'approved', '').map((said) => () => said),
  json.map((value) => () => value),
  json.map((decision) => () => ({ decision })),
  fc.constantFrom('allow', 'deny').map((decision) => () => ({ decision, reason: 5, remember: {} })),
  fc.nat(throwables.length - 1).map((what) => () => {
    throw throwables[what]?.()
  }),
  fc.nat(throwables.length - 1).map((what) => () => Promise.reject(throwables[what]?.())),
  fc.constantFrom<() => unknown>(
    () => true,
    () => 1,
    () => new String('allow'),
    () => ['allow'],
    () => ({ decision: new String('allow') }),
    () => Promise.resolve('allow'),
    () => thenable((resolve: (value: unknown) => void) => resolve({ decision: 'allow' })),
    () => thenable((_: unknown, reject: (value: unknown) => void) => reject('no')),
  ),
)

property(
  'ASK-1: only exactly allow is a grant; everything else is not run, each with its own words',
  fc.record({ say: saying, timesOut: fc.constantFrom(undefined, 'before', 'after'), hasApprover: fc.boolean() }),
  async ({ say, timesOut, hasApprover }, witness) => {
    const clock = new Clockwork([])
    let bodies = 0
    let said: { readonly value: unknown } | undefined
    const approver: Approver = {
      async request() {
        if (timesOut !== undefined) await clock.wait('answer')
        said = { value: await say() }
        return said.value as 'allow'
      },
    }
    const runtime = createToolRuntime({
      tools: [{ ...tool, execute: () => ++bodies }],
      plugins: [asks],
      approvalTimeoutMs: 70,
      ...(hasApprover && { approver }),
    })
    const running = runtime.execute({ name: 'tool' })
    await clock.quiet()
    if (timesOut === 'before') vi.advanceTimersByTime(70)
    clock.release('answer')
    const result = await running
    const value = said?.value as { decision?: unknown } | undefined
    const decision = typeof value === 'object' && value !== null ? value.decision : value
    const isGranted = hasApprover && timesOut !== 'before' && decision === 'allow'
    expect(bodies).toBe(isGranted ? 1 : 0)
    if (isGranted) return
    const isNo = hasApprover && timesOut !== 'before' && decision === 'deny'
    expect(codeOf(result)).toBe(isNo ? 'APPROVAL_REJECTED' : 'APPROVAL_UNAVAILABLE')
    expect(vi.getTimerCount()).toBe(0)
    witness()
  },
)

property(
  'ASK-1: a grant that comes after the abort runs nothing',
  fc.record({ order: fc.constantFrom('grant', 'abort', 'both at once'), isObject: fc.boolean() }),
  async ({ order, isObject }, witness) => {
    const clock = new Clockwork([])
    const controller = new AbortController()
    let bodies = 0
    let asked: AbortSignal | undefined
    const grant = (isObject ? { decision: 'allow' } : 'allow') as ApprovalAnswer
    const runtime = createToolRuntime({
      tools: [{ ...tool, execute: () => ++bodies }],
      plugins: [asks],
      approver: {
        request(_exec, { signal }) {
          asked = signal
          return clock.wait('answer').then(() => grant)
        },
      },
    })
    const running = runtime.execute({ name: 'tool' }, { signal: controller.signal })
    await clock.quiet()
    if (order !== 'grant') controller.abort(new Error('enough'))
    if (order === 'abort') await clock.quiet()
    clock.release('answer')
    const result = await running
    expect(bodies).toBe(order === 'grant' ? 1 : 0)
    expect(asked?.aborted).toBe(order !== 'grant')
    if (order === 'grant') return
    expect(codeOf(result)).toBe('ABORTED_BEFORE_DISPATCH')
    witness()
  },
)
