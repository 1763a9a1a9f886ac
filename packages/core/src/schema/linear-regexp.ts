import type { RE2JS } from 're2js'
import { load } from './late.ts'

/** A pattern that runs in time linear in the text. */
export interface LinearRegExp {
  test(text: string): boolean
}

const compiled = new Map<string, LinearRegExp | undefined>()
const mostCompiled = 500

/**
 * Compiles a pattern to one that runs in linear time, whatever it says (VAL-8): a foreign schema's pattern must not stall the
 * process. `undefined` where the engine lacks something that ECMAScript has: look-around, back-references, more than 1,000
 * repetitions. What was compiled last is kept, since tools of one server repeat their patterns.
 */
export function linearRegExp(pattern: string): LinearRegExp | undefined {
  if (compiled.has(pattern)) return compiled.get(pattern)
  if (compiled.size >= mostCompiled) compiled.clear()
  const regExp = compileNow(pattern)
  compiled.set(pattern, regExp)
  return regExp
}

/** Whether the engine takes a pattern; plain ones are known without compiling them, which can take milliseconds. */
export function isLinear(pattern: string): boolean {
  return isPlain(pattern) || linearRegExp(pattern) !== undefined
}

function compileNow(pattern: string): LinearRegExp | undefined {
  const { RE2JS: Engine } = load('re2js') as { RE2JS: typeof RE2JS }
  try {
    return Engine.compile(Engine.translateRegExp(pattern))
  } catch {
    return undefined
  }
}

const character = String.raw`[\w\s@:/#%&=~"'<>,;!-]|\\[dwsDWSnrt.\-/\\+*?()[\]{}^$|]`
const oneRepeat = String.raw`\{\d{1,3}(?:,(?:\d{1,3})?)?\}`
const plain = new RegExp(
  String.raw`^\^?(?:(?:${character}|\.|\[\^?(?:[\w\s@:/#%&=~"'<>,;!.+*?(){}|$]|\\[dwsDWSnrt.\-/\\+*?()[\]{}^$|]|-)+\])(?:[*+?]|${oneRepeat})?)*\$?$`,
)

/** No groups, and so no look-around, no references and no repetition of repetitions. */
function isPlain(pattern: string): boolean {
  return pattern.length <= 200 && plain.test(pattern)
}
