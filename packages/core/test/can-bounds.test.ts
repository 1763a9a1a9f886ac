import * as fc from 'fast-check'
import { expect, vi } from 'vitest'
import { createToolRuntime, type ToolResult } from '../src/index.ts'
import { abort, world } from './support/arbitraries.ts'
import { Clockwork } from './support/clockwork.ts'
import { fakeTime, property } from './support/property.ts'
import { codeOf } from './support/results.ts'
import { abortGraceMs, approvalTimeoutMs, play, stageTimeoutMs } from './support/rig.ts'

fakeTime()

const tool = { name: 'tool', description: '', parameters: {}, output: { schema: {} } }

const everything = abortGraceMs + stageTimeoutMs + approvalTimeoutMs

property(
  'CAN-8: nothing is waited for without bound: after an abort a step is over within the grace and the stage timeouts',
  world({ abort: abort.filter((made) => made !== undefined && made.at !== 'event') }),
  async (made, witness) => {
    const history = await play(made)
    // Per call: admission to journal, each plugin in three stages, each append; all of them bounded.
    const waits = history.nodes.length * (made.plugins.length * 4 + 6)
    expect(history.elapsed).toBeLessThanOrEqual(everything * (1 + waits))
    if (history.elapsed > 0) witness()
  },
)

property(
  'CAN-8: an abandoned body has its one result; what it does later changes nothing and is reported once',
  fc.record({
    later: fc.constantFrom('value', 'throw', 'progress', 'invoke', 'note'),
    by: fc.constantFrom('abort', 'wrapper', 'close'),
    async: fc.boolean(),
    others: fc.nat(2),
  }),
  async ({ later, by, async, others }, witness) => {
    const clock = new Clockwork([])
    const caller = new AbortController()
    const entries: string[] = []
    const warnings: string[] = []
    const events: string[] = []
    let bodies = 0
    const runtime = createToolRuntime({
      abortGraceMs: 10,
      logger: { warn: (message) => warnings.push(message) },
      journal: { append: (entry) => void entries.push(`${entry.type} ${entry.callId}`) },
      tools: [
        {
          ...tool,
          isConcurrencySafe: () => true,
          async execute(args, exec) {
            bodies++
            if ((args as { deaf?: boolean }).deaf !== true) return 'quick'
            await clock.wait('deaf')
            if (later === 'progress') exec.progress({ progress: 1 })
            if (later === 'note') exec.note({ late: true })
            exec.deferContext('late')
            if (later === 'invoke') await exec.invoke('tool', {})
            if (later === 'throw') throw new Error('late')
            return 'late'
          },
        },
      ],
      plugins:
        by === 'wrapper'
          ? [
              {
                name: 'gives up',
                execute: async (exec, next) => {
                  void next()
                  if (async) await null
                  return exec.fail({ code: 'TOOL_TIMEOUT', message: 'took 1 ms' })
                },
              },
            ]
          : [],
    })
    const calls = [
      { id: 'deaf', name: 'tool', arguments: { deaf: true } },
      ...Array.from({ length: others }, (_, at) => ({ id: `o${at}`, name: 'tool' })),
    ]
    const results: ToolResult[] = []
    const running = (async () => {
      for await (const event of runtime.stream(calls, { signal: caller.signal })) {
        events.push(event.type)
        if (event.type === 'result') results.push(event.result)
      }
    })()
    await clock.quiet()
    if (by === 'abort') caller.abort()
    const closing = by === 'close' ? runtime.close() : undefined
    await vi.advanceTimersByTimeAsync(20)
    await running
    await closing
    const [result] = results
    const before = JSON.stringify(results)
    expect(codeOf(result)).toBe(by === 'wrapper' ? 'TOOL_TIMEOUT' : 'ABORTED')
    expect(result?.isError && result.error.details?.abandoned).toBe(true)
    expect(result?.trace.abandoned).toBe(true)
    const [told, ran] = [events.length, bodies]
    expect(clock.release('deaf')).toBe(true)
    await clock.quiet()
    await clock.quiet()
    expect(JSON.stringify(results)).toBe(before)
    expect([events.length, bodies]).toEqual([told, ran])
    expect(entries.filter((entry) => entry === 'tool/late deaf')).toHaveLength(1)
    expect(entries.filter((entry) => entry.startsWith('tool/result'))).toHaveLength(calls.length)
    expect(warnings).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
    witness()
  },
)

property(
  'CAN-8: a plugin stage or an append that never settles is waited for stageTimeoutMs, and no longer',
  fc.record({
    where: fc.constantFrom(
      'preExecute',
      'execute',
      'postExecute',
      'tool/call',
      'tool/dispatch',
      'tool/executed',
      'tool/result',
    ),
    own: fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined }),
    stageTimeoutMs: fc.integer({ min: 1, max: 500 }),
  }),
  async ({ where, own, stageTimeoutMs }, witness) => {
    const hang = (at: string): Promise<never> | undefined => (at === where ? new Promise<never>(() => {}) : undefined)
    const runtime = createToolRuntime({
      stageTimeoutMs,
      tools: [{ ...tool, execute: () => 1 }],
      journal: { append: ({ type }) => hang(type) },
      plugins: [
        {
          name: 'p',
          ...(own !== undefined && { stageTimeoutMs: own }),
          preExecute: (_exec, next) => hang('preExecute') ?? next(),
          execute: (_exec, next) => hang('execute') ?? next(),
          postExecute: (_exec, _result, next) => hang('postExecute') ?? next(),
        },
      ],
    })
    const clock = new Clockwork([])
    let result: ToolResult | undefined
    void runtime.execute({ name: 'tool' }).then((settled) => {
      result = settled
    })
    await clock.quiet()
    const bound = where.startsWith('tool/') ? stageTimeoutMs : (own ?? stageTimeoutMs)
    expect(result).toBeUndefined()
    vi.advanceTimersByTime(bound - 1)
    await clock.quiet()
    expect(result).toBeUndefined()
    vi.advanceTimersByTime(1)
    await clock.quiet()
    const code = {
      'tool/call': 'JOURNAL_ERROR',
      'tool/dispatch': 'JOURNAL_ERROR',
      'tool/executed': undefined,
      'tool/result': undefined,
    }[where as 'tool/call']
    expect(codeOf(result)).toBe(where.startsWith('tool/') ? code : 'PLUGIN_ERROR')
    expect(result?.trace.faults.length).toBe(['tool/call', 'tool/dispatch', 'execute'].includes(where) ? 0 : 1)
    expect(vi.getTimerCount()).toBe(0)
    witness()
  },
)

property(
  'CON-6: a body has the whole grace after an abort, and no more',
  fc.record({
    abortGraceMs: fc.integer({ min: 1, max: 500 }),
    takes: fc.integer({ min: 0, max: 600 }),
    throws: fc.boolean(),
  }),
  async ({ abortGraceMs, takes, throws }, witness) => {
    const clock = new Clockwork([])
    const caller = new AbortController()
    const runtime = createToolRuntime({
      abortGraceMs,
      tools: [
        {
          ...tool,
          async execute() {
            await clock.wait('body')
            if (throws) throw new Error('on the way out')
            return 1
          },
        },
      ],
    })
    let result: ToolResult | undefined
    void runtime.execute({ name: 'tool' }, { signal: caller.signal }).then((settled) => {
      result = settled
    })
    await clock.quiet()
    caller.abort()
    vi.advanceTimersByTime(takes)
    await clock.quiet()
    const isInTime = takes < abortGraceMs
    expect(result === undefined).toBe(isInTime)
    clock.release('body')
    await clock.quiet()
    expect(codeOf(result)).toBe(isInTime && throws ? 'TOOL_ERROR' : 'ABORTED')
    expect(result?.trace.abandoned).toBe(isInTime ? undefined : true)
    if (isInTime) witness()
  },
)
