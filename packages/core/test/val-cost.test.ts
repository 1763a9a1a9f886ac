import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createToolRuntime, type Json, type ToolResult } from '../src/index.ts'
import { costRatio, fakeTime, property } from './support/property.ts'
import { codeOf } from './support/results.ts'

fakeTime()

const tool = { description: '', parameters: {}, output: { schema: {} } }
let given: unknown
const limits = { depth: 20, nodes: 200, bytes: 2_000 }
const small = createToolRuntime({
  limits,
  tools: [
    { ...tool, name: 'give', execute: () => given as Json },
    { ...tool, name: 'echo', execute: (args) => args },
  ],
})
const roomy = createToolRuntime({
  tools: [
    { ...tool, name: 'give', execute: () => given as Json },
    { ...tool, name: 'echo', execute: (args) => args },
  ],
})

type Door = 'value' | 'arguments' | 'text'

function through(runtime: typeof small, door: Door, value: unknown): Promise<ToolResult> {
  given = value
  if (door === 'value') return runtime.execute({ name: 'give' })
  return runtime.execute({ name: 'echo', arguments: door === 'text' ? JSON.stringify(value) : value })
}

const doors = fc.constantFrom<Door>('value', 'arguments', 'text')

function nested(depth: number, isArray: boolean): unknown {
  let value: unknown = {}
  for (let level = 1; level < depth; level++) value = isArray && level < depth - 1 ? [value] : { in: value }
  return value
}

property(
  'VAL-4: depth is bounded exactly; beyond it comes a clear failure',
  fc.record({ depth: fc.integer({ min: 1, max: 40 }), isArray: fc.boolean(), door: doors }),
  async ({ depth, isArray, door }, witness) => {
    const result = await through(small, door, nested(depth, isArray))
    expect(result.isError).toBe(depth > limits.depth)
    if (!result.isError) return
    expect(result.error.message).toMatch(/nested|deep/)
    expect(result.error.code).toBe(door === 'value' ? 'INVALID_TOOL_OUTPUT' : 'INVALID_ARGS')
    witness()
  },
)

property(
  'VAL-4: node count and byte size are bounded; shared references count each time',
  fc.record({
    width: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 190, max: 205 })),
    height: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 9 })),
    text: fc.oneof(fc.constant(''), fc.string({ unit: 'binary', maxLength: 900 })),
    isObject: fc.boolean(),
    door: doors,
  }),
  async ({ width, height, text, isObject, door }, witness) => {
    let value: unknown = { text }
    let nodes = 2
    let bytes = Buffer.byteLength(text.toWellFormed()) + 4
    for (let level = 0; level < height && nodes < 100_000; level++) {
      const item = width > 30 ? 0 : value
      const items = Array<unknown>(width).fill(item)
      value = isObject
        ? Object.fromEntries(items.map((one, at) => [String.fromCharCode(0x41 + at), one]))
        : { all: items }
      const names = isObject ? Buffer.byteLength(Object.keys(value as object).join('')) : 3
      nodes = (item === 0 ? 1 : nodes) * width + (isObject ? 1 : 2)
      bytes = (item === 0 ? 0 : bytes) * width + names
    }
    if (door === 'text' && nodes > 20_000) return
    const result = await through(small, door, value)
    const isIn = nodes <= limits.nodes && bytes <= limits.bytes
    // Text that JSON carries as escapes is measured as what it stands for; lone surrogates have no UTF-8 of their own.
    if (text.isWellFormed()) expect(result.isError).toBe(!isIn)
    if (result.isError) witness()
  },
)

property(
  'VAL-4: whatever the shape, bombs of depth, width and sharing end in a clear failure',
  fc.record({
    kind: fc.constantFrom('deep', 'deep text', 'wide', 'shared', 'long', 'cycle', 'proxy'),
    size: fc.integer({ min: 1_000, max: 3_000 }),
    door: fc.constantFrom<Door>('value', 'arguments'),
  }),
  async ({ kind, size, door }, witness) => {
    let value: unknown
    if (kind === 'deep') value = nested(size * 10, true)
    if (kind === 'wide') value = { all: new Array(size).fill(0) }
    if (kind === 'long') value = { text: 'x'.repeat(size * 10) }
    if (kind === 'shared') {
      let bomb: unknown = {}
      for (let level = 0; level < 15; level++) bomb = { a: bomb, b: bomb }
      value = bomb
    }
    if (kind === 'cycle') {
      const ring: { [member: string]: unknown } = {}
      ring.ring = { ring }
      value = ring
    }
    if (kind === 'proxy') value = endless()
    if (kind === 'deep text') {
      const result = await small.execute({
        name: 'echo',
        arguments: `{"a":${'['.repeat(size * 10)}${']'.repeat(size * 10)}}`,
      })
      expect(codeOf(result)).toBe('INVALID_ARGS')
    } else {
      const result = await through(small, door, value)
      expect(codeOf(result)).toBe(door === 'value' ? 'INVALID_TOOL_OUTPUT' : 'INVALID_ARGS')
      expect(result.isError && result.error.message.length < 3_000).toBe(true)
    }
    witness()
  },
)

/** An object with a member that is such an object. */
function endless(): object {
  return new Proxy(
    {},
    {
      ownKeys: () => ['next'],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 0 }),
      get: (_target, key) => (key === 'next' ? endless() : undefined),
    },
  )
}

/** How often anything is asked of the objects of a value while `run` uses it. */
async function asked(value: unknown, run: (value: unknown) => Promise<unknown>): Promise<number> {
  let count = 0
  const counted = <T>(given: T): T => {
    count++
    return given
  }
  const watched = (inner: unknown): unknown => {
    if (typeof inner !== 'object' || inner === null) return inner
    const made = new Map<PropertyKey, unknown>()
    const counting = (target: object, key: PropertyKey, receiver: unknown): unknown => {
      count++
      if (!made.has(key)) made.set(key, watched(Reflect.get(target, key, receiver)))
      return made.get(key)
    }
    return new Proxy(inner, {
      get: counting,
      ownKeys: (target) => counted(Reflect.ownKeys(target)),
      getOwnPropertyDescriptor: (target, key) => counted(Reflect.getOwnPropertyDescriptor(target, key)),
      has: (target, key) => counted(Reflect.has(target, key)),
    })
  }
  await run(watched(value))
  return count
}

property(
  'VAL-4: the number of reads grows linearly with size, whatever the shape',
  fc.record({
    size: fc.integer({ min: 5, max: 40 }),
    shape: fc.constantFrom('list', 'rows', 'deep'),
    door: fc.constantFrom<Door>('value', 'arguments'),
  }),
  async ({ size, shape, door }, witness) => {
    const sized = (n: number): unknown => {
      if (shape === 'deep') return nested(Math.min(90, n), false)
      return { all: Array.from({ length: n }, (_, at) => (shape === 'rows' ? { at, more: { at } } : at)) }
    }
    const run = (value: unknown): Promise<unknown> => through(roomy, door, value)
    const factor = shape === 'deep' ? 2 : 8
    const [few, many] = [await asked(sized(size), run), await asked(sized(size * factor), run)]
    expect(few).toBeGreaterThan(0)
    expect(many / few).toBeLessThan(factor * 1.3)
    witness()
  },
)

test('VAL-4: time grows linearly with size for values, arguments and their text', { timeout: 60_000 }, async () => {
  const shapes: readonly ((n: number) => unknown)[] = [
    (n) => ({ rows: Array.from({ length: n }, (_, id) => ({ id, name: `row ${id}`, tags: ['a', 'b'] })) }),
    (n) => Object.fromEntries(Array.from({ length: n }, (_, at) => [`member ${at}`, at])),
    (n) => ({ text: '\\"é'.repeat(n * 4) }),
  ]
  for (const shape of shapes) {
    for (const door of ['value', 'arguments', 'text'] as const) {
      const [few, many] = [shape(2_000), shape(16_000)]
      const run = (value: unknown) => (): Promise<unknown> => through(roomy, door, value)
      const ratio = await costRatio(run(few), run(many))
      expect(ratio, `${door}`).toBeLessThan(32)
    }
  }
})

test('VAL-4: a nested schema is not walked again at each level', { timeout: 60_000 }, async () => {
  const schemaOf = (depth: number): object => {
    let schema: object = { type: 'integer' }
    for (let level = 0; level < depth; level++)
      schema = { type: 'object', properties: { in: schema }, required: ['in'] }
    return schema
  }
  const judged = (depth: number) => async (): Promise<void> => {
    const runtime = createToolRuntime({
      tools: [{ ...tool, name: 'tool', parameters: schemaOf(depth), execute: () => 1 }],
    })
    let args: unknown = 'no integer'
    for (let level = 0; level < depth; level++) args = { in: args }
    expect(codeOf(await runtime.execute({ name: 'tool', arguments: args }))).toBe('INVALID_ARGS')
  }
  expect(await costRatio(judged(6), judged(48))).toBeLessThan(32)
})
