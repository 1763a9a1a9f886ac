import { getEventListeners } from 'node:events'
import type { Plugin } from '@pawl/core'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { deaf, gist, Late, obedient, pass, retry, slow, toolOf, worldOf } from '../test/world.ts'
import { timeout } from './index.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('CAN-6: after a call settles, no timer and no listener remains', () => {
  test('a body in time', async () => {
    const result = await worldOf(
      toolOf(() => 'done'),
      [timeout({ defaultMs: 20 })],
    ).run()
    expect(gist(result).code).toBe('ok')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('the caller aborted, and the body was given up on before the deadline', async () => {
    const caller = new AbortController()
    const { run } = worldOf(toolOf(deaf), [timeout({ defaultMs: 30_000 })], { abortGraceMs: 50 })
    const result = run(caller.signal)
    await pass(10)
    caller.abort()
    await pass(50)
    expect(gist(await result)).toEqual({ code: 'ABORTED', abandoned: true })
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0)
  })

  test.each([10, 25])('a wrapper outside went on without it, %i ms after the start of a deadline of 20', async (ms) => {
    const hasty: Plugin = {
      name: 'hasty',
      execute: (exec, next) =>
        Promise.race([next(), new Promise((resolve) => setTimeout(resolve, ms)).then(() => exec.succeed('stale'))]),
    }
    const result = worldOf(toolOf(deaf), [hasty, timeout({ defaultMs: 20 })]).run()
    await pass(ms)
    expect(await result).toMatchObject({ value: 'stale', trace: { abandoned: true } })
    expect(vi.getTimerCount()).toBe(0)
  })

  test('B1: 2,000 calls of all kinds on one signal', async () => {
    const caller = new AbortController()
    let calls = 0
    const body = (exec: Parameters<typeof deaf>[0]): unknown => [() => 'done', obedient, deaf][calls++ % 3]?.(exec)
    const { run } = worldOf(toolOf(body), [timeout({ defaultMs: 5, graceMs: 2 })])
    const codes = new Set<string>()
    for (let at = 0; at < 2_000; at++) {
      const result = run(caller.signal)
      await pass(7)
      codes.add(JSON.stringify(gist(await result)))
    }
    expect(codes.size).toBe(3)
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0)
  })
})

describe('ONI-7, ONI-8: disposed of during a call, it holds no timer and fails open', () => {
  const disposable = (body: typeof deaf, plugin: Plugin, outside: readonly Plugin[] = []) => {
    const world = worldOf(toolOf(body), outside)
    return { ...world, dispose: world.runtime.use(plugin) }
  }

  test('before the deadline the call goes on without one', async () => {
    const late = new Late()
    const { run, dispose } = disposable(() => late.promise, timeout({ defaultMs: 20 }))
    const result = run()
    await pass(10)
    await dispose()
    expect(vi.getTimerCount()).toBe(0)
    await pass(100)
    late.resolve('done')
    expect(await result).toMatchObject({ value: 'done' })
  })

  test('past the deadline the call fails without the rest of its grace', async () => {
    const { run, dispose } = disposable(deaf, timeout({ defaultMs: 20, graceMs: 1_000 }))
    const result = run()
    await pass(20)
    await dispose()
    expect(gist(await result)).toEqual({ code: 'TOOL_TIMEOUT', ms: 20, abandoned: true })
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a further try of a call that was admitted with it starts none', async () => {
    const tries = [new Late(), new Late()]
    const bodies = tries.values()
    const { run, dispose } = disposable(() => bodies.next().value?.promise, timeout({ defaultMs: 20 }), [retry(2)])
    const result = run()
    await pass(15)
    await dispose()
    tries[0]?.reject(new Error('once more'))
    await pass(0)
    expect(vi.getTimerCount()).toBe(0)
    await pass(100)
    tries[1]?.resolve('done')
    expect(await result).toMatchObject({ value: 'done', trace: { attempts: 2 } })
  })

  test('one instance in two runtimes lasts as long as one of them, and serves again later', async () => {
    const plugin = timeout({ defaultMs: 20 })
    const one = worldOf(toolOf(obedient), [plugin])
    const other = worldOf(toolOf(obedient), [plugin])
    const result = other.run()
    await one.runtime.close()
    await pass(20)
    expect(gist(await result).code).toBe('TOOL_TIMEOUT')
    await other.runtime.close()
    const again = worldOf(toolOf(obedient), [plugin]).run()
    await pass(20)
    expect(gist(await again).code).toBe('TOOL_TIMEOUT')
  })
})

test('ONI-6: in time, a result is what it is without the plugin', async () => {
  for (const body of [
    () => ({ a: [1] }),
    () => Promise.reject(new Error('no')),
    (exec) => exec.fail({ code: 'X', message: 'x' }),
  ] as (typeof deaf)[]) {
    const [plain, guarded] = await Promise.all([
      worldOf(toolOf(body), []).run(),
      worldOf(toolOf(body), [timeout({ defaultMs: 20 })]).run(),
    ])
    expect({ ...guarded, executionId: '' }).toEqual({ ...plain, executionId: '' })
  }
})

describe('in real time', () => {
  beforeEach(() => vi.useRealTimers())

  test('TMO-6: no deadline is early, and the shorter comes first, while the wall clock runs backwards', async () => {
    const wall = vi.spyOn(Date, 'now').mockImplementation(() => -performance.now())
    const order: number[] = []
    const spentOf = async (budget: number): Promise<number> => {
      const start = performance.now()
      const result = await worldOf(toolOf(obedient), [timeout({ defaultMs: budget })]).run()
      order.push(budget)
      expect(gist(result)).toEqual({ code: 'TOOL_TIMEOUT', ms: budget, abandoned: false })
      return (performance.now() - start) / budget
    }
    const shares = await Promise.all([spentOf(60), spentOf(20)])
    wall.mockRestore()
    expect(order).toEqual([20, 60])
    // A timer may be up to one tick early.
    expect(Math.min(...shares)).toBeGreaterThan(0.9)
  })

  test('O1: the longest budget neither fires at once nor warns, and its timer is taken off', async () => {
    const longest = 2 ** 31 - 1
    const warned = vi.fn()
    process.on('warning', warned)
    const set = vi.spyOn(globalThis, 'setTimeout')
    const cleared = vi.spyOn(globalThis, 'clearTimeout')
    expect(await worldOf(toolOf(slow(5)), [timeout({ defaultMs: longest })]).run()).toMatchObject({ value: 'done' })
    const at = set.mock.calls.findIndex(([, ms]) => ms === longest)
    expect(cleared).toHaveBeenCalledWith(set.mock.results[at]?.value)
    vi.restoreAllMocks()
    process.off('warning', warned)
    expect(warned).not.toHaveBeenCalled()
  })
})
