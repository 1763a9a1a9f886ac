/** What the value of a keyword holds: one schema, a list, a map from names to schemas, or one of the older mixed forms. */
export type Holds = 'schema' | 'list' | 'map' | 'schema or list' | 'map of schemas or names'

/**
 * Keywords that hold schemas, those of all drafts from 4 on: an older draft's are told apart by their form where that matters.
 * Source: the Core and Applicator vocabularies of drafts 7, 2019-09 and 2020-12.
 */
export const applicators: { readonly [keyword: string]: Holds } = {
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  prefixItems: 'list',
  not: 'schema',
  if: 'schema',
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword
  then: 'schema',
  else: 'schema',
  items: 'schema or list',
  additionalItems: 'schema',
  contains: 'schema',
  additionalProperties: 'schema',
  propertyNames: 'schema',
  unevaluatedItems: 'schema',
  unevaluatedProperties: 'schema',
  properties: 'map',
  patternProperties: 'map',
  dependentSchemas: 'map',
  dependencies: 'map of schemas or names',
  $defs: 'map',
  definitions: 'map',
}

type Check = (value: unknown) => boolean

const isNumber: Check = (value) => typeof value === 'number'
const isCount: Check = (value) => Number.isInteger(value) && (value as number) >= 0
const isString: Check = (value) => typeof value === 'string'
const isBoolean: Check = (value) => typeof value === 'boolean'
const isStrings: Check = (value) => Array.isArray(value) && value.every(isString)
const isStringsMap: Check = (value) => isObject(value) && Object.values(value).every(isStrings)

const number = { check: isNumber, has: 'a number' }
const count = { check: isCount, has: 'a whole number from 0 on' }
const string = { check: isString, has: 'a string' }
const boolean = { check: isBoolean, has: 'true or false' }
const bound = { check: (value: unknown) => isNumber(value) || isBoolean(value), has: 'a number' } // a boolean in draft 4

/** Keywords that hold no schema, and what they have to be. Source: the Validation and Core vocabularies of the same drafts. */
export const assertions: { readonly [keyword: string]: { readonly check: Check; readonly has: string } } = {
  enum: { check: Array.isArray, has: 'an array of values' },
  const: { check: () => true, has: 'a value' },
  multipleOf: { check: (value) => isNumber(value) && (value as number) > 0, has: 'a number above 0' },
  maximum: number,
  minimum: number,
  exclusiveMaximum: bound,
  exclusiveMinimum: bound,
  maxLength: count,
  minLength: count,
  maxItems: count,
  minItems: count,
  maxContains: count,
  minContains: count,
  maxProperties: count,
  minProperties: count,
  uniqueItems: boolean,
  // Draft 3 had a boolean on the property itself, and some servers still send it.
  required: { check: (value) => isStrings(value) || isBoolean(value), has: 'an array of member names' },
  dependentRequired: { check: isStringsMap, has: 'a map from member names to arrays of member names' },
  pattern: string,
  format: string,
  $ref: string,
  $dynamicRef: string,
  $recursiveRef: string,
  $id: string,
  $anchor: string,
  $dynamicAnchor: string,
  $recursiveAnchor: boolean,
  $schema: string,
  nullable: boolean, // OpenAPI 3.0
}

/** Keywords that say something and enforce nothing. */
const annotations = new Set([
  ...['title', 'description', 'default', 'examples', 'example', 'deprecated', 'readOnly', 'writeOnly', '$comment'],
  ...['contentEncoding', 'contentMediaType', 'contentSchema', '$vocabulary', 'id', 'discriminator'],
])

export function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword) || keyword.startsWith('x-') || keyword.startsWith('~')
}

export const knownKeywords: readonly string[] = [
  ...Object.keys(applicators),
  ...Object.keys(assertions),
  'type',
  ...annotations,
]

export const typeNames: readonly string[] = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']

/** Formats that are checked. Source: `ajv-formats`; a test compares the two. */
export const knownFormats: ReadonlySet<string> = new Set([
  ...[
    'date',
    'time',
    'date-time',
    'iso-time',
    'iso-date-time',
    'duration',
    'uri',
    'uri-reference',
    'uri-template',
    'url',
  ],
  ...['email', 'hostname', 'ipv4', 'ipv6', 'regex', 'uuid', 'json-pointer', 'json-pointer-uri-fragment'],
  ...['relative-json-pointer', 'byte', 'int32', 'int64', 'float', 'double', 'password', 'binary'],
])

export function isObject(value: unknown): value is { readonly [member: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
