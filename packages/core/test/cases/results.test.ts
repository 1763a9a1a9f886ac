import { describe, expect, test } from 'vitest'
import { createToolRuntime, type Plugin } from '../../src/index.ts'
import { wordsOf } from '../support/results.ts'
import { errorOf, runtimeOf, statusOf, toolOf } from './bench.ts'

describe('R1: whatever a body returns, the model is given text', () => {
  const undefinedInside = (): object => ({ a: undefined, b: [undefined, 1] })

  test.each([
    ['undefined', undefined, null, 'null'],
    ['null', null, null, 'null'],
    ['an empty text', '', '', ''],
    ['undefined inside', undefinedInside(), { b: [null, 1] }, '{"b":[null,1]}'],
  ])('%s is a value', async (_, returned, value, text) => {
    const { runtime } = runtimeOf(toolOf(() => returned))
    for (const _ of [1, 2]) {
      const result = await runtime.execute({ name: 'work' })
      expect(result).toMatchObject({ isError: false, value })
      expect(result.content).toEqual([{ type: 'text', text }])
    }
  })

  test.each([
    ['a function', () => 1, /function/],
    ['a symbol', Symbol('s'), /symbol/],
  ])('%s is refused with a clear reason', async (_, returned, reason) => {
    const result = await runtimeOf(toolOf(() => returned)).runtime.execute({ name: 'work' })
    expect(errorOf(result).code).toBe('INVALID_TOOL_OUTPUT')
    expect(result.content).toEqual([{ type: 'text', text: expect.stringMatching(reason) }])
  })
})

const cycle = (): object => {
  const o: { self?: unknown } = {}
  o.self = o
  return o
}
const throwing = (what: string) => (): never => {
  throw new Error(what)
}
class Foo {
  a = 1
  get b(): number {
    return 2
  }
}

// A bigint, a date, a map could also be put into words; pawl refuses each with its path and the way out, so that the author decides.
test.each<[string, () => unknown, path: string, wayOut: RegExp]>([
  ['a bigint', () => ({ n: 9007199254740997n }), '$.n', /String\(value\)/],
  ['a cycle', cycle, '$.self', /contains itself/],
  ['NaN, which must not become null', () => ({ a: Number.NaN, b: Number.POSITIVE_INFINITY, c: -0 }), '$.a', /NaN/],
  ['a Date', () => ({ d: new Date(0), bad: new Date(Number.NaN) }), '$.d', /toISOString/],
  ['a Map, which must not become {}', () => ({ m: new Map([['k', 1]]), s: new Set([1]) }), '$.m', /fromEntries/],
  ['an Error', () => ({ e: new Error('boom') }), '$.e', /message/],
  [
    'a getter that throws',
    () => Object.defineProperty({ ok: 1 }, 'x', { get: throwing('g'), enumerable: true }),
    '$.x',
    /\bg\b/,
  ],
  ['a toJSON that throws', () => ({ toJSON: throwing('t') }), '$.toJSON', /function/],
  ['a proxy that throws', () => new Proxy({}, { ownKeys: throwing('p') }), '$', /\bp\b/],
  ['an instance of a class', () => new Foo(), '$', /Foo/],
])('R2: %s is a failed call that tells where, and that the body has run', async (_, made, path, wayOut) => {
  const { runtime, entries } = runtimeOf(toolOf(made))
  const result = await runtime.execute({ name: 'work' })
  expect(errorOf(result)).toMatchObject({ code: 'INVALID_TOOL_OUTPUT', sideEffects: 'possible', details: { path } })
  expect(wordsOf(result)).toMatch(wayOut)
  expect(wordsOf(result)).toContain(`${path}: `)
  expect(wordsOf(result)).toContain('work ran')
  expect(result.trace.bodyInvocations).toBe(1)
  expect(entries.map(({ type }) => type)).toEqual(['tool/call', 'tool/dispatch', 'tool/executed', 'tool/result'])
})

/** Two more tries after the first, whatever went wrong. */
const retryTwice: Plugin = {
  name: 'again',
  role: 'retry',
  async execute(_exec, next) {
    let outcome = await next()
    for (let tries = 0; tries < 2 && outcome.isError; tries++) outcome = await next()
    return outcome
  },
}

const describeObject = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? [Object.getPrototypeOf(value), Object.getOwnPropertyDescriptors(value), Object.isFrozen(value)]
    : value

test.each<[string, unknown]>([
  ['undefined', undefined],
  ['null', null],
  ['a plain text', 'plain text'],
  ['0', 0],
  ['a frozen error', Object.freeze(new Error('frozen'))],
  ['an object without a prototype', Object.create(null)],
  ['an object whose message throws', Object.defineProperty({}, 'message', { get: throwing('1'), enumerable: true })],
  ['an error with a cause that is no error', Object.assign(new Error('x'), { cause: 'c' })],
])(
  'R5: a body that throws %s fails in words, as often as it is tried, and what it threw is left alone',
  async (_, thrown) => {
    const before = describeObject(thrown)
    const counted: string[] = []
    const metrics: Plugin = {
      name: 'metrics',
      role: 'metrics',
      async execute(_exec, next) {
        const outcome = await next()
        counted.push(outcome.isError ? outcome.error.code : 'ok')
        return outcome
      },
    }
    const body = (): never => {
      throw thrown
    }
    for (const execute of [body, async () => body()]) {
      counted.length = 0
      const { runtime } = runtimeOf(toolOf(execute), { plugins: [metrics, retryTwice] })
      const results = await runtime.dispatch([{ name: 'work' }])
      expect(results.map(statusOf)).toEqual(['TOOL_ERROR'])
      const [result] = results
      expect(errorOf(result).message.trim()).not.toBe('')
      expect(wordsOf(result!)).toMatch(/^TOOL_ERROR: \S/)
      expect(result?.trace).toMatchObject({ attempts: 3, bodyInvocations: 3, faults: [] })
      expect(counted).toEqual(['TOOL_ERROR'])
    }
    expect(describeObject(thrown)).toEqual(before)
  },
)

test.each([
  [
    'revoked',
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      return proxy
    },
  ],
  [
    'without a class',
    () =>
      new Proxy(
        {},
        {
          getPrototypeOf: () => {
            throw new Error('p')
          },
        },
      ),
  ],
])('R5: a proxy that is %s is blamed on whom it came from', async (_, make) => {
  const thrown = await runtimeOf(
    toolOf(() => {
      throw make()
    }),
  ).runtime.execute({ name: 'work' })
  expect(errorOf(thrown)).toMatchObject({ code: 'TOOL_ERROR', stage: 'execute' })
  for (const hook of ['preExecute', 'execute', 'postExecute'] as const) {
    const runtime = createToolRuntime({ tools: [toolOf(() => 1)], plugins: [{ name: 'odd', [hook]: make }] })
    expect(errorOf(await runtime.execute({ name: 'work' }))).toMatchObject({
      code: 'PLUGIN_ERROR',
      details: { plugin: 'odd' },
    })
  }
})

test('R5: an answer whose members throw ends the wait for its wrapper, at once or later', async () => {
  const answer = {
    get isError(): boolean {
      throw new Error('g')
    },
  }
  for (const execute of [() => answer, async () => answer]) {
    const plugins = [{ name: 'odd', execute: execute as never }]
    const result = await createToolRuntime({ tools: [toolOf(() => 1)], plugins }).execute({ name: 'work' })
    expect(errorOf(result)).toMatchObject({ code: 'PLUGIN_ERROR', details: { plugin: 'odd' } })
  }
})
