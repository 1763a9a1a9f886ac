import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeThrown } from './thrown.ts'

const { proxy: revoked, revoke } = Proxy.revocable({}, {})
revoke()
const fail = () => {
  throw new Error('trap')
}
const hostile = [
  revoked,
  new Proxy({}, { get: fail, getPrototypeOf: fail, has: fail, ownKeys: fail }),
  new Proxy(() => 1, { get: fail }),
  Object.create(null),
  { toString: fail, valueOf: fail, [Symbol.toPrimitive]: fail },
  {
    get message() {
      throw undefined
    },
  },
  { message: { toString: fail }, name: 1, cause: revoked },
  { errors: revoked, cause: null },
  { errors: new Proxy([], { get: fail }) },
  Symbol('s'),
  Object.freeze(new Error('frozen')),
]

test('RES-6 Whatever is thrown, strings, `undefined`, objects whose getters throw, revoked proxies, yields a printable message', () => {
  // As functions, because fast-check asks the values that it makes for members, and some of these answer nobody.
  const anything: fc.Arbitrary<() => unknown> = fc.oneof(
    fc.constantFrom(
      ...[...hostile, undefined, null, '', ' ', Number.NaN, 1n, new Error('')].map((value) => () => value),
    ),
    fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true }).map((value) => () => value),
    fc.string({ unit: 'binary', maxLength: 3_000 }).map((value) => () => value),
  )
  const error = fc
    .record({ message: anything, name: anything, cause: anything, code: anything, errors: fc.array(anything) })
    .map(({ message, name, cause, code, errors }) => () => {
      const members = {
        message: message(),
        name: name(),
        cause: cause(),
        code: code(),
        errors: errors.map((make) => make()),
      }
      return Object.assign(new Error('x'), members)
    })
  fc.assert(
    fc.property(fc.oneof(anything, error), (make) => {
      const { name, message } = describeThrown(make())
      expect([typeof message, message.trim() !== '', message.length <= 2_000, message.isWellFormed()]).toEqual([
        'string',
        true,
        true,
        true,
      ])
      if (name !== undefined) expect([name.trim() !== '', name.isWellFormed()]).toEqual([true, true])
    }),
    { numRuns: 2_000 },
  )
})

test('RES-6 a long message is cut at the mark and never in a surrogate pair', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3_000 }), (length) => {
      const { message } = describeThrown(new Error(`${'x'.repeat(length)}${'\u{1f600}'.repeat(1_000)}`))
      expect([message.length <= 2_000, message.includes('\ufffd'), message.endsWith('…')]).toEqual([
        true,
        false,
        length > 0,
      ])
    }),
    { numRuns: 1_000, examples: [[0], [1]] },
  )
})

test('each property is read once, and the thrown object is not modified', () => {
  const reads: PropertyKey[] = []
  const watched = new Proxy(Object.freeze({}), {
    get(_, key) {
      reads.push(key)
      return undefined
    },
  })
  describeThrown(watched)
  expect(reads.length).toBe(new Set(reads).size)
})

test.each([
  [undefined, 'undefined was thrown'],
  [null, 'null was thrown'],
  ['', 'an empty text was thrown'],
  ['plain text', 'plain text'],
  [0, '0 was thrown'],
  [Symbol('s'), 'Symbol(s) was thrown'],
  [{}, 'an object without a message was thrown'],
  [new TypeError(''), 'TypeError'],
  [{ code: 'EPIPE' }, 'EPIPE'],
  [Object.assign(new Error('no such page'), { code: 'NOT_FOUND' }), 'no such page'],
  [new Error('x', { cause: 'c' }), 'x (caused by: c)'],
  [new Error('x', { cause: new Error('y', { cause: new Error('z') }) }), 'x (caused by: y; caused by: z)'],
  [new Error('x: y', { cause: new Error('y') }), 'x: y'],
  [
    new TypeError('fetch failed', { cause: Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }) }),
    'fetch failed (caused by: ECONNREFUSED)',
  ],
  [
    new TypeError('fetch failed', { cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }) }),
    'fetch failed (caused by: other side closed [UND_ERR_SOCKET])',
  ],
  [new AggregateError([new Error('a'), 'b']), 'AggregateError (a; b)'],
  [new AggregateError(['a', 'b', 'c', 'd', 'e'], 'all failed'), 'all failed (a; b; c; and 2 more)'],
])('the words for what was thrown: %#', (thrown, message) => {
  expect(describeThrown(thrown).message).toBe(message)
})

test('a chain of causes that leads back into itself ends, and a stack trace is never told', () => {
  const error = new Error('a')
  error.cause = new Error('b', { cause: error })
  expect(describeThrown(error)).toEqual({ name: 'Error', message: 'a (caused by: b)' })
})
