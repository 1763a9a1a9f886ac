/** What can be said of something that was thrown. */
export interface Described {
  readonly name?: string
  /** Never empty, well-formed, 2,000 UTF-16 code units at most. */
  readonly message: string
}

const longest = 2_000

/**
 * Puts whatever was thrown into words, its causes included; never throws, whatever it is handed (RES-6). Stack traces stay in the process:
 * they would tell the model and the journal of the machine.
 */
export function describeThrown(thrown: unknown): Described {
  const name = isObject(thrown) ? readText(thrown, 'name') : undefined
  const words = [sentence(thrown, name)]
  const seen = new Set([thrown])
  for (
    let cause = read(thrown, 'cause');
    cause !== undefined && !seen.has(cause) && words.length < 4;
    cause = read(cause, 'cause')
  ) {
    seen.add(cause)
    words.push(sentence(cause, undefined))
  }
  const [first, ...causes] = words as [string, ...string[]]
  const further = [...inner(thrown), ...causes.filter((cause) => !first.includes(cause))]
  const message = cut(further.length === 0 ? first : `${first} (${further.join('; caused by: ')})`)
  return name === undefined ? { message } : { name: cut(name), message }
}

/** The first errors of an `AggregateError`, which often has no message of its own. */
function inner(thrown: unknown): string[] {
  const errors = read(thrown, 'errors')
  try {
    if (!Array.isArray(errors)) return []
    return errors.slice(0, 3).map((error) => sentence(error, undefined))
  } catch {
    return []
  }
}

function sentence(thrown: unknown, name: string | undefined): string {
  if (!isObject(thrown)) return primitive(thrown)
  const message = readText(thrown, 'message')
  if (message !== undefined) return message
  return name ?? readText(thrown, 'name') ?? readText(thrown, 'code') ?? 'an object without a message was thrown'
}

function primitive(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown.trim() === '' ? 'an empty text was thrown' : thrown
  return `${String(thrown)} was thrown`
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

function read(value: unknown, member: string): unknown {
  if (!isObject(value)) return undefined
  try {
    return (value as { [member: string]: unknown })[member]
  } catch {
    return undefined
  }
}

function readText(value: object, member: string): string | undefined {
  const text = read(value, member)
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

function cut(text: string): string {
  return (text.length <= longest ? text : `${text.slice(0, longest - 1)}…`).toWellFormed()
}
