import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compile, describeViolations, inspectSchema, type JsonSchema, nearest } from './index.ts'
import { knownFormats } from './keywords.ts'

const accepts = (schema: JsonSchema, value: unknown): boolean => compile(schema).check(value) === undefined
const reasons = (schema: JsonSchema, value: unknown): string => {
  const violations = compile(schema).check(value)
  return violations === undefined ? '' : describeViolations(violations)
}
const fatal = (schema: JsonSchema): string[] =>
  inspectSchema(schema).flatMap(({ fatal, path, message }) => (fatal ? [`${path} ${message}`] : []))
const reported = (schema: JsonSchema): string[] =>
  inspectSchema(schema).flatMap(({ fatal, path, message }) => (fatal ? [] : [`${path} ${message}`]))

describe('VAL-8: what a schema says is enforced, refused or reported', () => {
  // The plain compiler asks values for their `valueOf` and `toString`.
  const value = fc.jsonValue({ maxDepth: 3 }).filter((value) => !/valueOf|toString/.test(JSON.stringify(value)))
  const leaf = fc.oneof(
    fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object').map((type) => ({ type })),
    fc.record({ minLength: fc.nat(4) }),
    fc.record({ maximum: fc.integer({ min: -5, max: 5 }) }),
    fc.record({ enum: fc.array(fc.jsonValue({ maxDepth: 1 }), { minLength: 1, maxLength: 3 }) }),
    fc.record({ maxItems: fc.nat(3), uniqueItems: fc.boolean() }),
    fc.boolean(),
  )
  const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'schema' },
      leaf as fc.Arbitrary<JsonSchema>,
      fc.record({
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'toString', 'constructor', ''), tie('schema'), {
          maxKeys: 3,
        }),
        // The plain compiler takes a missing member of the name '' for present.
        required: fc.uniqueArray(fc.constantFrom('a', 'b', 'toString'), { maxLength: 2 }),
        additionalProperties: tie('schema'),
      }),
      fc.record({ prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), items: tie('schema') }),
      fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), not: tie('schema') }),
    ),
  }))

  test('verdicts equal those of the plain compiler, where it can be asked', { timeout: 60_000 }, () => {
    const plain = new Ajv2020({ strict: false, ownProperties: true, validateSchema: false, logger: false })
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 1, maxLength: 4 }), (schema, values) => {
        const validate = plain.compile(schema)
        const validator = compile(schema)
        for (const value of values) expect(validator.check(value) === undefined).toBe(validate(value))
      }),
      { numRuns: 1000 },
    )
  })

  test('the drafts are told apart by the forms of their words', () => {
    const pair = { items: [{ type: 'string' }], additionalItems: false }
    expect(accepts({ $schema: 'http://json-schema.org/draft-07/schema#', ...pair }, ['a'])).toBe(true)
    expect(accepts({ $schema: 'http://json-schema.org/draft-07/schema#', ...pair }, ['a', 'b'])).toBe(false)
    expect(accepts({ $schema: 'https://json-schema.org/draft/2019-09/schema', ...pair }, [1])).toBe(false)
    const newer = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      prefixItems: [{ type: 'string' }],
      items: false,
    }
    expect([accepts(newer, ['a']), accepts(newer, ['a', 'b']), accepts(newer, [1])]).toEqual([true, false, false])
    const dependencies = { dependencies: { a: ['b'], c: { required: ['d'] } } }
    expect([{ a: 1 }, { a: 1, b: 1 }, { c: 1 }, { c: 1, d: 1 }].map((value) => accepts(dependencies, value))).toEqual([
      false,
      true,
      false,
      true,
    ])
    expect([4, 5].map((value) => accepts({ maximum: 5, exclusiveMaximum: true }, value))).toEqual([true, false])
  })

  test('a wrong word is refused with its path and what was probably meant', () => {
    expect(fatal({ type: 'object', properties: { a: { type: 'strng' } } })).toEqual([
      '/properties/a/type "strng" is no type. Did you mean "string"?',
    ])
    expect(fatal({ properties: { 'a/b': { pattern: '(' } } })).toEqual([
      '/properties/a~1b/pattern "(" is no regular expression',
    ])
    expect(fatal({ required: 'a', minLength: -1, enum: 1, items: 3, allOf: {}, properties: [] })).toHaveLength(6)
  })

  test('a property may be named like a keyword, and data is no schema', () => {
    const named = {
      properties: { pattern: { type: 'string' }, $ref: { type: 'string' }, required: true },
      default: { type: 'x' },
    }
    expect(
      inspectSchema({ ...named, enum: [{ type: 'x' }], const: { $ref: '#/nowhere' }, examples: [{ items: 3 }] }),
    ).toEqual([])
  })

  test('what is not enforced is reported, once each; annotations are silent', () => {
    expect(reported({ minLenght: 3, format: 'phone', 'x-order': 1, title: 't', $comment: 'c' })).toEqual([
      '/minLenght the keyword "minLenght" is unknown and is not enforced. Did you mean "minLength"?',
      '/format the format "phone" is unknown and is not enforced',
    ])
    expect(reported({ pattern: '^(?=a)' })[0]).toContain('not enforced')
    expect(accepts({ pattern: '^(?=a)' }, 'b')).toBe(true)
    expect(reported({ $schema: 'http://json-schema.org/draft-04/schema#' })[0]).toContain('dialect')
  })

  test('the formats that are said to be known are those that are checked', async () => {
    const { default: addFormats } = await import('ajv-formats')
    const ajv = (addFormats as unknown as (ajv: Ajv2020) => Ajv2020)(new Ajv2020({ logger: false }))
    expect([...knownFormats].sort()).toEqual(Object.keys(ajv.formats).sort())
  })

  test('values are compared as JSON, whatever their members are called', () => {
    expect(accepts({ enum: [{ valueOf: null, a: [1] }] }, { a: [1], valueOf: null })).toBe(true)
    expect(reasons({ const: {} }, { toString: 1 })).toContain('expected one of {}')
  })

  test('however deep and long they are, and beside an enum', () => {
    const long = (end: string): unknown => ({
      a: [{ b: ['x'.repeat(200), { c: end }], d: [] }, 'y'.repeat(200)],
      e: null,
    })
    expect([accepts({ const: long('1') }, long('1')), accepts({ const: long('1') }, long('2'))]).toEqual([true, false])
    expect(accepts({ uniqueItems: true }, [long('1'), long('2')])).toBe(true)
    expect(accepts({ uniqueItems: true }, [long('1'), long('2'), long('1')])).toBe(false)
    expect(
      [{ a: 1 }, { a: 2 }].map((value) => accepts({ const: { a: 1 }, enum: [{ a: 1 }, { a: 2 }] }, value)),
    ).toEqual([true, false])
  })

  test('nothing is coerced', () => {
    expect(accepts({ type: 'integer' }, '1')).toBe(false)
    expect(accepts({ type: 'array' }, 'a')).toBe(false)
    expect(accepts({ type: 'number', multipleOf: 0.01 }, 19.99)).toBe(true)
  })
})

describe('references', () => {
  test('lead to definitions, anchors, ids, properties and the root, and recursion ends with the value', () => {
    const tree = {
      $id: 'https://x.test/tree',
      type: 'object',
      properties: { value: { type: 'number' }, kids: { type: 'array', items: { $ref: '#' } } },
    }
    expect(accepts(tree, { value: 1, kids: [{ value: 2, kids: [] }] })).toBe(true)
    expect(accepts(tree, { value: 1, kids: [{ value: 'x' }] })).toBe(false)
    const ways = {
      properties: {
        a: { $ref: '#/$defs/text' },
        b: { $ref: '#named' },
        c: { $ref: 'https://x.test/other' },
        d: { $ref: '#/properties/a' },
        e: { $ref: '#/components/odd~1key' },
      },
      $defs: {
        text: { type: 'string' },
        n: { $anchor: 'named', type: 'string' },
        o: { $id: 'https://x.test/other', type: 'string' },
      },
      components: { 'odd/key': { type: 'string' } },
    }
    for (const name of 'abcde')
      expect([accepts(ways, { [name]: 'x' }), accepts(ways, { [name]: 1 })]).toEqual([true, false])
  })

  test('equal and odd ids do not clash', () => {
    for (const $id of ['urn:s', 'tool', 'https://x.test/same', '#a', '']) {
      expect(accepts({ $id, type: 'string' }, 'x')).toBe(true)
      expect(accepts({ $id, type: 'number', allOf: [{ $ref: '#/$defs/a' }], $defs: { a: { minimum: 2 } } }, 1)).toBe(
        false,
      )
    }
  })

  test('one that leads nowhere is refused; a meta-schema is any schema', () => {
    expect(fatal({ $ref: '#/$defs/none' })[0]).toContain('leads nowhere')
    expect(fatal({ $ref: 'https://x.test/elsewhere.json' })[0]).toContain('nothing is fetched')
    expect(fatal({ properties: { schema: { $ref: 'http://json-schema.org/draft-07/schema#' } } })).toEqual([])
  })
})

describe('VAL-3: names that every object inherits are ordinary', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '']
  test.each(names)('"%s" as a property, as required, and as one too many', (name) => {
    const of = (value: unknown): unknown => JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`)
    const declared = { type: 'object', properties: of({ type: 'number' }), additionalProperties: false } as JsonSchema
    expect([accepts(declared, of(1)), accepts(declared, of('x')), accepts(declared, {})]).toEqual([true, false, true])
    expect([accepts({ required: [name] }, {}), accepts({ required: [name] }, of(1))]).toEqual([false, true])
    expect(accepts({ additionalProperties: false }, of(1))).toBe(false)
  })
})

test('defaults are filled into a copy', () => {
  const value = Object.freeze({ a: 1 })
  const validator = compile({ properties: { a: { default: 2 }, b: { default: { c: [] } } } })
  expect(validator.withDefaults(value)).toEqual({ a: 1, b: { c: [] } })
  expect(value).toEqual({ a: 1 })
})

test('the nearest name', () => {
  expect(nearest('read-file', ['write_file', 'read_file'])).toBe('read_file')
  expect(nearest('raed', ['read', 'write'])).toBe('read')
  expect(nearest('delete', ['read', 'write'])).toBeUndefined()
  expect(nearest('', ['a'])).toBeUndefined()
})
