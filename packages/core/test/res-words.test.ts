import * as fc from 'fast-check'
import { expect } from 'vitest'
import { type AnyTool, createToolRuntime, errorCodes, type Plugin, ToolError, type ToolResult } from '../src/index.ts'
import { world } from './support/arbitraries.ts'
import { throwables } from './support/hostile.ts'
import { resultsByNumber } from './support/observe.ts'
import { explored, fakeTime, property } from './support/property.ts'
import { codeOf, textsOf, wordsOf } from './support/results.ts'
import { play } from './support/rig.ts'

fakeTime()

const rule = explored(world())

const thrown: fc.Arbitrary<{ readonly thrown: unknown }> = fc.oneof(
  fc.nat(throwables.length - 1).map((at) => ({ thrown: throwables[at]?.() })),
  fc
    .anything({ withBigInt: true, withDate: true, withNullPrototype: true, withSparseArray: true })
    .map((any) => ({ thrown: any })),
  fc.string({ unit: 'binary' }).map((words) => ({ thrown: new Error(words) })),
)

const doors = [
  'body',
  'async body',
  'preExecute',
  'execute',
  'postExecute',
  'guard',
  'approver',
  'journal',
  'nested',
] as const

/** A runtime of one tool in which `what` is thrown behind one door. */
function throwing(
  door: (typeof doors)[number],
  isAsync: boolean,
  what: { readonly thrown: unknown },
): Promise<ToolResult> {
  const out = (at: (typeof doors)[number]): undefined | Promise<never> => {
    if (at !== door) return undefined
    if (isAsync) return Promise.reject(what.thrown)
    throw what.thrown
  }
  const tool: AnyTool = {
    name: 'tool',
    description: '',
    parameters: {},
    output: { schema: {} },
    async execute(_args, exec) {
      await out('async body')
      return door === 'nested' ? exec.invoke('inner') : 1
    },
  }
  const plugin: Plugin = {
    name: 'plugin',
    preExecute: (_exec, next) => (out('preExecute') ?? (door === 'approver' ? { kind: 'ask' } : next())) as never,
    execute: (_exec, next) => out('execute') ?? next(),
    postExecute: (_exec, _result, next) => out('postExecute') ?? next(),
  }
  const runtime = createToolRuntime({
    tools: [
      door === 'body' ? { ...tool, execute: () => out('body') as never } : tool,
      { ...tool, name: 'inner', execute: () => Promise.reject(what.thrown) },
    ],
    plugins: [plugin],
    guards: [() => out('guard') as never],
    journal: { append: (entry) => (entry.type === 'tool/call' ? out('journal') : undefined) },
    approver: { request: () => (out('approver') ?? 'allow') as never },
  })
  return runtime.execute({ name: 'tool' })
}

property(
  'RES-6: whatever is thrown, wherever, yields a failure with a printable message',
  fc.record({ door: fc.constantFrom(...doors), isAsync: fc.boolean(), what: thrown }),
  async ({ door, isAsync, what }, witness) => {
    const result = await throwing(door, isAsync, what)
    expect(result.isError).toBe(true)
    if (!result.isError) return
    expect(result.error.message.trim()).not.toBe('')
    expect(result.error.message.isWellFormed()).toBe(true)
    expect(result.error.message.length).toBeLessThan(10_000)
    expect(wordsOf(result).trim()).not.toBe('')
    witness()
  },
)

rule('RES-8: all text in content is well-formed Unicode', (history, witness) => {
  for (const { content } of [...history.results, ...resultsByNumber(history).values()]) {
    expect(textsOf(content).every((text) => text.isWellFormed())).toBe(true)
    if (textsOf(content).some((text) => text.includes('\ufffd'))) witness()
  }
})

const lone = fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }).map((text) => `${text}\ud800${text}\udc01`)

property(
  'RES-8: lone surrogates become U+FFFD in content and context, from whomever they come',
  fc.record({
    words: lone,
    name: lone,
    door: fc.constantFrom('value', 'member', 'render', 'throw', 'guard', 'deny', 'block', 'post', 'context', 'unknown'),
  }),
  async ({ words, name, door }, witness) => {
    const text = [{ type: 'text' as const, text: words, _meta: { [name]: words } }]
    const on = <T>(at: string, value: T): T | undefined => (at === door ? value : undefined)
    const runtime = createToolRuntime({
      tools: [
        {
          name: 'tool',
          description: '',
          parameters: {},
          output: { schema: {}, ...(door === 'render' && { render: () => text }) },
          execute(_args, exec) {
            if (door === 'throw') throw new Error(words)
            exec.deferContext(words)
            return door === 'member' ? { [name]: words } : words
          },
        },
      ],
      plugins: [
        {
          name: 'plugin',
          preExecute: (_exec, next) => on('deny', { kind: 'deny', reason: words }) ?? next(),
          postExecute: (_exec, _result, next) =>
            on('block', { kind: 'block', feedback: text }) ??
            on('post', { kind: 'accept', content: text }) ??
            on('context', { kind: 'accept', context: [words] }) ??
            next(),
        },
      ],
      guards: [() => on('guard', words)],
    })
    const result = await runtime.execute({ name: door === 'unknown' ? name : 'tool' })
    for (const seen of [...textsOf(result.content), ...(result.context ?? [])]) expect(seen.isWellFormed()).toBe(true)
    expect([...textsOf(result.content), ...(result.context ?? [])].join('')).toContain('\ufffd')
    witness()
  },
)

property("RES-8: a failure's content says what failed", world({ plugins: fc.constant([]) }), async (made, witness) => {
  const history = await play(made)
  for (const [n, call] of made.calls.entries()) {
    const result = history.results[n]
    if (result?.isError !== true || !['undefined', 'throw'].includes(call.finalize)) continue
    expect(wordsOf(result)).toContain(result.error.code)
    expect(wordsOf(result)).toContain(result.error.message)
    witness()
  }
})

property(
  "RES-8: a failure's content says the way out, where there is one",
  fc.record({
    names: fc.uniqueArray(fc.stringMatching(/^[a-z_]{5,12}$/), { minLength: 1, maxLength: 4 }),
    at: fc.nat(),
    slip: fc.nat(),
  }),
  async ({ names, at, slip }, witness) => {
    const tool = {
      description: '',
      parameters: { path: { type: 'string', required: true } } as const,
      output: { schema: {} },
      execute: () => 1,
    }
    const runtime = createToolRuntime({ tools: names.map((name) => ({ ...tool, name })) })
    const meant = names[at % names.length] as string
    const misspelt = `${meant.slice(0, slip % meant.length)}${meant.slice((slip % meant.length) + 1)}`
    const [unknown, invalid] = await runtime.dispatch([
      { name: misspelt, arguments: { path: 'x' } },
      { name: meant, arguments: { pth: 'x' } },
    ])
    if (!names.includes(misspelt)) {
      expect(codeOf(unknown)).toBe('UNKNOWN_TOOL')
      expect(names.some((name) => wordsOf(unknown as ToolResult).includes(`"${name}"`))).toBe(true)
      witness()
    }
    expect(codeOf(invalid)).toBe('INVALID_ARGS')
    expect(wordsOf(invalid as ToolResult)).toContain('path')
  },
)

const codes = Object.keys(errorCodes)

property(
  'RES-10: a tool that throws a reserved code gets TOOL_ERROR with details.code, whatever way it takes',
  fc.record({
    code: fc.oneof(fc.constantFrom(...codes), fc.constantFrom('NOT_FOUND', '__proto__', 'toString', 'denied', '')),
    way: fc.constantFrom('throw', 'reject', 'fail', 'nested', 'lookalike'),
    isRetried: fc.boolean(),
    isAborted: fc.boolean(),
  }),
  async ({ code, way, isRetried, isAborted }, witness) => {
    const controller = new AbortController()
    const out = (exec: { fail(error: { code: string; message: string }): unknown }): unknown => {
      if (isAborted) controller.abort()
      if (way === 'fail') return exec.fail({ code, message: 'its own words' })
      const error =
        way === 'lookalike'
          ? Object.assign(new Error('its own words'), { code, name: 'ToolError' })
          : new ToolError(code, 'its own words')
      if (way === 'reject') return Promise.reject(error)
      throw error
    }
    const tool = { description: '', parameters: {}, output: { schema: {} } }
    const runtime = createToolRuntime({
      tools: [
        { ...tool, name: 'inner', execute: (_args, exec) => out(exec) as never },
        {
          ...tool,
          name: 'outer',
          execute: (_args, exec) => (way === 'nested' ? exec.invoke('inner') : (out(exec) as never)),
        },
      ],
      plugins: isRetried ? [{ name: 'r', role: 'retry', execute: (_exec, next) => next().then(() => next()) }] : [],
    })
    const result = await runtime.execute({ name: 'outer' }, { signal: controller.signal })
    expect(result.isError).toBe(true)
    if (!result.isError) return
    const isReserved = codes.includes(code)
    if (isRetried && isAborted) return // the second try is refused, which is the pipeline's own word
    if (way === 'lookalike' || code === '') expect(result.error.code).toBe('TOOL_ERROR')
    else if (isReserved && !(way === 'nested' && isAborted)) {
      expect(result.error.code).toBe('TOOL_ERROR')
      if (way !== 'nested') expect(result.error.details?.code).toBe(code)
      witness()
    } else if (!isReserved && way !== 'nested') expect(result.error.code).toBe(code)
  },
)
