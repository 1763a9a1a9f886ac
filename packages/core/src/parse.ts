import { isJsonObject, type Json, type Limits, snapshot } from './json.ts'
import { duplicatedMember, endOfString, scan } from './scan.ts'
import { describeThrown } from './thrown.ts'

/** The arguments of a call, parsed and deep-frozen, or why there are none, in words for the model. */
export type ParsedArguments =
  | { readonly ok: true; readonly value: { readonly [member: string]: Json } }
  | {
      readonly ok: false
      /** Below 500 UTF-16 code units and well-formed; of the text at most an excerpt. */
      readonly reason: string
      /** The text ends before the object does, as when an output limit cut it off. */
      readonly truncated?: boolean
    }

const none: ParsedArguments = Object.freeze({ ok: true, value: Object.freeze({}) })
const longestReason = 499

/**
 * Parses what a model wrote as arguments, text or already a value. Blank text, `null` and `undefined` mean `{}`. Nothing is
 * repaired or unwrapped: a guess would run something that nobody asked for. Equal names in one object and numbers that would change
 * are refused (VAL-9, VAL-10), as is what exceeds `limits`. Never throws: a failure is `ok: false` with its reason.
 */
export function parseArguments(raw: unknown, limits: Limits): ParsedArguments {
  if (raw === undefined || raw === null) return none
  try {
    return typeof raw === 'string' ? parseText(raw, limits) : copied(raw, limits)
  } catch (thrown) {
    return refuse(`The arguments can not be used: ${describeThrown(thrown).message}.`)
  }
}

function copied(raw: unknown, limits: Limits): ParsedArguments {
  const value = snapshot(raw, limits)
  return isJsonObject(value) ? { ok: true, value } : refuse(wrongKind(value))
}

function parseText(raw: string, limits: Limits): ParsedArguments {
  const text = raw.charCodeAt(0) === 0xfeff ? raw.slice(1) : raw
  if (text.trim() === '') return none
  // A value takes two characters at least, so that a text this short needs no count.
  const isLong = text.length > 2 * limits.nodes || text.length * 3 > limits.bytes
  if (isLong && leastNodes(text) > limits.nodes) {
    return refuse(`The arguments can not be used: they have more than ${limits.nodes} values.`)
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return malformed(text)
  }
  if (!isJsonObject(parsed)) return refuse(`${wrongKind(parsed)}${encodedTwice(parsed)}`)
  const { members, depth, badNumber } = scan(text)
  if (depth > limits.depth) return refuse(`The arguments are nested deeper than ${limits.depth} levels.`)
  if (badNumber !== undefined) return refuse(changedNumber(badNumber))
  // JSON.parse keeps the last of equal names in silence, so fewer members arrived than were written.
  if (seal(parsed) !== members) {
    const twice = JSON.stringify(excerpt(duplicatedMember(text) ?? ''))
    return refuse(`The arguments have the member ${twice} twice in one object. Send each member once.`)
  }
  return isLong ? copied(parsed, limits) : { ok: true, value: parsed }
}

/**
 * Freezes in place what JSON.parse has made and nobody else holds, −0 becoming 0; gives the number of members. No deeper than
 * `limits.depth`, which the scan has checked.
 */
function seal(value: { readonly [member: string]: Json } | readonly Json[]): number {
  let members = 0
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item = value[index] as Json
      if (typeof item === 'object') members += item === null ? 0 : seal(item)
      else if (item === 0) value[index] = 0
    }
  } else {
    const own = value as { [member: string]: Json }
    for (const member in own) {
      // Somebody may have added to Object.prototype what can be enumerated.
      if (!Object.hasOwn(own, member)) continue
      members++
      const item = own[member] as Json
      if (typeof item === 'object') members += item === null ? 0 : seal(item)
      else if (item === 0) own[member] = 0
    }
  }
  Object.freeze(value)
  return members
}

/** At least half the values that a text holds, and never more than all: what keeps a hostile text from being parsed at all. */
function leastNodes(text: string): number {
  let commas = 0
  let opened = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at)
    else if (code === 0x2c) commas++
    else if (code === 0x7b || code === 0x5b) opened++
  }
  return Math.max(commas + 1, opened)
}

/** Says where the text stops being JSON, and what models most often mean by it. */
function malformed(text: string): ParsedArguments {
  const { at, kind } = faultOf(text)
  if (kind === 'cut') {
    const reason = `The arguments are not a complete JSON object: the text ends too early, after ${near(text, text.length)}. It seems to be truncated; send the complete arguments again.`
    return { ok: false, reason, truncated: true }
  }
  const before = text.slice(0, at)
  let line = 1
  for (let next = before.indexOf('\n'); next !== -1; next = before.indexOf('\n', next + 1)) line++
  const where = `line ${line}, column ${at - before.lastIndexOf('\n')}, near ${near(text, at)}`
  return refuse(`The arguments are not a complete JSON object: ${hint(text, at, kind)} (${where}).`)
}

interface Fault {
  /** In UTF-16 code units from the start. */
  readonly at: number
  /** `cut`: the text is the beginning of a JSON text. `after`: one has ended before. `start`: none has begun. */
  readonly kind: 'cut' | 'start' | 'inside' | 'after'
}

type Wanted = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'more'

const space = /[ \t\n\r]*/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const halfNumber = /-?(?:\d+(?:\.\d*)?(?:[eE][+-]?)?)?$/y
const wholeEscape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y
const halfEscape = /\\(?:u[\da-fA-F]{0,3})?$/y

/** Finds the first character that JSON does not allow there; what the engine says of it has a place only now and then. */
function faultOf(text: string): Fault {
  const open: string[] = []
  let wants = 'value' as Wanted
  for (let at = matchEnd(space, text, 0); at < text.length; at = matchEnd(space, text, at)) {
    const char = text[at] as string
    if (wants === 'more') {
      const top = open.at(-1)
      if (char === ',' && top !== undefined) wants = top === '{' ? 'name' : 'value'
      else if (top !== undefined && char === (top === '{' ? '}' : ']')) open.pop()
      else return { at, kind: top === undefined ? 'after' : 'inside' }
      at++
    } else if (wants === 'colon') {
      if (char !== ':') return { at, kind: 'inside' }
      wants = 'value'
      at++
    } else if ((wants === 'first name' && char === '}') || (wants === 'first value' && char === ']')) {
      open.pop()
      wants = 'more'
      at++
    } else if (char === '"') {
      const end = stringEnd(text, at)
      if (typeof end !== 'number') return end
      wants = wants === 'name' || wants === 'first name' ? 'colon' : 'more'
      at = end
    } else if (wants === 'name' || wants === 'first name') return { at, kind: 'inside' }
    else if (char === '{' || char === '[') {
      open.push(char)
      wants = char === '{' ? 'first name' : 'first value'
      at++
    } else {
      const end = scalarEnd(text, at)
      if (typeof end !== 'number') return open.length === 0 && end.kind === 'inside' ? { at, kind: 'start' } : end
      wants = 'more'
      at = end
    }
  }
  return { at: text.length, kind: open.length === 0 && wants === 'more' ? 'after' : 'cut' }
}

function stringEnd(text: string, start: number): number | Fault {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    if (code < 0x20) return { at, kind: 'inside' }
    if (code !== 0x5c) continue
    const end = matchEnd(wholeEscape, text, at)
    if (end === at) return { at, kind: matchEnd(halfEscape, text, at) === at ? 'inside' : 'cut' }
    at = end - 1
  }
  return { at: text.length, kind: 'cut' }
}

function scalarEnd(text: string, at: number): number | Fault {
  for (const word of ['true', 'false', 'null']) {
    if (text.startsWith(word, at)) return at + word.length
    if (word.startsWith(text.slice(at, at + 5))) return { at, kind: 'cut' }
  }
  if (matchEnd(halfNumber, text, at) === text.length) return { at, kind: 'cut' }
  const end = matchEnd(number, text, at)
  return end === at ? { at, kind: 'inside' } : end
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

function hint(text: string, at: number, kind: Fault['kind']): string {
  const rest = text.slice(at, at + 12)
  const before = text.slice(Math.max(0, at - 40), at)
  const code = text.charCodeAt(at)
  if (/^\s*```/.test(text)) return 'they are wrapped in a code fence; send the bare object'
  if (kind === 'after') return 'there is more text after the object; send one object and nothing else'
  if (/^['‘’“”]/.test(rest)) return 'JSON texts and names stand in straight double quotes'
  if (/^(?:True|False|None|NaN|undefined|-?Infinity)/.test(rest)) return 'JSON knows true, false and null only'
  if (/^\/[/*]|^#/.test(rest)) return 'JSON has no comments'
  if (/^[}\]]/.test(rest) && /,\s*$/.test(before)) return 'there is a comma before a closing bracket'
  if (code < 0x20) return 'a line break or control character inside a text has to be escaped, as in \\n'
  if (code === 0x5c) return 'there is an escape that JSON does not know; a backslash itself is written \\\\'
  if (kind === 'start') return 'they do not begin with {; send one object and nothing else'
  return 'something stands there that JSON does not allow'
}

/** The characters around a place, at most 40. */
function near(text: string, at: number): string {
  return JSON.stringify(text.slice(Math.max(0, at - 20), at + 20).toWellFormed())
}

function excerpt(text: string): string {
  return (text.length > 40 ? `${text.slice(0, 40)}…` : text).toWellFormed()
}

function changedNumber(literal: string): string {
  const number = excerpt(literal)
  return Number.isFinite(Number(literal))
    ? `The integer ${number} in the arguments is outside ±9007199254740991 and would lose digits. Send it as a string, if the tool takes one.`
    : `The number ${number} in the arguments is too large to be represented. Send it as a string, if the tool takes one.`
}

function wrongKind(value: unknown): string {
  if (value === null) return 'The arguments have to be a JSON object, not null.'
  const kind = typeof value === 'string' ? 'text' : typeof value
  return `The arguments have to be a JSON object, not ${Array.isArray(value) ? 'an array' : `a ${kind}`}.`
}

/** Looks into a text no deeper than models have been seen to wrap one. */
function encodedTwice(parsed: unknown): string {
  let inner = parsed
  for (let level = 0; typeof inner === 'string' && level < 4; level++) {
    try {
      inner = JSON.parse(inner)
    } catch {
      return ''
    }
    if (isJsonObject(inner)) return ' They are encoded twice: send the object itself, not a text that holds it.'
  }
  return ''
}

function refuse(reason: string): ParsedArguments {
  return { ok: false, reason: (reason.length <= longestReason ? reason : `${reason.slice(0, 498)}…`).toWellFormed() }
}
