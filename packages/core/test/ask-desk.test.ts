import * as fc from 'fast-check'
import { expect } from 'vitest'
import { createToolRuntime, type ToolResult } from '../src/index.ts'
import { picks } from './support/arbitraries.ts'
import { Clockwork } from './support/clockwork.ts'
import { json } from './support/hostile.ts'
import { fakeTime, property } from './support/property.ts'
import { codeOf } from './support/results.ts'

fakeTime()

const tool = { name: 'tool', description: '', parameters: {}, output: { schema: {} } }
const asks = { name: 'asks', preExecute: () => ({ kind: 'ask' as const, reason: 'please' }) }

property(
  'ASK-2: one call is asked at most once; a runtime asks one at a time, in call order within a step',
  fc.record({
    steps: fc.array(fc.array(fc.constantFrom('parallel', 'exclusive', 'nested'), { minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 3,
    }),
    picks,
    isRetried: fc.boolean(),
    abortsAt: fc.option(fc.nat(8), { nil: undefined }),
    grants: fc.nat(255),
  }),
  async ({ steps, picks, isRetried, abortsAt, grants }, witness) => {
    const clock = new Clockwork(picks)
    const controller = new AbortController()
    const asked: string[] = []
    let [open, most, askedLate] = [0, 0, 0]
    const runtime = createToolRuntime({
      maxParallelToolCalls: 3,
      abortGraceMs: 20,
      tools: [
        {
          ...tool,
          isConcurrencySafe: (args) => (args as { kind?: unknown }).kind === 'parallel',
          async execute(args, exec) {
            await clock.wait('body')
            if ((args as { kind?: unknown }).kind === 'nested')
              await Promise.allSettled([
                exec.invoke('tool', { kind: 'parallel' }),
                exec.invoke('tool', { kind: 'exclusive' }),
              ])
            throw new Error('again')
          },
        },
      ],
      plugins: [
        asks,
        ...(isRetried
          ? [
              {
                name: 'twice',
                role: 'retry',
                execute: (_exec: unknown, next: () => Promise<never>) => next().then(() => next()),
              },
            ]
          : []),
      ],
      approver: {
        async request({ executionId }, { signal }) {
          asked.push(executionId)
          most = Math.max(most, ++open)
          if (controller.signal.aborted) askedLate++
          const over = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
          const answer = clock.wait('answer')
          let isOver = false
          over.then(() => clock.forget(answer))
          signal.addEventListener('abort', () => {
            if (!isOver) open--
            isOver = true
          })
          await Promise.race([answer, over])
          if (!isOver) open--
          isOver = true
          return ((grants >> (asked.length % 8)) & 1) === 1 ? 'allow' : 'deny'
        },
      },
    })
    let left = steps.length
    for (const step of steps) {
      const calls = step.map((kind) => ({ name: 'tool', arguments: { kind } }))
      void runtime.dispatch(calls, { signal: controller.signal }).then(() => left--)
    }
    await clock.drive(
      () => left === 0,
      () => {
        if (abortsAt !== undefined && clock.turn >= abortsAt) controller.abort()
      },
    )
    // Ids of a step's own calls end in their index: `<step>.<index>`.
    const topLevel = asked.map((id) => id.split('.')).filter((parts) => parts.length === 2)
    for (const step of new Set(topLevel.map(([id]) => id))) {
      const indexes = topLevel.filter(([id]) => id === step).map(([, index]) => Number(index))
      expect(indexes).toEqual([...indexes].sort((a, b) => a - b))
    }
    expect(new Set(asked).size).toBe(asked.length)
    expect([open, askedLate]).toEqual([0, 0])
    expect(most).toBeLessThanOrEqual(1)
    if (asked.length > 2) witness()
    // The desk is free again, whatever happened.
    const last = runtime.execute({ name: 'tool', arguments: { kind: 'parallel' } })
    let isDone = false
    void last.then(() => {
      isDone = true
    })
    await clock.drive(() => isDone)
    expect(asked.length).toBeGreaterThan(0)
  },
)

property(
  'ASK-3: while an approval is pending, calls before it commit, and running bodies go on',
  fc.record({
    before: fc.integer({ min: 1, max: 4 }),
    after: fc.integer({ min: 0, max: 2 }),
    waits: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    safe: fc.boolean(),
    order: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
  }),
  async ({ before, after, waits, safe, order }, witness) => {
    const clock = new Clockwork([])
    const published: number[] = []
    const runtime = createToolRuntime({
      maxParallelToolCalls: 10,
      tools: [
        {
          ...tool,
          isConcurrencySafe: (args) => Number((args as { n: number }).n) !== before || safe,
          execute: async (args) => {
            const { n } = args as { n: number }
            if (waits[n] === true) await clock.wait(`body ${n}`)
            return n
          },
        },
      ],
      plugins: [
        {
          name: 'asks',
          preExecute: ({ index }, next) => (index === before ? { kind: 'ask' } : next()),
          onResult: (_exec, { callId }) => void published.push(Number(callId)),
        },
      ],
      approver: { request: () => clock.wait('answer').then(() => 'allow') },
    })
    const calls = Array.from({ length: before + 1 + after }, (_, n) => ({
      id: String(n),
      name: 'tool',
      arguments: { n },
    }))
    const running = runtime.dispatch(calls)
    await clock.quiet()
    expect(clock.waiting).toContain('answer')
    const bodies = [...Array(before).keys()].filter((n) => waits[n] === true)
    bodies.sort((a, b) => (order[a] ?? 0) - (order[b] ?? 0))
    for (const n of bodies) {
      expect(clock.release(`body ${n}`)).toBe(true)
      await clock.quiet()
    }
    expect(published).toEqual([...Array(before).keys()])
    expect(clock.waiting).toEqual(['answer'])
    if (bodies.length > 0) witness()
    clock.release('answer')
    let isDone = false
    void running.then(() => {
      isDone = true
    })
    await clock.drive(() => isDone)
    expect(published).toEqual(calls.map((_, n) => n))
  },
)

property(
  "ASK-4: a grant is for this call only, unless the approver says otherwise in words that the result's trace records",
  fc.record({
    calls: fc.array(json, { minLength: 2, maxLength: 4 }),
    remember: fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
    reason: fc.option(fc.string(), { nil: undefined }),
    inSteps: fc.boolean(),
  }),
  async ({ calls, remember, reason, inSteps }, witness) => {
    const asked: unknown[] = []
    const answers: unknown[] = []
    const runtime = createToolRuntime({
      tools: [{ ...tool, isConcurrencySafe: () => true, execute: () => 1 }],
      plugins: [{ name: 'asks', preExecute: () => ({ kind: 'ask', onAnswer: (answer) => answers.push(answer) }) }],
      approver: {
        request(exec) {
          asked.push(exec.arguments)
          const answer = {
            decision: 'allow' as const,
            ...(reason !== undefined && { reason }),
            ...(remember !== undefined && { remember }),
          }
          return asked.length === 1 ? answer : 'deny'
        },
      },
    })
    const requests = calls.map((value) => ({ name: 'tool', arguments: { value } }))
    const results: ToolResult[] = []
    if (inSteps) for (const request of requests) results.push(await runtime.execute(request))
    else results.push(...(await runtime.dispatch(requests)))
    expect(asked).toEqual(requests.map((request) => request.arguments))
    expect(results.map(codeOf)).toEqual([undefined, ...calls.slice(1).map(() => 'APPROVAL_REJECTED')])
    const decision = results[0]?.trace.decisions.find(({ by }) => by === 'approver')
    expect(decision?.kind).toBe('allow')
    expect(decision?.remember).toBe(remember === '' ? undefined : remember?.toWellFormed())
    expect(decision?.reason).toBe(reason === '' ? undefined : reason?.toWellFormed())
    expect(answers[0]).toMatchObject({ decision: 'allow' })
    if (remember !== undefined && remember !== '') witness()
  },
)
