import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Guard, Plugin } from '../../src/index.ts'
import { wordsOf } from '../support/results.ts'
import { errorOf, runtimeOf, statusOf, toolOf } from './bench.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

type Hook = () => unknown

const outside: [string, Hook, code: string, reason: RegExp][] = [
  [
    'throws',
    () => {
      throw new Error('out of order')
    },
    'PLUGIN_ERROR',
    /out of order/,
  ],
  ['rejects', () => Promise.reject(new Error('out of order')), 'PLUGIN_ERROR', /out of order/],
  ['never settles', () => new Promise(() => {}), 'PLUGIN_ERROR', /100 ms/],
  ['returns undefined', () => undefined, 'PLUGIN_ERROR', /has to return/],
  ['returns a text', () => 'yes', 'PLUGIN_ERROR', /has to return/],
  ['nearly says allow', () => ({ kind: 'Allow ' }), 'PLUGIN_ERROR', /has to return/],
  ['says allow in the words of something else', () => ({ decision: 'allow' }), 'PLUGIN_ERROR', /has to return/],
  ['denies', () => ({ kind: 'deny', reason: 'not today' }), 'DENIED', /not today/],
  ['denies without a reason', () => ({ kind: 'deny' }), 'DENIED', /no reason/],
]

/** One call past this hook, which has 100 ms. */
async function pastHook(
  hook: Hook,
): Promise<{ result: Awaited<ReturnType<typeof call>>; body: ReturnType<typeof vi.fn> }> {
  const body = vi.fn()
  const plugin = { name: 'hook', preExecute: hook } as Plugin
  const { runtime } = runtimeOf(toolOf(body), { plugins: [plugin], stageTimeoutMs: 100 })
  const call = () => runtime.execute({ name: 'work' })
  const pending = call()
  await vi.advanceTimersByTimeAsync(100)
  return { result: await pending, body }
}

describe('K1: only a well-formed allow lets a call through', () => {
  test.each(outside)(
    'a hook that %s keeps the body from running, and the result says why',
    async (_, hook, code, reason) => {
      const { result, body } = await pastHook(hook)
      expect(errorOf(result)).toMatchObject({ code, sideEffects: 'none' })
      expect(wordsOf(result)).toMatch(reason)
      expect(wordsOf(result)).toContain('hook')
      expect(body).not.toHaveBeenCalled()
    },
  )

  test.each<[string, Hook]>([
    ['at once', () => ({ kind: 'allow' })],
    ['later', async () => ({ kind: 'allow' })],
  ])('a hook that says allow %s lets it through', async (_, hook) => {
    const { result, body } = await pastHook(hook)
    expect(statusOf(result)).toBe('ok')
    expect(body).toHaveBeenCalledOnce()
  })

  test.each<[string, Hook, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('out of order')
      },
      /out of order/,
    ],
    ['returns true', () => true, /counts as a denial/],
    ['returns an object', () => ({ deny: 'false' }), /counts as a denial/],
  ])('a guard that %s denies, and the result says why', async (_, guard, reason) => {
    const body = vi.fn()
    const { runtime } = runtimeOf(toolOf(body), { guards: [guard as Guard] })
    const result = await runtime.execute({ name: 'work' })
    expect(errorOf(result)).toMatchObject({ code: 'DENIED', sideEffects: 'none' })
    expect(wordsOf(result)).toMatch(reason)
    expect(body).not.toHaveBeenCalled()
  })
})
