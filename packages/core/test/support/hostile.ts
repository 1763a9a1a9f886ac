import * as fc from 'fast-check'

/*
 * Things that a tool, a plugin or a store should never hand over, and does.
 */

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const throwing = (): never => {
  throw new Error('a trap')
}

const cyclic = (): Error => {
  const error = new Error('round')
  error.cause = error
  return error
}

/** `then` is not written as a member: linters rightly dislike those. */
export const thenable = (then: unknown): object => Object.defineProperty({}, 'then', { value: then, enumerable: true })

/** What can be thrown, each made anew. */
export const throwables: readonly (() => unknown)[] = [
  () => new Error('it broke'),
  () => undefined,
  () => null,
  () => '',
  () => '   ',
  () => 'a plain text',
  () => 'half a pair \ud800',
  () => 0,
  () => Number.NaN,
  () => 10n,
  () => Symbol('s'),
  () => () => 1,
  () => ({}),
  () => ({ message: 5 }),
  () => ({ message: 'an object' }),
  () => Object.create(null) as unknown,
  () => revoked(),
  () => new Proxy({}, { get: throwing, getPrototypeOf: throwing, has: throwing, ownKeys: throwing }),
  () => Object.defineProperty(new Error('x'), 'message', { get: throwing }),
  () => Object.defineProperty(new Error(), 'name', { get: throwing }),
  () => new Error(''),
  () => new Error('lone \udfff'),
  () => cyclic(),
  () => new AggregateError([new Error('one'), undefined, revoked()]),
  () => Object.assign(new Error('many'), { errors: revoked() }),
  () => new Error('x'.repeat(100_000)),
  () => Object.assign(new Error('coded'), { code: 'DENIED' }),
  () => new DOMException('gone', 'AbortError'),
  () => [],
  () => ({ toString: throwing, valueOf: throwing, [Symbol.toPrimitive]: throwing }),
  () => Object.defineProperty({}, 'then', { get: throwing }),
  () => thenable(throwing),
]

/** What is no JSON, each made anew, with what the place of the offending member is. */
export const refused: readonly { readonly make: () => unknown; readonly path: string }[] = [
  { make: () => Number.NaN, path: '$' },
  { make: () => Number.POSITIVE_INFINITY, path: '$' },
  { make: () => Number.NEGATIVE_INFINITY, path: '$' },
  { make: () => 1n, path: '$' },
  { make: () => Symbol('s'), path: '$' },
  { make: () => () => 1, path: '$' },
  { make: () => new Date(0), path: '$' },
  { make: () => new Map([[1, 2]]), path: '$' },
  { make: () => new Set([1]), path: '$' },
  { make: () => /x/, path: '$' },
  { make: () => new Error('x'), path: '$' },
  { make: () => new (class Thing {})(), path: '$' },
  { make: () => new URL('https://example.com/'), path: '$' },
  // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
  { make: () => [1, , 3], path: '$[1]' },
  { make: () => Object.defineProperty({}, 'x', { get: throwing, enumerable: true }), path: '$.x' },
  {
    make: () => {
      const ring: { self?: unknown } = {}
      ring.self = ring
      return ring
    },
    path: '$.self',
  },
  { make: () => Object.defineProperty([0], '0', { get: throwing, enumerable: true }), path: '$[0]' },
]

/** Names that are ordinary data here, whatever they mean to an object. */
export const hostileNames: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '',
  'then',
  'length',
  '0',
  'a b',
  '\u0000',
  'é',
]

const memberName = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.string({ maxLength: 4 }) },
    { weight: 1, arbitrary: fc.constantFrom(...hostileNames) },
  )

/** Objects whose members may have any name, `__proto__` being an own member. */
function objectOf(members: readonly (readonly [string, unknown])[]): object {
  const made = {}
  for (const [name, value] of members)
    Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true })
  return made
}

const { tree } = fc.letrec<{ tree: unknown; leaf: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc
      .uniqueArray(fc.tuple(memberName(), tie('tree')), { maxLength: 3, selector: ([name]) => name })
      .map((members) => objectOf(members as [string, unknown][])),
  ),
  leaf: fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, false, 0, '', '\ud800 lone', 'text'),
    fc.string({ unit: 'binary', maxLength: 6 }),
  ),
}))

/** Any JSON value, hostile member names and lone surrogates included. −0 is not in it. */
export const json: fc.Arbitrary<unknown> = tree.map(withoutMinusZero)

/** A JSON object. */
export const jsonObject: fc.Arbitrary<{ readonly [member: string]: unknown }> = fc
  .uniqueArray(fc.tuple(memberName(), json), { maxLength: 4, selector: ([name]) => name })
  .map((members) => objectOf(members) as { readonly [member: string]: unknown })

function withoutMinusZero(value: unknown): unknown {
  if (Object.is(value, -0)) return 0
  if (Array.isArray(value)) return value.map(withoutMinusZero)
  if (typeof value !== 'object' || value === null) return value
  return objectOf(Object.entries(value).map(([name, member]) => [name, withoutMinusZero(member)] as const))
}
