/** What can be said of something that was thrown. */
export interface Described {
  /** Its own name, such as `TypeError`, where it has one. */
  readonly name?: string
  /** Never empty, well-formed, 2,000 UTF-16 code units at most. */
  readonly message: string
}

/** UTF-16 code units of a message; whole pages of an upstream service arrive as errors. */
const longest = 2_000
/** Causes told, and errors of an `AggregateError`: more would bury the first. */
const furthest = 3

/**
 * Puts whatever was thrown into words, its causes included (`fetch failed (caused by: connect ECONNREFUSED …)`); never throws,
 * whatever it is handed, and reads each property once (RES-6). Stack traces stay in the process: they would tell the model and the
 * journal of the machine.
 */
export function describeThrown(thrown: unknown): Described {
  if (!isObject(thrown)) return { message: cut(primitive(thrown)) }
  const name = readText(thrown, 'name')
  const own =
    readText(thrown, 'message') ?? name ?? readText(thrown, 'code') ?? 'an object without a message was thrown'
  const inner = [...errorsOf(thrown), ...causesOf(thrown, own)]
  const message = cut(inner.length === 0 ? own : `${own} (${inner.join('; ')})`)
  return name === undefined ? { message } : { name: cut(name), message }
}

/** The chain of causes, but for what the message says already, and but for a chain that leads back into itself. */
function causesOf(thrown: object, own: string): string[] {
  const words: string[] = []
  const seen = new Set<unknown>([thrown])
  let cause = read(thrown, 'cause')
  while (cause !== undefined && cause !== null && !seen.has(cause) && seen.size <= furthest) {
    seen.add(cause)
    const said = sentence(cause)
    if (!own.includes(said)) words.push(`caused by: ${said}`)
    cause = read(cause, 'cause')
  }
  return words
}

/** The first errors of an `AggregateError`, which often has no message of its own. */
function errorsOf(thrown: object): string[] {
  const errors = read(thrown, 'errors')
  if (!isObject(errors)) return []
  try {
    if (!Array.isArray(errors)) return []
    const { length } = errors
    const told = errors.slice(0, furthest).map(sentence)
    return length > furthest ? [...told, `and ${length - furthest} more`] : told
  } catch {
    return []
  }
}

/** One error without what is inside it. A system error of Node may have nothing but a code. */
function sentence(thrown: unknown): string {
  if (!isObject(thrown)) return primitive(thrown)
  const message = readText(thrown, 'message')
  const code = readText(thrown, 'code')
  if (message !== undefined) return code === undefined || message.includes(code) ? message : `${message} [${code}]`
  return code ?? readText(thrown, 'name') ?? 'an object without a message'
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

/** At most one unit more than is told, so that a huge text is neither searched nor joined. */
function readText(value: object, member: string): string | undefined {
  const text = read(value, member)
  return typeof text === 'string' && text.trim() !== '' ? text.slice(0, longest + 1) : undefined
}

function cut(text: string): string {
  if (text.length <= longest) return text.toWellFormed()
  const isPair = text.codePointAt(longest - 2)! > 0xffff
  return `${text.slice(0, isPair ? longest - 2 : longest - 1).toWellFormed()}…`
}
