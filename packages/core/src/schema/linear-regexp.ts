import type { RE2JS } from 're2js'
import { load } from './late.ts'
import { linearSyntax } from './pattern-syntax.ts'

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
  const syntax = linearSyntax(pattern)
  if (syntax === undefined) return undefined
  const { RE2JS: Engine } = load('re2js') as { RE2JS: typeof RE2JS }
  try {
    return Engine.compile(syntax)
  } catch {
    return undefined
  }
}

/** Properties that the engine may not know, long counts, and counts that groups may multiply. */
const doubtful = /\\p|(?<!\\x)\{\d{4}|\(.*(?<!\\x)\{/i

/** Short, and without anything that the engine refuses in words that are its own. */
function isPlain(pattern: string): boolean {
  if (pattern.length > 200) return false
  const syntax = linearSyntax(pattern)
  return syntax !== undefined && !doubtful.test(syntax)
}
