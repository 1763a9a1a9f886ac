import { deepStrictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultLimits, type Json } from './json.ts'
import { parseArguments } from './parse.ts'

const runs = { numRuns: 1_000 }
const isUnsafe = (value: unknown) => Number.isInteger(value) && !Number.isSafeInteger(value)
/** Objects whose text holds no integer literal that would be refused. */
const object = fc
  .dictionary(
    fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', '', 'a:b', '{"'), fc.string({ unit: 'binary' })),
    fc.jsonValue({ maxDepth: 4 }),
  )
  .map((value): { readonly [member: string]: Json } =>
    JSON.parse(JSON.stringify(value), (_, item) => (isUnsafe(item) ? 0.5 : item)),
  )

function refused(raw: unknown, limits = defaultLimits): { readonly reason: string; readonly truncated: boolean } {
  const parsed = parseArguments(raw, limits)
  if (parsed.ok) throw new Error(`it was accepted: ${JSON.stringify(parsed.value)}`)
  expect(parsed.reason.length).toBeLessThan(500)
  expect(parsed.reason.isWellFormed()).toBe(true)
  return { reason: parsed.reason, truncated: parsed.truncated ?? false }
}

function accepted(raw: unknown, limits = defaultLimits): { readonly [member: string]: Json } {
  const parsed = parseArguments(raw, limits)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.value
}

function isDeepFrozen(value: Json): boolean {
  return (
    Object.isFrozen(value) && (typeof value !== 'object' || value === null || Object.values(value).every(isDeepFrozen))
  )
}

test('VAL-10 Every stage sees the one parsed value: what JSON.parse gives, deep-frozen', () => {
  fc.assert(
    fc.property(object, fc.constantFrom(undefined, 1, '\t'), fc.constantFrom('', '\ufeff'), (value, space, mark) => {
      const text = JSON.stringify(value, null, space)
      const parsed = accepted(mark + text)
      deepStrictEqual(parsed, JSON.parse(text))
      expect(isDeepFrozen(parsed)).toBe(true)
      // Limits that leave no room take the other way, and come to the same.
      deepStrictEqual(accepted(text, { ...defaultLimits, bytes: Buffer.byteLength(text) }), parsed)
    }),
    runs,
  )
})

test('a parsed value is copied: neither frozen nor kept', () => {
  fc.assert(
    fc.property(object, (value) => {
      const parsed = accepted(value)
      deepStrictEqual(parsed, JSON.parse(JSON.stringify(value)))
      expect([parsed === value, Object.isFrozen(value), isDeepFrozen(parsed)]).toEqual([false, false, true])
    }),
    runs,
  )
})

test('a beginning of an object is refused as truncated, wherever it was cut', () => {
  fc.assert(
    fc.property(object, fc.double({ min: 0, max: 1, noNaN: true }), (value, share) => {
      const text = JSON.stringify(value)
      const kept = text.slice(0, 1 + Math.floor(share * (text.length - 1)))
      if (kept.length < text.length) expect(refused(kept)).toMatchObject({ truncated: true })
    }),
    runs,
  )
})

test('whatever the text, it is parsed exactly if JSON.parse gives an object, and never throws', () => {
  const token = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a"',
    '"b"',
    '\\',
    '1',
    '-',
    '.',
    'e',
    'true',
    'nul',
    ' ',
    '\n',
    "'",
    'x',
  )
  fc.assert(
    fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
      const text = `{${tokens.join('')}`
      let expected: unknown
      try {
        expected = JSON.parse(text)
      } catch {
        expect(refused(text).reason).toMatch(/not a complete JSON object/)
        return
      }
      const parsed = parseArguments(text, defaultLimits)
      if (parsed.ok) deepStrictEqual(parsed.value, expected)
      else expect(parsed.reason).toMatch(/twice in one object|too large|outside/)
    }),
    { numRuns: 5_000 },
  )
})

test('never throws, whatever it is handed', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withSparseArray: true }), (raw) => {
      const parsed = parseArguments(raw, defaultLimits)
      if (!parsed.ok) expect([parsed.reason !== '', parsed.reason.length < 500]).toEqual([true, true])
    }),
    runs,
  )
})

test('VAL-10 duplicate member names in the text are refused, by name and however they are escaped', () => {
  fc.assert(
    fc.property(object, object, fc.string(), fc.boolean(), fc.nat(), (outer, inner, name, isEscaped, place) => {
      const units = name.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      const quoted = JSON.stringify(name)
      const members = Object.entries(inner).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
      members.splice(place % (members.length + 1), 0, `${quoted}:{"x":1}`)
      members.push(`${isEscaped ? `"${units.join('')}"` : quoted}:2`)
      const { reason } = refused(`{"outer":[${JSON.stringify(outer)},{${members.join(',')}}]}`)
      expect(reason).toMatch(/twice in one object/)
    }),
    runs,
  )
})

test.each([
  ['{"a":1,"\\u0061":2}', /member "a" twice/],
  ['{"a":{"b":{},"b":1}}', /member "b" twice/],
  ['{"__proto__":1,"__proto__":2}', /member "__proto__" twice/],
])('VAL-10 the member is named: %s', (text, words) => {
  expect(refused(text).reason).toMatch(words)
})

test('VAL-9 An integer literal beyond ±(2⁵³−1) is refused with a hint, never rounded silently', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), object, (integer, beside) => {
      const text = `{"beside":${JSON.stringify(beside)},"n":[${integer}]}`
      const isSafe = Number.isSafeInteger(Number(integer)) && BigInt(Number(integer)) === integer
      if (isSafe) expect(accepted(text).n).toEqual([Number(integer)])
      else expect(refused(text).reason).toMatch(/Send it as a string/)
    }),
    runs,
  )
})

test.each([
  ['{"id":9007199254740991}', true],
  ['{"id":-9007199254740991}', true],
  ['{"id":9007199254740992}', false],
  ['{"id":1873000000000000007.0}', false],
  ['{"id":1.873000000000000007e18}', false],
  ['{"id":1e21}', true],
  ['{"id":6.02214076e23}', true],
  ['{"id":0.1234567890123456789}', true],
  ['{"id":1873000000000000007}', false],
  ['{"x":1e400}', false],
  ['{"x":-1E+400}', false],
  ['{"x":"1873000000000000007 1e400"}', true],
])('VAL-9 the bound is exact: %s', (text, isSafe) => {
  expect(parseArguments(text, defaultLimits).ok).toBe(isSafe)
})

test.each(['', '  \n', null, undefined, '{}', '\ufeff', '\ufeff{}'])('A1 blank arguments mean {}: %j', (raw) => {
  expect(accepted(raw)).toStrictEqual({})
})

test.each([
  '{"path":"a.txt","content":"hel',
  '{"commands":["npm ci","npm te',
  '{"commands":["ls","pwd"',
  '{"a":tru',
  '{"a":-',
  '{"a":"\\u00',
  '{"a"',
  '{',
])('A2 a cut text is said to be truncated: %s', (text) => {
  expect(refused(text)).toMatchObject({
    truncated: true,
    reason: expect.stringMatching(/truncated; send the complete/),
  })
})

test.each([
  ['{"path":"a.txt"} {"path":"b.txt"}', /more text after the object.*line 1, column 18/],
  ['[1,2]', /not an array/],
  ['"abc"', /not a text\.$/],
  ['42', /not a number/],
  ['null', /not null/],
  ['{"a":x}', /JSON does not allow \(line 1, column 6, near/],
  ["{\n  'a': 1}", /double quotes \(line 2, column 3/],
  ['{“a”: 1}', /straight double quotes/],
  ['```json\n{}\n```', /code fence/],
  ['{"a":True}', /true, false and null only/],
  ['{"a":1,}', /comma before a closing bracket/],
  ['{"a":"x\ny"}', /control character/],
  ['{"a":"\\d"}', /escape that JSON does not know/],
  ['{"a":1 // one\n}', /no comments/],
  ['path=a', /do not begin with \{/],
  ['{"a":01}', /JSON does not allow/],
])('A2 the reason says what and where: %s', (text, words) => {
  expect(refused(text)).toMatchObject({ reason: expect.stringMatching(words), truncated: false })
})

test('A5 an object encoded twice is never unwrapped in silence', () => {
  const once = JSON.stringify('{"path":"a"}')
  expect(refused(once).reason).toMatch(/encoded twice/)
  expect(refused(JSON.stringify(once)).reason).toMatch(/encoded twice/)
  expect(refused('"not json"').reason).not.toMatch(/encoded/)
})

test('−0 becomes 0, also below __proto__', () => {
  const parsed = accepted('{"a":-0,"b":[-0.0],"__proto__":-0e5}')
  expect([parsed.a, (parsed.b as Json[])[0], Object.values(parsed)[2]].map((item) => Object.is(item, 0))).toEqual([
    true,
    true,
    true,
  ])
})

test('VAL-4 Depth, node count and byte size are bounded; beyond them comes a clear failure', () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
  expect(parseArguments(nested(99), defaultLimits).ok).toBe(true)
  expect(refused(nested(100)).reason).toMatch(/deeper than 100 levels/)
  expect(refused(nested(300_000)).reason).toMatch(/deeper than/)
  expect(refused('{"a":'.repeat(300_000)).truncated).toBe(true)
  expect(refused(nested(300_000), { ...defaultLimits, depth: 1_000_000 }).reason).not.toBe('')
  const items = (count: number) => `{"a":[${new Array(count).fill('1').join(',')}]}`
  expect(parseArguments(items(98), { ...defaultLimits, nodes: 100 }).ok).toBe(true)
  expect(refused(items(99), { ...defaultLimits, nodes: 100 }).reason).toMatch(/more than 100 values/)
  expect(refused(items(1_000), { ...defaultLimits, nodes: 100 }).reason).toMatch(/more than 100 values/)
  expect(parseArguments('{"a":"é,[{"}', { ...defaultLimits, bytes: 6 }).ok).toBe(true)
  expect(refused('{"a":"é,[{"}', { ...defaultLimits, bytes: 5 }).reason).toMatch(/longer than 5/)
})

test('what is already a value goes through the same gate', () => {
  expect(refused([1]).reason).toMatch(/not an array/)
  expect(refused({ a: [new Date()] }).reason).toMatch(/\$\.a\[0\]: a Date/)
  expect(refused({ ['é'.repeat(900)]: { ['x'.repeat(900)]: 1n } }).reason).not.toBe('')
})
