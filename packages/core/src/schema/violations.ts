import type { ErrorObject } from 'ajv/dist/2020.js'
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
    const violation = violationOf(error)
    const key = `${violation.path} ${violation.expected}`
    if (seen.has(key)) continue
    seen.add(key)
    list.push(violation)
    if (list.length === mostShown) break
  }
  return { list }
}

/**
 * Each branch of an `anyOf` says why it does not match, and then `anyOf` itself. Where a branch got further into the value than the
 * choice itself, its reasons are the useful ones; otherwise the choice is one violation. The wrapping `if` says nothing of its own.
 */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = []
  for (const error of errors) {
    if (error.keyword === 'if') continue
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      // What the branches said stands right before what the choice itself says.
      let start = kept.length
      while (start > 0 && isOfBranch(kept[start - 1] as ErrorObject, error)) start--
      const inside = kept.splice(start)
      const deeper = inside.filter(
        ({ instancePath, keyword }) => instancePath !== error.instancePath || saysMore.has(keyword),
      )
      const branches = error.schema as readonly unknown[]
      if (deeper.length > 0 && branches.length <= 2) {
        for (const reason of deeper) kept.push(reason)
        continue
      }
    }
    kept.push(error)
  }
  return kept
}

const saysMore = new Set(['required', 'additionalProperties', 'unevaluatedProperties', 'enum', 'const'])

function isOfBranch({ instancePath, schemaPath }: ErrorObject, choice: ErrorObject): boolean {
  const isBelow = instancePath === choice.instancePath || instancePath.startsWith(`${choice.instancePath}/`)
  return isBelow && (schemaPath.startsWith(`${choice.schemaPath}/`) || schemaPath.startsWith('#/$defs/'))
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
      return oneOfValues(error, (params.allowedValues ?? error.schema) as unknown[], say)
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

/** A choice in words: by its values or types where it is one of them. */
function choiceOf(error: ErrorObject, say: (expected: string, suggestion?: string) => Violation): Violation {
  const { schema, keyword, params } = error
  if (keyword === 'oneOf' && Array.isArray(params.passingSchemas))
    return say('a value of exactly one of the allowed forms; it has several')
  const branches = schema as readonly unknown[]
  const values = branches.flatMap((branch) => (isObject(branch) && 'const' in branch ? [branch.const] : []))
  if (values.length === branches.length) return oneOfValues(error, values, say)
  const named = branches.map((branch) => {
    if (!isObject(branch)) return undefined
    if ('const' in branch) return show(branch.const)
    return typeof branch.type === 'string' ? branch.type : undefined
  })
  const distinct = [...new Set(named)]
  return say(
    distinct.includes(undefined)
      ? `a value of one of the ${branches.length} allowed forms`
      : cut(distinct.join(' or '), 400),
  )
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
