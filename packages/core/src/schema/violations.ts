import type { ErrorObject } from 'ajv/dist/2020.js'
import { withoutBranches } from './branches.ts'
import { isObject } from './keywords.ts'
import { nearest } from './nearest.ts'
import { escapePointer } from './walk.ts'

/** One place where a value violates its schema. */
export interface Violation {
  /** JSON pointer into the value, '' for the root. */
  readonly path: string
  readonly keyword: string
  /** What should stand there, in words. */
  readonly expected: string
  /** What stands there, in words, cut to some 80 characters. */
  readonly got: string
  /** A name or value that was probably meant. */
  readonly suggestion?: string
}

/** Why a value was refused: the first 20 places. */
export interface Violations {
  readonly list: readonly Violation[]
}

const mostShown = 20
const longest = 1_900

/** In words for a model: where, what was expected, what came, and the way out; 2 kB at most. */
export function describeViolations({ list }: Violations): string {
  const lines = list.map(({ path, expected, got, suggestion }) => {
    const hint = suggestion === undefined ? '' : ` (did you mean ${quote(suggestion)}?)`
    return `${path === '' ? '(root)' : path}: expected ${expected}, got ${got}${hint}`
  })
  const text = lines.join('; ')
  return (text.length > longest ? `${text.slice(0, longest)}…` : text).toWellFormed()
}

/** The compiler's errors, without the noise of branches that a better match speaks for. */
export function violationsOf(errors: readonly ErrorObject[]): Violations {
  const seen = new Set<string>()
  const list: Violation[] = []
  for (const error of withoutBranches(errors)) {
    const violation = wellFormed(violationOf(error))
    const key = `${violation.path} ${violation.expected}`
    if (seen.has(key)) continue
    seen.add(key)
    list.push(violation)
    if (list.length === mostShown) break
  }
  return { list }
}

/** Names from the value and the schema may have half a character in them, which no provider takes. */
function wellFormed(violation: Violation): Violation {
  return { ...violation, path: violation.path.toWellFormed(), expected: violation.expected.toWellFormed() }
}

function violationOf(error: ErrorObject): Violation {
  const { keyword, instancePath: path, params, data } = error
  const got = describe(data)
  const say = (expected: string, suggestion?: string): Violation => ({
    path,
    keyword,
    expected,
    got,
    ...(suggestion === undefined ? undefined : { suggestion }),
  })
  switch (keyword) {
    case 'type':
      return say([params.type].flat().join(' or '))
    case 'required':
      return {
        path: `${path}/${escapePointer(params.missingProperty)}`,
        keyword,
        expected: 'a required member',
        got: 'nothing',
      }
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return surplus(error, params.additionalProperty ?? params.unevaluatedProperty)
    case 'enum':
    case 'enumSet':
      return oneOfValues(error, allowedBy(error), say)
    case 'const':
      return say(show(params.allowedValue))
    case 'anyOf':
    case 'oneOf':
      return choiceOf(error, say)
    case 'pattern':
      return say(`a text that matches ${cut(String(params.pattern))}`)
    case 'format':
      return say(`a text of the format "${cut(String(params.format))}"`)
    case 'false schema':
      return say('nothing')
    default:
      return say(`a value that ${(error.message ?? `satisfies ${keyword}`).replace(/^must NOT/, 'must not')}`)
  }
}

function surplus({ instancePath, keyword, parentSchema, data }: ErrorObject, name: string): Violation {
  const declared = isObject(parentSchema?.properties) ? Object.keys(parentSchema.properties) : []
  const absent = declared.filter((other) => !isObject(data) || !Object.hasOwn(data, other))
  const suggestion = nearest(name, absent)
  const known =
    declared.length === 0 ? 'no further member' : `no member of this name; there are ${cut(declared.join(', '), 300)}`
  const value = isObject(data) ? describe(data[name]) : 'a member'
  const path = `${instancePath}/${escapePointer(name)}`
  return { path, keyword, expected: known, got: value, ...(suggestion === undefined ? undefined : { suggestion }) }
}

function oneOfValues(
  { data }: ErrorObject,
  allowed: readonly unknown[],
  say: (expected: string, suggestion?: string) => Violation,
): Violation {
  const texts = allowed.filter((value) => typeof value === 'string')
  const suggestion = typeof data === 'string' ? nearest(data, texts) : undefined
  return say(`one of ${listed(allowed)}`, suggestion)
}

/** The first values, and how many more there are. */
function listed(values: readonly unknown[]): string {
  const shown: string[] = []
  let length = 0
  for (const value of values.slice(0, 20)) {
    const text = show(value)
    length += text.length
    if (shown.length > 0 && length > 400) break
    shown.push(text)
  }
  const more = values.length - shown.length
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`
}

/** A choice in words: by its values and types where the value is none of these. */
function choiceOf(error: ErrorObject, say: (expected: string, suggestion?: string) => Violation): Violation {
  const { schema, data, params } = error
  const forms = `${(schema as readonly unknown[]).length} allowed forms`
  if (Array.isArray(params.passingSchemas)) return say(`a value of exactly one of the ${forms}; it has several`)
  if (params.missing !== undefined) return say(`an object with one of the members ${listed(params.missing)}`)
  const wanted = (params.wanted ?? []) as readonly ErrorObject[]
  const types = wanted.flatMap(({ keyword, params }) => (keyword === 'type' ? [params.type].flat() : []))
  const values = [...new Set(wanted.flatMap(allowedBy))]
  if (types.length + values.length === 0)
    return { ...say(`a value of one of the ${forms}`), got: `${describe(data)} that matches none of them` }
  if (types.length === 0) return oneOfValues(error, values, say)
  return say(cut([...new Set([...types, ...values.map(show)])].join(' or '), 400))
}

function allowedBy({ keyword, params, schema }: ErrorObject): readonly unknown[] {
  if (keyword === 'const') return [params.allowedValue]
  return keyword === 'enum' || keyword === 'enumSet' ? (schema as readonly unknown[]) : []
}

/** A value in words: its type and, if it is short, itself. */
function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${value.length}`
  if (isObject(value)) return 'an object'
  return `${typeof value} ${show(value)}`
}

function show(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  return isObject(value) || Array.isArray(value) ? cut(JSON.stringify(value)) : String(value)
}

function quote(text: string): string {
  return JSON.stringify(cut(text).toWellFormed())
}

function cut(text: string, most = 80): string {
  return (text.length > most ? `${text.slice(0, most)}…` : text).toWellFormed()
}
