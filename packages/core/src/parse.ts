import { isJsonObject, type Json, type Limits, snapshot } from './json.ts'
import { duplicatedMember, scan } from './scan.ts'
import { describeThrown } from './thrown.ts'

/** The arguments of a call, parsed and frozen, or why there are none, in words for the model. */
export type ParsedArguments =
  | { readonly ok: true; readonly value: { readonly [member: string]: Json } }
  | { readonly ok: false; readonly reason: string; readonly truncated?: true }

const none: ParsedArguments = Object.freeze({ ok: true, value: Object.freeze({}) })

/**
 * Parses what a model wrote as arguments, text or already a value. Blank text, `null` and `undefined` mean `{}`. Nothing is
 * repaired or unwrapped: a guess would run something that nobody asked for. Never throws.
 */
export function parseArguments(raw: unknown, limits: Limits): ParsedArguments {
  if (typeof raw === 'string') return parseText(raw, limits)
  if (raw === undefined || raw === null) return none
  return copied(raw, limits)
}

function copied(parsed: unknown, limits: Limits): ParsedArguments {
  try {
    const value = snapshot(parsed, limits)
    return isJsonObject(value)
      ? { ok: true, value }
      : refuse(`The arguments have to be a JSON object, not ${kindOf(value)}.`)
  } catch (refused) {
    return refuse(`The arguments can not be used: ${describeThrown(refused).message}.`)
  }
}

function parseText(raw: string, limits: Limits): ParsedArguments {
  const text = raw.charCodeAt(0) === 0xfeff ? raw.slice(1) : raw
  if (text.trim() === '') return none
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (thrown) {
    return malformed(text, describeThrown(thrown).message)
  }
  if (!isJsonObject(parsed))
    return refuse(`The arguments have to be a JSON object, not ${kindOf(parsed)}.${encodedTwice(parsed)}`)
  const { members, depth, badNumber } = scan(text)
  if (depth > limits.depth) return refuse(`The arguments are nested deeper than ${limits.depth} levels.`)
  if (badNumber !== undefined) return refuse(wordsOf(badNumber))
  const result = copied(parsed, limits)
  // JSON.parse keeps the last of equal names in silence, so fewer members arrived than were written.
  if (result.ok && members !== membersOf(result.value)) {
    const twice = JSON.stringify(excerpt(duplicatedMember(text) ?? ''))
    return refuse(`The arguments have the member ${twice} twice in one object. Send each member once.`)
  }
  return result
}

function membersOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + membersOf(item), 0)
  const members = Object.values(value)
  return members.reduce<number>((sum, item) => sum + membersOf(item), members.length)
}

function wordsOf(literal: string): string {
  const number = excerpt(literal)
  return Number.isFinite(Number(literal))
    ? `The integer ${number} in the arguments is outside ±9007199254740991 and would lose digits. Send it as a string, if the tool takes one.`
    : `The number ${number} in the arguments is too large to be represented.`
}

/** What JSON.parse says, with the place, and what models most often mean by it. */
function malformed(text: string, said: string): ParsedArguments {
  const position = Number(/position (\d+)/.exec(said)?.[1] ?? text.length)
  const isCut = /end of JSON input|Unterminated string/.test(said) || text.slice(position).trim() === ''
  if (isCut) {
    const reason = `The arguments are not a complete JSON object: the text ends too early, near ${near(text, text.length)}. It seems to be truncated; send the complete arguments again.`
    return { ok: false, reason, truncated: true }
  }
  const before = text.slice(0, position)
  const line = before.split('\n').length
  const where = `line ${line}, column ${position - before.lastIndexOf('\n')}, near ${near(text, position)}`
  return refuse(`The arguments are not a complete JSON object: ${what(text, position, said)} (${where}).`)
}

function what(text: string, position: number, said: string): string {
  const rest = text.slice(position, position + 12)
  if (/^\s*```/.test(text)) return 'they are wrapped in a code fence; send the bare object'
  if (/after JSON/.test(said)) return 'there is more text after the object; send one object and nothing else'
  if (rest.startsWith("'")) return 'JSON texts and names stand in double quotes'
  if (/^[}\]]/.test(rest) && /,\s*$/.test(text.slice(0, position))) return 'there is a comma before a closing bracket'
  if (/^(True|False|None|NaN|undefined|Infinity)/.test(rest)) return 'JSON knows true, false and null only'
  if (/control character/i.test(said))
    return 'a line break or control character inside a text has to be escaped, as in \\n'
  if (/escape/i.test(said)) return 'there is an escape that JSON does not know'
  return 'something stands there that JSON does not allow'
}

function near(text: string, position: number): string {
  return JSON.stringify(text.slice(Math.max(0, position - 20), position + 20).toWellFormed())
}

function excerpt(text: string): string {
  return (text.length > 40 ? `${text.slice(0, 40)}…` : text).toWellFormed()
}

function encodedTwice(parsed: unknown): string {
  return typeof parsed === 'string' && /^\s*["{]/.test(parsed)
    ? ' They seem to be encoded twice: send the object itself, not a text that holds it.'
    : ''
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return `a ${typeof value === 'string' ? 'text' : typeof value}`
}

function refuse(reason: string): ParsedArguments {
  return { ok: false, reason }
}
