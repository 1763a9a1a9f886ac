import * as fc from 'fast-check'
import { expect } from 'vitest'
import { createToolRuntime, type JournalEntry } from '../src/index.ts'
import { json, jsonObject } from './support/hostile.ts'
import { fakeTime, property } from './support/property.ts'
import { codeOf } from './support/results.ts'

fakeTime()

const tool = { description: '', parameters: {}, output: { schema: {} } }

const literal = fc.oneof(
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }).map(String),
  fc.bigInt({ min: -(2n ** 53n) - 3n, max: -(2n ** 53n) + 3n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.tuple(fc.integer(), fc.integer({ min: 290, max: 330 })).map(([digits, exponent]) => `${digits}e${exponent}`),
  fc.integer().map(String),
)

property(
  'VAL-9: an integer literal beyond ±(2⁵³−1), or a number that becomes infinite, is refused with a hint, never rounded silently',
  fc.record({ literal, place: fc.constantFrom('member', 'item', 'deep', 'text', 'name') }),
  async ({ literal, place }, witness) => {
    const text = {
      member: `{"n":${literal}}`,
      item: `{"n":[1, ${literal} ]}`,
      deep: `{"n":{"a":[{"b":\n${literal}}]}}`,
      text: `{"n":"${literal} \\" ${literal}"}`,
      name: `{"${literal}":1}`,
    }[place]
    const runtime = createToolRuntime({ tools: [{ ...tool, name: 'echo', execute: (args) => args }] })
    const result = await runtime.execute({ name: 'echo', arguments: text })
    const isInteger = /^-?\d+$/.test(literal)
    const isUnsafe = isInteger
      ? !Number.isSafeInteger(Number(literal)) || BigInt(Number(literal)) !== BigInt(literal)
      : !Number.isFinite(Number(literal))
    const isRefused = isUnsafe && place !== 'text' && place !== 'name'
    expect(codeOf(result)).toBe(isRefused ? 'INVALID_ARGS' : undefined)
    if (isRefused) {
      expect(result.isError && result.error.message).toMatch(isInteger ? /string/ : /too large/)
      witness()
    } else
      expect(!result.isError && JSON.stringify(result.value).replaceAll('-0', '0')).toBe(
        JSON.stringify(JSON.parse(text)).replaceAll('-0', '0'),
      )
  },
)

property(
  'VAL-10: every stage, person, journal and cache sees the one parsed value, never the raw text',
  fc.record({ value: jsonObject, indent: fc.constantFrom(undefined, ' ', '\t'), isText: fc.boolean() }),
  async ({ value, indent, isText }, witness) => {
    const seen: unknown[] = []
    const text = JSON.stringify(value, undefined, indent)
    if (/\d{16,}/.test(text)) return // VAL-9's
    const given = <T>(args: unknown, answer: T): T => {
      seen.push(args)
      return answer
    }
    const saw = (exec: { readonly arguments: unknown }): void => void seen.push(exec.arguments)
    const entries: JournalEntry[] = []
    const runtime = createToolRuntime({
      tools: [
        {
          ...tool,
          name: 'tool',
          isConcurrencySafe: (args) => given(args, false),
          output: { schema: {}, render: (args) => given(args, []) },
          execute: (args, exec) => given(args, given(exec.arguments, 1)),
        },
      ],
      plugins: [
        {
          name: 'plugin',
          onCall: saw,
          onResult: saw,
          preExecute: (exec) => given(exec.arguments, { kind: 'ask' }),
          execute: (exec, next) => given(exec.arguments, next()),
          postExecute: (exec, _result, next) => given(exec.arguments, next()),
        },
      ],
      guards: [saw as never],
      approver: { request: (exec) => given(exec.arguments, 'allow') },
      journal: { append: (entry) => void entries.push(entry) },
    })
    const result = await runtime.execute({ name: 'tool', arguments: isText ? text : value })
    expect(result.isError).toBe(false)
    expect(seen.length).toBeGreaterThanOrEqual(10)
    for (const one of seen) expect(one).toBe(seen[0])
    expect(JSON.stringify(seen[0])).toBe(JSON.stringify(JSON.parse(text)))
    expect(entries[0]).toMatchObject({ type: 'tool/call' })
    expect('arguments' in entries[0]! && entries[0].arguments).toBe(seen[0])
    if (Object.keys(value).length > 0) witness()
  },
)

const escaped = (name: string): string =>
  `"${[...name].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`

property(
  'VAL-10: duplicate member names in the text are refused, however they are written and however deep',
  fc.record({
    name: fc.oneof(fc.stringMatching(/^[a-z"\\:{}]{1,4}$/), fc.constantFrom('__proto__', '')),
    other: fc.stringMatching(/^[A-Z]{1,4}$/),
    isTwice: fc.boolean(),
    isEscaped: fc.boolean(),
    depth: fc.nat(3),
    value: json,
  }),
  async ({ name, other, isTwice, isEscaped, depth, value }, witness) => {
    const inner = JSON.stringify(value)
    if (/\d{16,}/.test(inner)) return
    const second = isTwice ? (isEscaped ? escaped(name) : JSON.stringify(name)) : JSON.stringify(other)
    let text = `{${JSON.stringify(name)}:${inner},"X1":{${JSON.stringify(name)}:1},${second}:2}`
    for (let level = 0; level < depth; level++)
      text = level % 2 === 0 ? `{"in":${text},"b":1}` : `{"in":[${text},${text}]}`
    const runtime = createToolRuntime({ tools: [{ ...tool, name: 'echo', execute: (args) => args }] })
    const result = await runtime.execute({ name: 'echo', arguments: text })
    expect(codeOf(result)).toBe(isTwice ? 'INVALID_ARGS' : undefined)
    if (!isTwice) return expect(!result.isError && JSON.stringify(result.value)).toBe(JSON.stringify(JSON.parse(text)))
    expect(result.isError && result.error.message).toContain('twice')
    witness()
  },
)

property(
  'VAL-10: empty text, blank text, null and undefined mean {}; what is no JSON object is refused',
  fc.oneof(
    fc
      .constantFrom<unknown>(undefined, null, '', ' ', '\n\t ', '\ufeff', '{}', '\ufeff{}')
      .map((given) => ({ given, isEmpty: true })),
    fc
      .constantFrom<unknown>(
        'null',
        '[]',
        '1',
        '"{}"',
        '{"a":',
        '{"a":1}}',
        '```json\n{}\n```',
        "{'a':1}",
        '{a:1}',
        '{"a":1,}',
        'undefined',
        7,
        true,
        [],
        'NaN',
        '{"a":NaN}',
      )
      .map((given) => ({ given, isEmpty: false })),
  ),
  async ({ given, isEmpty }, witness) => {
    const entries: JournalEntry[] = []
    const runtime = createToolRuntime({
      tools: [{ ...tool, name: 'echo', execute: (args) => args }],
      journal: { append: (entry) => void entries.push(entry) },
    })
    const result = await runtime.execute({ name: 'echo', arguments: given })
    expect(codeOf(result)).toBe(isEmpty ? undefined : 'INVALID_ARGS')
    expect(entries[0]).toMatchObject({ type: 'tool/call', arguments: {} })
    expect(Object.hasOwn(entries[0]!, 'malformed')).toBe(!isEmpty)
    if (!isEmpty) witness()
    else expect(!result.isError && result.value).toEqual({})
  },
)
