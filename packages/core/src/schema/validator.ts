import { type Budget, compilerFor, OutOfSteps, type Validate } from './ajv.ts'
import { Comparisons } from './comparisons.ts'
import { rewrite } from './rewrite.ts'
import { type Violations, violationsOf } from './violations.ts'
import type { JsonSchema } from './walk.ts'

/** A schema that can be asked. Compiled when it is first asked, once. */
export interface Validator {
  /** What in `value` violates the schema; `undefined` if nothing does. Never throws, and coerces nothing. */
  check(value: unknown): Violations | undefined
  /** A copy of `value` in which absent members have the defaults that the schema states; it is still to be checked. */
  withDefaults(value: unknown): unknown
}

/** References that may be followed: more than any sensible schema has for a small value; a larger one may have more of them. */
const fewestSteps = 100_000
const stepsPerNode = 20

/** Makes a validator of a schema that `inspectSchema` found no fatal problem in. Costs nothing until it is asked. */
export function compile(schema: JsonSchema): Validator {
  return new LazyValidator(schema)
}

class LazyValidator implements Validator {
  readonly #schema: JsonSchema
  #judge: Judge | undefined
  #filler: Judge | undefined

  constructor(schema: JsonSchema) {
    this.#schema = schema
  }

  check(value: unknown): Violations | undefined {
    this.#judge ??= compileNow(this.#schema, false)
    return this.#judge.check(value)
  }

  withDefaults(value: unknown): unknown {
    this.#filler ??= compileNow(this.#schema, true)
    const copy = structuredClone(value)
    this.#filler.check(copy)
    return copy
  }
}

function compileNow(schema: JsonSchema, useDefaults: boolean): Judge {
  try {
    const { schema: rewritten, namesInherited } = rewrite(schema)
    const compiler = compilerFor({ namesInherited, useDefaults })
    return new Judge(compiler.compile(rewritten), compiler.budget)
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message.slice(0, 300).toWellFormed() : 'unknown reasons'
    const fail = (): never => {
      throw new NotCompiled(`a schema that can be compiled; this one can not: ${why}`)
    }
    return new Judge(fail, { steps: 0, comparisons: new Comparisons() })
  }
}

class NotCompiled extends Error {}

/** A compiled schema, with the budget that it draws on. */
class Judge {
  readonly #validate: Validate
  readonly #budget: Budget

  constructor(validate: Validate, budget: Budget) {
    this.#validate = validate
    this.#budget = budget
  }

  check(value: unknown): Violations | undefined {
    this.#budget.steps = fewestSteps
    try {
      if (this.#validate(value)) return undefined
    } catch (thrown) {
      return this.#checkAgain(value, thrown)
    } finally {
      this.#budget.comparisons.forget()
    }
    return this.#violations()
  }

  /** The value is counted only when it needs more than the fewest steps: next to none does. */
  #checkAgain(value: unknown, why: unknown): Violations | undefined {
    const steps = why instanceof OutOfSteps ? nodesOf(value) * stepsPerNode : 0
    if (steps <= fewestSteps) return refusal(why)
    this.#budget.steps = steps
    try {
      return this.#validate(value) ? undefined : this.#violations()
    } catch (thrown) {
      return refusal(thrown)
    }
  }

  #violations(): Violations {
    const errors = this.#validate.errors ?? []
    this.#validate.errors = null
    return violationsOf(errors)
  }
}

/** Fails closed: a schema that can not judge refuses. */
function refusal(why: unknown): Violations {
  return { list: [{ path: '', keyword: 'schema', expected: wordsFor(why), got: 'none' }] }
}

function wordsFor(why: unknown): string {
  if (why instanceof NotCompiled) return why.message
  return why instanceof OutOfSteps || why instanceof RangeError
    ? 'a value that can be judged in bounded time; this schema refers to itself too often'
    : 'a value that the schema can judge'
}

function nodesOf(value: unknown): number {
  let nodes = 0
  const pending = [value]
  while (pending.length > 0) {
    const node = pending.pop()
    nodes++
    if (typeof node === 'object' && node !== null) for (const inner of Object.values(node)) pending.push(inner)
  }
  return nodes
}
