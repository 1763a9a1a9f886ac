import { deepStrictEqual } from 'node:assert/strict'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultLimits, isJsonObject, type Json, snapshot, ValueRefused } from './json.ts'

const runs = { numRuns: 1_000 }

/** JSON values whose names include what every object has, and whose texts include lone surrogates. */
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('json'), { maxLength: 5 }),
    fc
      .array(
        fc.tuple(fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', '', '7'), fc.string()), tie('json')),
      )
      .map((members) => Object.fromEntries(members) as Json),
  ),
}))

function refusalOf(value: unknown, limits = defaultLimits): ValueRefused {
  try {
    snapshot(value, limits)
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ValueRefused)
    const refused = thrown as ValueRefused
    expect(refused.message).toBe(`${refused.path}: ${refused.reason}`)
    return refused
  }
  throw new Error('it was accepted')
}

function isDeepFrozen(value: Json): boolean {
  return (
    Object.isFrozen(value) && (typeof value !== 'object' || value === null || Object.values(value).every(isDeepFrozen))
  )
}

/** Reads the member that a path such as `$.a[0]["b c"]` leads to. */
function follow(value: unknown, path: string): unknown {
  const steps = path.slice(1).matchAll(/\.([\w$]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g)
  let found = value
  for (const [, name, index, quoted] of steps) {
    const key = name ?? index ?? (JSON.parse(quoted as string) as string)
    found = (found as { [member: string]: unknown })[key]
  }
  return found
}

const fail = (thrown: unknown) => (): never => {
  throw thrown
}
const hiding = (thrown: unknown) => Object.defineProperty({}, 'x', { enumerable: true, get: fail(thrown) })

const offenders: { readonly [what: string]: unknown } = {
  function: () => 1,
  symbol: Symbol('s'),
  bigint: 9007199254740997n,
  NaN: Number.NaN,
  Infinity: -Infinity,
  Date: new Date(0),
  Map: new Map(),
  Set: new Set(),
  URL: new URL('http://localhost'),
  RegExp: /x/,
  Error: new TypeError('boom'),
  Promise: Promise.resolve(),
  Proxy: new Proxy({}, { ownKeys: fail(new Error('p')) }),
  class: new (class Foo {
    a = 1
  })(),
  'a class named as a member of every object': new { toString: class {} }.toString(),
  'null class': Object.create(Object.create(null)),
  boxed: Object(1),
  holes: new Array(3),
}

test('VAL-1 An accepted value equals its JSON round trip (−0 having become 0), and is deep-frozen', () => {
  fc.assert(
    fc.property(json, (value) => {
      const copy = snapshot(value, defaultLimits)
      deepStrictEqual(copy, JSON.parse(JSON.stringify(value)))
      deepStrictEqual(JSON.parse(JSON.stringify(copy)), copy)
      expect(isDeepFrozen(copy)).toBe(true)
    }),
    runs,
  )
})

test('VAL-1 the refused kinds are refused with the path of the offending member', () => {
  const steps = fc.array(fc.oneof(fc.nat({ max: 3 }), fc.string({ maxLength: 12 })), { maxLength: 8 })
  fc.assert(
    fc.property(steps, fc.constantFrom(...Object.keys(offenders)), json, (keys, kind, beside) => {
      const offender = offenders[kind]
      const value = keys.reduceRight<unknown>((inner, key) => {
        if (typeof key === 'number') return [...new Array(key).fill(beside), inner]
        return Object.fromEntries([
          ['beside', beside],
          [key, inner],
        ])
      }, offender)
      const { path } = refusalOf(value)
      expect(follow(value, kind === 'holes' ? path.replace(/\[0\]$/, '') : path)).toBe(offender)
    }),
    runs,
  )
})

test.each([
  [{ d: new Date(Number.NaN) }, '$.d: a Date; use its toISOString()'],
  [{ m: new Map() }, '$.m: a Map; use Object.fromEntries(map)'],
  [{ rows: [1, { 'a b': 1n }] }, '$.rows[1]["a b"]: a bigint; use String(value)'],
  [() => 1, '$: a function; call it or leave it out'],
  [{ e: new RangeError('x') }, '$.e: a RangeError; use its message'],
  [Object.assign(new Array(3), { 0: 1, 2: 3 }), '$[1]: an array with holes; fill them with null'],
  [hiding(new Error('g')), '$.x: reading it threw (g); give plain data'],
  [hiding(new RangeError('odd')), '$.x: reading it threw (odd); give plain data'],
  [hiding(undefined), '$.x: reading it threw (undefined was thrown); give plain data'],
])('VAL-1 the reason names the way out: %#', (value, message) => {
  expect(refusalOf(value).message).toBe(message)
})

test('VAL-1 cycles are refused where they close', () => {
  const self: { [member: string]: unknown } = { before: { list: [1] } }
  self.inner = [{ self }]
  expect(refusalOf(self).path).toBe('$.inner[0].self')
})

test('VAL-1 an undefined member is absent, an undefined value null, bytes base64, toJSON is data', () => {
  const given = {
    a: undefined,
    b: [undefined, 1, -0],
    c: Buffer.from('hi'),
    d: new Uint16Array([1]),
    e: new ArrayBuffer(1),
  }
  expect(snapshot(given, defaultLimits)).toStrictEqual({ b: [null, 1, 0], c: 'aGk=', d: 'AQA=', e: 'AA==' })
  expect(snapshot(new DataView(new ArrayBuffer(4), 1, 1), defaultLimits)).toBe('AA==')
  expect(snapshot(undefined, defaultLimits)).toBe(null)
  expect(snapshot({ toJSON: 1 }, defaultLimits)).toEqual({ toJSON: 1 })
  expect(refusalOf({ toJSON: () => 1 }).path).toBe('$.toJSON')
  expect(snapshot('\ud83d', defaultLimits)).toBe('\ud83d')
})

test('objects of another realm and without a prototype are plain; symbol keys and hidden members do not count', () => {
  const other = runInNewContext('({ a: [1, { b: new Uint8Array(1) }] })')
  expect(JSON.stringify(snapshot(other, defaultLimits))).toBe('{"a":[1,{"b":"AA=="}]}')
  expect(refusalOf(runInNewContext('({ d: new Date(0) })')).message).toMatch(/^\$\.d: a Date/)
  const bare = Object.assign(Object.create(null), { a: 1, [Symbol('s')]: 2 })
  Object.defineProperty(bare, 'hidden', { value: () => 1 })
  expect(snapshot(bare, defaultLimits)).toStrictEqual({ a: 1 })
})

test('members that somebody added to Object.prototype do not count', () => {
  Object.defineProperty(Object.prototype, 'everywhere', {
    value: 1,
    enumerable: true,
    configurable: true,
    writable: true,
  })
  try {
    const copy = snapshot({ a: { b: 1 } }, defaultLimits) as { readonly [member: string]: Json }
    expect([Object.keys(copy), Object.keys(copy.a as object)]).toEqual([['a'], ['b']])
  } finally {
    Reflect.deleteProperty(Object.prototype, 'everywhere')
  }
})

test("VAL-2 The caller's and the tool's own objects are neither frozen, changed nor kept", () => {
  fc.assert(
    fc.property(json.filter(isContainer), (value) => {
      const before = structuredClone(value)
      const copy = snapshot(value, defaultLimits)
      deepStrictEqual(value, before)
      const objects = everyObject(copy)
      for (const own of everyObject(value)) expect([Object.isFrozen(own), objects.has(own)]).toEqual([false, false])
    }),
    runs,
  )
})

test('VAL-4 Depth, node count and byte size are bounded, each to the unit', () => {
  fc.assert(
    fc.property(json, (value) => {
      const depth = depthOf(value)
      const nodes = nodesOf(value)
      const bytes = bytesOf(value)
      const exact = { depth, nodes, bytes }
      deepStrictEqual(snapshot(value, exact), snapshot(value, defaultLimits))
      if (depth > 0) expect(refusalOf(value, { ...exact, depth: depth - 1 }).reason).toMatch(/nested deeper/)
      expect(refusalOf(value, { ...exact, nodes: nodes - 1 }).reason).toMatch(/more than/)
      if (bytes > 0) expect(refusalOf(value, { ...exact, bytes: bytes - 1 }).reason).toMatch(/UTF-8/)
    }),
    runs,
  )
})

test('VAL-4 beyond the bounds comes a clear failure, never a stack overflow or a hang', () => {
  const deep = (levels: number) => Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 1)
  expect(() => snapshot(deep(1_000), { ...defaultLimits, depth: 1_000 })).not.toThrow()
  expect(refusalOf(deep(1_001), { ...defaultLimits, depth: 1_000 }).reason).toMatch(/deeper than 1000/)
  expect(refusalOf(deep(100_000), { ...defaultLimits, depth: 1_000_000 }).reason).toMatch(/too deeply for this stack/)
  const doubled = Array.from({ length: 60 }).reduce<unknown>((inner) => [inner, inner], 1)
  expect(refusalOf(doubled).reason).toMatch(/more than 1000000 values/)
  expect(refusalOf(new Array(4_000_000_000)).reason).toMatch(/more than/)
  const texts = new Array(300_000).fill('abc')
  expect(snapshot(texts, { ...defaultLimits, bytes: 900_000 })).toHaveLength(300_000)
  expect(refusalOf(texts, { ...defaultLimits, bytes: 899_999 }).reason).toMatch(/UTF-8/)
})

test('VAL-7 Each property of what is handed in is read at most once', () => {
  fc.assert(
    fc.property(json, (value) => {
      const reads: string[] = []
      const watched = watch(value, '$', reads)
      deepStrictEqual(snapshot(watched, defaultLimits), snapshot(value, defaultLimits))
      expect(new Set(reads).size).toBe(reads.length)
    }),
    runs,
  )
})

test('what throws at the reading is refused, also a revoked proxy and a proxy that lies', () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  expect(refusalOf(proxy).path).toBe('$')
  expect(refusalOf({ a: [proxy] }).path).toBe('$.a[0]')
  const liar = new Proxy([], { get: (_, key) => (key === 'length' ? 'abc' : 1) })
  expect(refusalOf({ liar }).path).toBe('$.liar')
  expect(refusalOf([new Proxy({ a: 1 }, { getPrototypeOf: fail(new Error('no')) })]).path).toBe('$[0]')
})

test('a walk that a getter starts inside another walk has counters of its own', () => {
  const limits = { ...defaultLimits, nodes: 5 }
  const value = {
    get a() {
      return (snapshot([1, 2, 3, 4], limits) as Json[]).length
    },
    b: 1,
  }
  expect(snapshot(value, { ...limits, nodes: 3 })).toEqual({ a: 4, b: 1 })
})

test('isJsonObject tells objects from everything else', () => {
  expect([{}, Object.create(null)].every(isJsonObject)).toBe(true)
  expect([null, [], 'a', 1, undefined].some(isJsonObject)).toBe(false)
})

function isContainer(value: Json): boolean {
  return typeof value === 'object' && value !== null
}

function children(value: Json): readonly Json[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : []
}

function everyObject(value: Json): Set<unknown> {
  const below = children(value).flatMap((child) => [...everyObject(child)])
  return new Set(isContainer(value) ? [value, ...below] : below)
}

function depthOf(value: Json): number {
  return isContainer(value) ? 1 + Math.max(0, ...children(value).map(depthOf)) : 0
}

function nodesOf(value: Json): number {
  return children(value).reduce<number>((sum, child) => sum + nodesOf(child), 1)
}

function bytesOf(value: Json): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  const names = isJsonObject(value) ? Buffer.byteLength(Object.keys(value).join('')) : 0
  return children(value).reduce<number>((sum, child) => sum + bytesOf(child), names)
}

function watch(value: Json, path: string, reads: string[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  return new Proxy(value, {
    get(target, key, receiver) {
      const at = `${path}/${JSON.stringify(String(key))}`
      reads.push(at)
      return watch(Reflect.get(target, key, receiver) as Json, at, reads)
    },
  })
}
