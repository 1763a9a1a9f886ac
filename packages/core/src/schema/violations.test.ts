import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compile, describeViolations, type JsonSchema } from './index.ts'

const reasons = (schema: JsonSchema, value: unknown): string => {
  const violations = compile(schema).check(value)
  return violations === undefined ? '' : describeViolations(violations)
}

describe('what a model is told', () => {
  const ofKind = (kind: string, needed: string): JsonSchema => ({
    type: 'object',
    properties: { kind: { const: kind }, [needed]: { type: 'number' } },
    required: ['kind', needed],
  })
  const kinds: JsonSchema = {
    anyOf: [ofKind('a', 'n'), ofKind('b', 'm'), ofKind('c', 'n'), ofKind('d', 'n'), { type: 'null' }],
  }
  /** The same with each branch of the outermost choice under `$defs`. */
  const inDefinitions = (schema: JsonSchema): JsonSchema => {
    if (typeof schema !== 'object' || !Array.isArray(schema.anyOf)) return schema
    const $defs = Object.fromEntries(schema.anyOf.map((branch, at) => [`b${at}`, branch]))
    return { ...schema, anyOf: Object.keys($defs).map((name) => ({ $ref: `#/$defs/${name}` })), $defs }
  }
  const schema = {
    type: 'object',
    properties: {
      path: { type: 'string' },
      limit: { type: 'integer' },
      mode: { enum: ['read', 'write'] },
      to: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    },
    required: ['path'],
    additionalProperties: false,
  }
  test.each([
    [{ path: 1 }, '/path: expected string, got number 1'],
    [{}, '/path: expected a required member, got nothing'],
    [{ path: '', limit: '10' }, '/limit: expected integer, got string "10"'],
    [{ path: '', mode: 'raed' }, '/mode: expected one of "read", "write", got string "raed" (did you mean "read"?)'],
    [{ path: '', to: null }, '/to: expected string or number, got null'],
  ])('%j', (value, said) => expect(reasons(schema, value)).toBe(said))

  test.each<readonly [string, JsonSchema, unknown, string]>([
    ['no branch is of its type', kinds, 1, '(root): expected object or null, got number 1'],
    ['one branch is of its type', kinds, { kind: 'a' }, '/n: expected a required member, got nothing'],
    ['a member names the branch', kinds, { kind: 'b', x: 1 }, '/m: expected a required member, got nothing'],
    [
      'no branch has this name',
      kinds,
      { kind: 'c1' },
      '/kind: expected one of "a", "b", "c", "d", got string "c1" (did you mean "c"?)',
    ],
    ['the name is missing', kinds, {}, '/kind: expected a required member, got nothing'],
    [
      'nothing tells',
      {
        anyOf: ['p', 'q', 'r'].map((name) => ({
          type: 'object',
          properties: { [name]: { type: 'number' } },
        })),
      },
      { p: '', q: '', r: '' },
      '(root): expected a value of one of the 3 allowed forms, got an object that matches none of them',
    ],
    [
      'each lacks another member',
      { anyOf: ['p', 'q', 'r'].map((name) => ({ type: 'object', required: [name] })) },
      {},
      '(root): expected an object with one of the members "p", "q", "r", got an object',
    ],
    [
      'one is nearer',
      { anyOf: [{ required: ['p', 'q', 'r'] }, { required: ['p', 's'] }, { required: ['t', 'u'] }] },
      { p: 1 },
      '/s: expected a required member, got nothing',
    ],
    [
      'several match',
      { oneOf: [{ type: 'object' }, { required: ['a'] }, { type: 'null' }] },
      { a: 1 },
      '(root): expected a value of exactly one of the 3 allowed forms; it has several, got an object',
    ],
    [
      'choices within choices',
      { anyOf: [{ anyOf: [{ type: 'string' }, { const: 1 }] }, { oneOf: [{ type: 'boolean' }, { enum: [2, 3] }] }] },
      null,
      '(root): expected string or boolean or 1 or 2 or 3, got null',
    ],
    [
      'a choice below a branch',
      {
        anyOf: [
          { type: 'object', properties: { v: { anyOf: [{ type: 'string' }, { type: 'null' }] } } },
          { type: 'string' },
        ],
      },
      { v: 1 },
      '/v: expected string or null, got number 1',
    ],
    [
      'what was wrong before a choice stays',
      { type: 'object', properties: { n: { type: 'number' }, u: kinds } },
      { n: '', u: { kind: 'a' } },
      '/n: expected number, got string ""; /u/n: expected a required member, got nothing',
    ],
  ])('a choice: %s', (_, schema, value, said) => {
    expect(reasons(schema, value)).toBe(said)
    expect(reasons(inDefinitions(schema), value)).toBe(said)
  })

  test('a choice never asks for what is there, however large its branches are', { timeout: 60_000 }, () => {
    const leaf = fc.constantFrom<JsonSchema>(
      { type: 'string' },
      { type: 'object' },
      { const: 1 },
      { enum: ['a', {}] },
      { required: ['a'] },
    )
    const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.record({
          properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')),
          required: fc.constant(['b']),
        }),
        fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 4 }) }),
        fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 4 }), items: tie('schema') }),
      ),
    }))
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 1 })),
    )
    fc.assert(
      fc.property(schema, value, fc.boolean(), (schema, value, isReferred) => {
        const violations = compile(isReferred ? inDefinitions(schema) : schema).check(value)
        for (const { expected, got } of violations?.list ?? []) {
          const wanted = expected.split(' or ')
          expect(violations?.list).not.toHaveLength(0)
          if (got.startsWith('an object')) expect(wanted).not.toContain('object')
          if (got.startsWith('string')) expect(wanted).not.toContain('string')
        }
      }),
      { numRuns: 1_000 },
    )
    const lists = { anyOf: [{ items: { type: 'number' } }, { items: { type: 'boolean' } }] }
    expect(reasons(lists, Array(200_000).fill(''))).toMatch(/^\(root\): expected a value of one of the 2 allowed forms/)
    const rows = { type: 'array', items: { $ref: '#/$defs/row' } }
    const many = { ...rows, $defs: { row: kinds, none: {} } }
    expect(
      reasons(
        many,
        Array.from({ length: 300 }, () => ({ kind: 'a' })),
      ),
    ).toMatch(/^\/0\/n: expected a required member/)
  })

  test('a misspelt member is named with the one that was meant', () => {
    expect(reasons(schema, { pth: '/' })).toContain('/pth: expected no member of this name')
    expect(reasons(schema, { pth: '/' })).toContain('did you mean "path"')
  })

  test.each<JsonSchema>([
    { additionalProperties: { type: 'string' } },
    { additionalProperties: false },
    { required: ['\udc00'] },
    { dependentRequired: { '\ud800': ['\udc00'] } },
    { properties: { '\ud800': { anyOf: [{ const: '\ud800' }, { const: '\udc00' }] } } },
    { properties: { '\ud800': { pattern: '\ud800x' } }, propertyNames: { pattern: '^\udc00$' } },
  ])('half a character in a name is told as a whole one: %j', (schema) => {
    for (const value of [{ '\ud800': 1 }, { '\ud800': '' }]) {
      const told =
        compile(schema)
          .check(value)
          ?.list.flatMap((violation) => Object.values(violation)) ?? []
      expect(told.filter((text) => !text.isWellFormed())).toEqual([])
    }
  })

  test('however wrong a value is, it is told in 2 kB of well-formed text', () => {
    const rows = { type: 'array', items: { type: 'object', required: ['id'], additionalProperties: false } }
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => {
        const said = reasons(rows, [...Array.from({ length: 500 }, () => ({ [text]: text })), text])
        expect(Buffer.byteLength(said)).toBeLessThan(8_000)
        expect(said.length).toBeLessThan(2_000)
        expect(said.isWellFormed()).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
})
