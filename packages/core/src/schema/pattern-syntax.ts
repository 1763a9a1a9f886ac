/**
 * The flag that a pattern is read with: `u`, as JSON Schema recommends, or none if it is legal only without; `undefined` if it is
 * no regular expression of ECMA-262 at all.
 */
export function flagOf(pattern: string): 'u' | '' | undefined {
  return (['u', ''] as const).find((flag) => {
    try {
      new RegExp(pattern, flag)
      return true
    } catch {
      return false
    }
  })
}

/**
 * A pattern of ECMA-262 in the syntax of RE2, meaning the same. Copied would mean something else: what counts as white space, what
 * `.` leaves out, `\z`, `[[:alpha:]]` and the like. Characters are whole ones even where ECMA-262 without `u` has halves.
 * `undefined` where there are no such words: look-around, back-references, octal escapes, and properties in a pattern without `u`.
 */
export function linearSyntax(pattern: string): string | undefined {
  const flag = flagOf(pattern)
  if (flag === undefined) return undefined
  try {
    return new Translation(pattern, flag === 'u').whole()
  } catch (thrown) {
    if (thrown instanceof NoSuchWords) return undefined
    throw thrown
  }
}

class NoSuchWords extends Error {}

/** ECMA-262, CharacterClassEscape: WhiteSpace and LineTerminator. And all other characters. */
const space = String.raw`\x{9}-\x{D}\x{20}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}`
const noSpace = String.raw`\x{0}-\x{8}\x{E}-\x{1F}\x{21}-\x{9F}\x{A1}-\x{167F}\x{1681}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{202E}\x{2030}-\x{205E}\x{2060}-\x{2FFF}\x{3001}-\x{FEFE}\x{FF00}-\x{10FFFF}`
const anyCharacter = String.raw`\x{0}-\x{10FFFF}`
const lineTerminators = String.raw`\n\r\x{2028}\x{2029}`

const controls: { readonly [letter: string]: number } = { t: 9, n: 10, v: 11, f: 12, r: 13 }

/** One member of a class: a character, by its code point, or a set of them in the words of RE2. */
type Member = number | string

class Translation {
  readonly #pattern: string
  readonly #isUnicode: boolean
  #at = 0

  constructor(pattern: string, isUnicode: boolean) {
    this.#pattern = pattern
    this.#isUnicode = isUnicode
  }

  whole(): string {
    let written = ''
    while (this.#at < this.#pattern.length) written += this.#term()
    return written
  }

  #term(): string {
    const next = this.#pattern[this.#at] as string
    if (next === '(') return this.#open()
    if (next === '{') return this.#take(/\{\d+(?:,\d*)?\}/y)?.[0] ?? literal(this.#character())
    const operator = this.#take(/[$^|)*+?]/y)
    if (operator) return operator[0]
    if (this.#take(/\./y)) return `[^${lineTerminators}]`
    if (this.#take(/\[/y)) return this.#class()
    if (!this.#take(/\\/y)) return literal(this.#character())
    const boundary = this.#take(/[bB]/y)
    if (boundary) return `\\${boundary[0]}`
    const escaped = this.#escaped()
    return typeof escaped === 'number' ? literal(escaped) : `[${escaped}]`
  }

  /** Nobody asks what a group captured, so that every group is a plain one. */
  #open(): string {
    if (this.#take(/\((?:\?:|\?<(?![=!])[^>]*>|(?!\?))/y)) return '(?:'
    throw new NoSuchWords()
  }

  #class(): string {
    const isNegated = this.#take(/\^/y) !== null
    let members = ''
    while (!this.#take(/\]/y)) {
      const from = this.#member()
      const to = this.#take(/-(?!\])/y) ? this.#member() : undefined
      if (to === undefined) members += written(from)
      else if (typeof from === 'number' && typeof to === 'number') members += `${literal(from)}-${literal(to)}`
      // Without `u`, a dash beside a set is a dash.
      else members += written(from) + literal(0x2d) + written(to)
    }
    if (members === '') return isNegated ? `[${anyCharacter}]` : `[^${anyCharacter}]`
    return `[${isNegated ? '^' : ''}${members}]`
  }

  #member(): Member {
    if (!this.#take(/\\/y)) return this.#character()
    return this.#take(/b/y) ? 8 : this.#escaped()
  }

  /** What stands after a backslash. */
  #escaped(): Member {
    const set = this.#take(/[dDwW]/y)
    if (set) return `\\${set[0]}`
    if (this.#take(/s/y)) return space
    if (this.#take(/S/y)) return noSpace
    const property = this.#isUnicode && this.#take(/[pP]\{(?:(?:General_Category|gc|Script|sc)=)?(\w+)\}/y)
    if (property) return `\\${property[0][0]}{${property[1]}}`
    const control = this.#take(/c([A-Za-z])/y)
    if (control) return (control[1] as string).charCodeAt(0) % 32
    const code = this.#isUnicode && this.#take(/u\{([\da-fA-F]+)\}/y)
    if (code) return Number.parseInt(code[1] as string, 16)
    if (this.#take(/0(?!\d)/y)) return 0
    const pair = this.#take(/u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})/y)
    if (pair) return String.fromCharCode(hex(pair[1]), hex(pair[2])).codePointAt(0) as number
    const unit = this.#take(/x([\da-fA-F]{2})|u([\da-fA-F]{4})/y)
    if (unit) return hex(unit[1] ?? unit[2])
    if (this.#take(/[\dckpP]/y)) throw new NoSuchWords()
    const letter = this.#character()
    return controls[String.fromCodePoint(letter)] ?? letter
  }

  #character(): number {
    const code = this.#pattern.codePointAt(this.#at) as number
    this.#at += code > 0xffff ? 2 : 1
    return code
  }

  #take(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.#at
    const found = sticky.exec(this.#pattern)
    if (found !== null) this.#at = sticky.lastIndex
    return found
  }
}

function hex(digits: string | undefined): number {
  return Number.parseInt(digits as string, 16)
}

function written(member: Member): string {
  return typeof member === 'number' ? literal(member) : member
}

/** Only letters and digits stand for themselves whatever is around them. */
function literal(code: number): string {
  const character = String.fromCodePoint(code)
  return /\w/.test(character) ? character : `\\x{${code.toString(16).toUpperCase()}}`
}
