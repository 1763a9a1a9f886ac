/** What a JSON text holds that JSON.parse does not tell. */
export interface Scanned {
  /** Members written, equal names counted each time. */
  readonly members: number
  /** The deepest level of arrays and objects. */
  readonly depth: number
  /** The first number that JSON.parse would change: an integer beyond ±(2⁵³−1), or one that becomes infinite. */
  readonly badNumber: string | undefined
}

const quote = 0x22
const minus = 0x2d

/** One pass over a text that JSON.parse has accepted. */
export function scan(text: string): Scanned {
  let members = 0
  let level = 0
  let depth = 0
  let badNumber: string | undefined
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === 0x3a) members++
    else if (code === 0x7b || code === 0x5b) depth = Math.max(depth, ++level)
    else if (code === 0x7d || code === 0x5d) level--
    else if (code === minus || (code >= 0x30 && code <= 0x39)) {
      const end = endOfNumber(text, at)
      badNumber ??= changed(text, at, end)
      at = end - 1
    }
  }
  return { members, depth, badNumber }
}

/** The first name that stands twice in one object, escapes resolved; `undefined` if none does. */
export function duplicatedMember(text: string): string | undefined {
  const levels: (Set<string> | undefined)[] = []
  let last = ''
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = endOfString(text, at)
      last = text.slice(at, end + 1)
      at = end
    } else if (code === 0x7b) levels.push(new Set())
    else if (code === 0x5b) levels.push(undefined)
    else if (code === 0x7d || code === 0x5d) levels.pop()
    else if (code === 0x3a) {
      const name = JSON.parse(last) as string
      const names = levels.at(-1)
      if (names?.has(name)) return name
      names?.add(name)
    }
  }
  return undefined
}

/** Where the string that begins at `start` has its closing quote; the length of the text if it has none. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === 0x5c) first--
  return (at - first) % 2 === 1
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    const isPart =
      (code >= 0x30 && code <= 0x39) ||
      code === 0x2e ||
      code === 0x2b ||
      code === minus ||
      code === 0x65 ||
      code === 0x45
    if (!isPart) break
  }
  return end
}

/**
 * Short literals can be neither unsafe nor infinite, unless they have an exponent. An integer may also be written with a fraction
 * or an exponent: `1e21` is what it says, and `9007199254740993.0` would be changed.
 */
function changed(text: string, start: number, end: number): string | undefined {
  const literal = end - start < 4 ? '' : text.slice(start, end)
  const value = Number(literal)
  if (!Number.isFinite(value)) return literal
  if (end - start < 16 || !Number.isInteger(value) || Number.isSafeInteger(value)) return undefined
  const isPlain = !/[.eE]/.test(literal)
  return isPlain || digitsOf(literal) !== digitsOf(String(value)) ? literal : undefined
}

/** The significant decimal digits of a number's text: equal digits of two numbers of one size are equal numbers. */
function digitsOf(literal: string): string {
  const [mantissa = ''] = literal.split(/[eE]/)
  return mantissa.replaceAll(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '')
}
