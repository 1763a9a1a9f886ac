import { type Plugin, ToolError } from '@pawl/core'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type Body,
  deaf,
  failureOf,
  gist,
  Late,
  numRuns,
  obedient,
  pass,
  retry,
  slow,
  toolOf,
  worldOf,
} from '../test/world.ts'
import { timeout } from './index.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe("TMO-1: no declared budget: the body's signal is the caller's own", () => {
  const signalSeenBelow = async (
    plugin: Plugin,
    timeoutMs?: number,
  ): Promise<{ seen: AbortSignal; callers: AbortSignal }> => {
    let seen: AbortSignal | undefined
    const body: Body = ({ signal }) => {
      seen = signal
    }
    const { signal } = new AbortController()
    await worldOf(toolOf(body, timeoutMs === undefined ? {} : { timeoutMs }), [plugin]).run(signal)
    return { seen: seen as AbortSignal, callers: signal }
  }

  test.each<[string, Plugin, number | undefined]>([
    ['nothing declared', timeout(), undefined],
    ['a budget for another tool only', timeout({ tools: { other: 5 } }), undefined],
    ['switched off for this tool', timeout({ defaultMs: 5, tools: { work: false } }), 5],
  ])('%s', async (_, plugin, timeoutMs) => {
    const { seen, callers } = await signalSeenBelow(plugin, timeoutMs)
    expect(seen).toBe(callers)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('with a budget it is another one, so the above can fail', async () => {
    const { seen, callers } = await signalSeenBelow(timeout({ defaultMs: 5 }))
    expect(seen).not.toBe(callers)
  })
})

test("the deployment's word goes before the tool's own, and that before the default", async () => {
  const budgetOf = async (plugin: Plugin, timeoutMs?: number): Promise<unknown> => {
    const result = worldOf(toolOf(obedient, timeoutMs === undefined ? {} : { timeoutMs }), [plugin]).run()
    await pass(100)
    return (await failureOf(result)).details?.timeoutMs
  }
  expect(await budgetOf(timeout({ defaultMs: 30 }))).toBe(30)
  expect(await budgetOf(timeout({ defaultMs: 30 }), 20)).toBe(20)
  expect(await budgetOf(timeout({ defaultMs: 30, tools: { work: 10 } }), 20)).toBe(10)
  expect(await budgetOf(timeout({ defaultMs: 30, tools: { work: undefined } } as never), 20)).toBe(20)
})

test('a budget is found by the own name only, whatever a tool is called', async () => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    const result = worldOf(toolOf(slow(50), { name }), [timeout({ tools: { work: 5 } })]).run()
    await pass(50)
    expect(gist(await result).code).toBe('ok')
    const tools = Object.fromEntries([[name, 5]])
    const late = worldOf(toolOf(obedient, { name }), [timeout({ tools })]).run()
    await pass(5)
    expect(gist(await late)).toEqual({ code: 'TOOL_TIMEOUT', ms: 5, abandoned: false })
  }
})

describe('TMO-2: its own deadline first: TOOL_TIMEOUT with the milliseconds, whatever the body then returns or throws', () => {
  const endings: { readonly [ending: string]: Body } = {
    'returns a value': () => 'done',
    'returns what is no JSON': () => () => {},
    'throws the reason': ({ signal }) => {
      throw signal.reason
    },
    'throws undefined': () => {
      throw undefined
    },
    'throws a code of its own': () => {
      throw new ToolError('MINE', 'mine', { retryable: false })
    },
    'throws a reserved code': () => {
      throw new ToolError('ABORTED', 'not so')
    },
    'returns a failure': (exec) => exec.fail({ code: 'MINE', message: 'mine' }),
    'returns a success': (exec) => exec.succeed('done'),
  }
  test.each(Object.entries(endings))('%s', async (_, ending) => {
    const body: Body = (exec) =>
      new Promise((resolve) => exec.signal.addEventListener('abort', () => setTimeout(resolve, 5))).then(() =>
        ending(exec),
      )
    const result = worldOf(toolOf(body), [timeout({ defaultMs: 20 })]).run()
    await pass(25)
    expect(await failureOf(result)).toEqual({
      code: 'TOOL_TIMEOUT',
      message: 'work did not finish within 20 ms and was stopped; it may have taken effect.',
      stage: 'tools/execute',
      sideEffects: 'possible',
      retryable: true,
      details: { timeoutMs: 20 },
    })
  })

  test("and whatever the caller does then; the body's signal keeps the reason", async () => {
    const caller = new AbortController()
    const reasons: unknown[] = []
    const body: Body = ({ signal }) =>
      new Promise((resolve) => setTimeout(() => resolve(reasons.push(signal.reason)), 30))
    const result = worldOf(toolOf(body), [timeout({ defaultMs: 20 })]).run(caller.signal)
    await pass(25)
    caller.abort(new Error('enough'))
    await pass(5)
    expect(gist(await result)).toEqual({ code: 'TOOL_TIMEOUT', ms: 20, abandoned: false })
    expect(reasons).toEqual([expect.objectContaining({ name: 'TimeoutError', message: 'work has used up its 20 ms' })])
  })

  test('where no body began, the failure says so', async () => {
    const queue: Plugin = {
      name: 'queue',
      async execute(exec, next) {
        await new Promise((resolve) => setTimeout(resolve, 30))
        return exec.signal.aborted ? exec.fail({ code: 'FULL', message: 'no place was free' }) : next()
      },
    }
    const body = (): string => 'done'
    const result = worldOf(toolOf(body), [timeout({ defaultMs: 20 }), queue]).run()
    await pass(30)
    expect(await failureOf(result)).toMatchObject({
      code: 'TOOL_TIMEOUT',
      message: 'work did not begin within 20 ms; nothing ran.',
      sideEffects: 'none',
    })
  })
})

describe('TMO-5: a body that ignores its signal is abandoned after the grace', () => {
  test.each<[string, (late: Late) => void]>([
    ['returns', (late) => late.resolve('too late')],
    ['throws', (late) => late.reject(new Error('too late'))],
  ])('and when it %s late, that is journalled and logged once and changes nothing', async (_, end) => {
    const late = new Late()
    const { run, entries, warnings } = worldOf(
      toolOf(() => late.promise),
      [timeout({ defaultMs: 20, graceMs: 10 })],
    )
    const settled = vi.fn()
    const running = run()
    running.then(settled)
    await pass(29)
    expect(settled).not.toHaveBeenCalled()
    await pass(1)
    const result = await running
    expect(await failureOf(running)).toEqual({
      code: 'TOOL_TIMEOUT',
      message: 'work did not finish within 20 ms and has not stopped since; it may have taken effect.',
      stage: 'tools/execute',
      sideEffects: 'possible',
      retryable: false,
      details: { timeoutMs: 20, abandoned: true },
    })
    expect(vi.getTimerCount()).toBe(0)
    const before = JSON.stringify(result)
    end(late)
    await pass(0)
    expect(JSON.stringify(result)).toBe(before)
    expect(entries.map(({ type }) => type)).toEqual(['tool/call', 'tool/dispatch', 'tool/result', 'tool/late'])
    expect(warnings).toEqual([expect.stringMatching(/work .* had been abandoned and ended late/)])
  })

  test('without a grace, what stops at once is still heard', async () => {
    const result = worldOf(toolOf(obedient), [timeout({ defaultMs: 20, graceMs: 0 })]).run()
    await pass(20)
    expect(gist(await result)).toEqual({ code: 'TOOL_TIMEOUT', ms: 20, abandoned: false })
  })

  test('`timeoutMs` never reaches the model', () => {
    const { runtime } = worldOf(toolOf(deaf, { timeoutMs: 20 }), [timeout()])
    expect(JSON.stringify(runtime.tools.schemas())).not.toContain('timeoutMs')
  })
})

describe('beside a retry', () => {
  test('inside it, each try has its own deadline', async () => {
    const result = worldOf(toolOf(obedient), [retry(3), timeout({ defaultMs: 20 })]).run()
    await pass(59)
    expect(vi.getTimerCount()).toBe(1)
    await pass(1)
    expect(gist(await result)).toEqual({ code: 'TOOL_TIMEOUT', ms: 20, abandoned: false })
    expect((await result).trace).toMatchObject({ attempts: 3, bodyInvocations: 3 })
  })

  test('a try that is in time decides', async () => {
    let tries = 0
    const body: Body = (exec) => (++tries < 3 ? obedient(exec) : 'done')
    const result = worldOf(toolOf(body), [retry(5), timeout({ defaultMs: 20 })]).run()
    await pass(40)
    expect(await result).toMatchObject({ value: 'done', trace: { attempts: 3 } })
  })

  test('outside it, all tries together have one', async () => {
    const busy: Body = async (exec) => {
      await Promise.race([slow(15)(exec), obedient(exec)])
      throw new ToolError('BUSY', 'busy', { retryable: true })
    }
    const stops = retry(9, (code) => code === 'BUSY')
    const result = worldOf(toolOf(busy), [timeout({ defaultMs: 40 }), stops]).run()
    await pass(40)
    expect(gist(await result)).toEqual({ code: 'TOOL_TIMEOUT', ms: 40, abandoned: false })
    expect((await result).trace).toMatchObject({ attempts: 3, bodyInvocations: 3 })
  })

  test('outside it, no further try begins after the deadline, though neither the body nor the retry looks at the signal', async () => {
    const busy: Body = async (exec) => {
      await slow(15)(exec)
      throw new ToolError('BUSY', 'busy', { retryable: true })
    }
    const result = worldOf(toolOf(busy), [timeout({ defaultMs: 40 }), retry(9)]).run()
    await pass(45)
    expect(gist(await result)).toEqual({ code: 'TOOL_TIMEOUT', ms: 40, abandoned: false })
    expect((await result).trace.bodyInvocations).toBe(3)
  })

  test('an abandoned body is not retryable: RTY-1', async () => {
    const plugins = [retry(3, (_, retryable) => retryable === true), timeout({ defaultMs: 20, graceMs: 10 })]
    const result = worldOf(toolOf(deaf), plugins).run()
    await pass(30)
    expect(gist(await result)).toEqual({ code: 'TOOL_TIMEOUT', ms: 20, abandoned: true })
    expect((await result).trace.bodyInvocations).toBe(1)
  })
})

const someMs = fc.integer({ min: 1, max: 200 })

describe('TMO-6: deadlines follow a monotonic clock', () => {
  test('a wall clock set back or forward neither fires nor prolongs one', async () => {
    await fc.assert(
      fc.asyncProperty(
        someMs,
        fc.array(fc.record({ after: someMs, wall: fc.integer({ min: 0, max: 8e15 }) }), { maxLength: 5 }),
        async (budget, jumps) => {
          const settled = vi.fn()
          const { run } = worldOf(toolOf(deaf), [timeout({ defaultMs: budget, graceMs: 1 })])
          const result = run()
          result.then(settled)
          let spent = 0
          for (const { after, wall } of jumps) {
            const step = Math.min(after, budget - spent)
            await pass(step)
            spent += step
            vi.setSystemTime(wall)
          }
          await pass(budget - spent)
          expect(settled).not.toHaveBeenCalled()
          await pass(1)
          expect(gist(await result)).toEqual({ code: 'TOOL_TIMEOUT', ms: budget, abandoned: true })
        },
      ),
      { numRuns },
    )
  })
})
