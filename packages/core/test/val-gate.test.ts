import * as fc from 'fast-check'
import { expect } from 'vitest'
import { createToolRuntime, type Exec, type Json, type Plugin } from '../src/index.ts'
import { json, jsonObject, refused } from './support/hostile.ts'
import { fakeTime, property } from './support/property.ts'
import { codeOf, expectDeepFrozen } from './support/results.ts'

fakeTime()

const tool = { description: '', parameters: {}, output: { schema: {} } }

const sources = ['body', 'succeed', 'wrapper', 'lookalike', 'post hook', 'nested'] as const

property(
  'VAL-6: a value from a cache, a wrapper or a post hook passes the same gate as one from the body',
  fc.record({
    from: fc.constantFrom(...sources),
    what: fc.constantFrom('good', 'refused', 'violation'),
    value: json,
    bad: fc.nat(refused.length - 1),
    isAsync: fc.boolean(),
  }),
  async ({ from, what, value, bad, isAsync }, witness) => {
    const given = { good: { good: value }, refused: { bad: refused[bad]?.make() }, violation: 'violation' }[
      what
    ] as Json
    const later = <T>(said: T): T => (isAsync ? (Promise.resolve(said) as T) : said)
    const execute: Plugin['execute'] = (exec, next) => {
      if (from === 'wrapper') return next().then(() => exec.succeed(given))
      return later(from === 'succeed' ? exec.succeed(given) : ({ isError: false, value: given } as never))
    }
    const runtime = createToolRuntime({
      tools: [
        {
          ...tool,
          name: 'tool',
          output: { schema: { anyOf: [{ not: { const: 'violation' } }] } },
          execute: (_args, exec) =>
            from === 'nested' ? exec.invoke('inner') : later(from === 'body' ? given : 'from the body'),
        },
        {
          ...tool,
          name: 'inner',
          output: { schema: { anyOf: [{ not: { const: 'violation' } }] } },
          execute: () => later(given),
        },
      ],
      plugins: [
        {
          name: 'plugin',
          ...(from === 'post hook' && {
            postExecute: (_exec: Exec, result) =>
              later({ kind: 'accept' as const, ...(result.name === 'tool' && { value: given }) }),
          }),
          ...(['succeed', 'wrapper', 'lookalike'].includes(from) && { execute }),
        } as Plugin,
      ],
    })
    const result = await runtime.execute({ name: 'tool' })
    expectDeepFrozen(result)
    if (what === 'good') expect(!result.isError && result.value).toEqual({ good: value })
    else if (from === 'nested') expect(codeOf(result)).toBe('TOOL_ERROR')
    else expect(codeOf(result)).toBe('INVALID_TOOL_OUTPUT')
    if (what !== 'good') witness()
  },
)

/** An object each of whose members, at any depth, counts how often it was asked for, and lies from the second time on. */
function counting(value: unknown, counts: Map<string, number>, at = ''): unknown {
  if (typeof value !== 'object' || value === null) return value
  const made: object = Array.isArray(value) ? [] : {}
  for (const [name, member] of Object.entries(value)) {
    const place = `${at}[${JSON.stringify(name)}]`
    const inner = counting(member, counts, place)
    Object.defineProperty(made, name, {
      enumerable: true,
      configurable: true,
      get() {
        const count = (counts.get(place) ?? 0) + 1
        counts.set(place, count)
        return count === 1 ? inner : 'a lie'
      },
    })
  }
  return made
}

const handings = [
  'value',
  'arguments',
  'call',
  'succeed',
  'lookalike',
  'details',
  'fail',
  'note',
  'render',
  'finalize',
  'decision',
  'rewrite',
  'answer',
  'post',
  'block',
  'invoke',
] as const

property(
  'VAL-7: each property of what is handed in is read at most once',
  // `then` is asked for by the platform itself wherever something is awaited.
  fc.record({
    door: fc.constantFrom(...handings),
    value: jsonObject.filter((made) => !JSON.stringify(made).includes('"then"')),
  }),
  async ({ door, value }, witness) => {
    const counts = new Map<string, number>()
    const counted = <T>(made: T): T => counting(made, counts) as T
    let isHanded = false
    const on = <T>(here: (typeof handings)[number], made: () => T): T | undefined => {
      if (here !== door || isHanded) return undefined
      isHanded = true
      return counted(made())
    }
    const content = () => [{ type: 'text' as const, text: 'x', _meta: value as never }]
    let seen: unknown
    const runtime = createToolRuntime({
      tools: [
        {
          ...tool,
          name: 'tool',
          output: { schema: {}, render: () => on('render', content) ?? [] },
          finalizeContent: () => on('finalize', content),
          async execute(args, exec) {
            seen = args
            const notes = on('note', () => ({ mine: value }))
            if (notes !== undefined) exec.note(notes)
            if (door === 'invoke') return exec.invoke('inner', counted(value))
            if (door === 'details') return exec.fail({ code: 'OWN', message: 'x', details: counted(value) })
            if (door === 'fail')
              return exec.fail(counted({ code: 'OWN', message: 'x', retryable: true, details: value }))
            if (door === 'succeed') return exec.succeed(counted(value))
            return (on('value', () => value) ?? 1) as Json
          },
        },
        { ...tool, name: 'inner', execute: (args) => args },
      ],
      plugins: [
        {
          name: 'plugin',
          preExecute: () =>
            on('decision', () => ({ kind: 'ask' as const, reason: 'please' })) ??
            on('rewrite', () => ({ kind: 'allow' as const, arguments: value })) ??
            (door === 'answer' ? { kind: 'ask' } : { kind: 'allow' }),
          execute: (_exec, next) =>
            on('lookalike', () => ({ isError: false as const, value: value as Json })) ?? next(),
          postExecute: () =>
            on('post', () => ({ kind: 'accept' as const, content: content() })) ??
            on('block', () => ({ kind: 'block' as const, feedback: content() })) ?? { kind: 'accept' },
        },
      ],
      approver: {
        request: () => on('answer', () => ({ decision: 'allow' as const, reason: 'r', remember: 'm' })) ?? 'allow',
      },
    })
    const call = { id: 'a', name: 'tool', arguments: door === 'arguments' ? counted(value) : {} }
    const result = await runtime.execute(door === 'call' ? counted(call) : call)
    const twice = [...counts].filter(([, count]) => count > 1)
    expect(twice).toEqual([])
    expect(JSON.stringify(result)).not.toContain('a lie')
    if (door === 'arguments') expect(JSON.stringify(seen)).toBe(JSON.stringify(value))
    if (counts.size > 1) witness()
  },
)
