import { type Compiler, compilerFor, OutOfSteps, type Validate } from './ajv.ts'
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

/** More schemas than any sensible value enters, and less than a second. */
const mostSteps = 5_000_000

/** Makes a validator of a schema that `inspectSchema` found no fatal problem in. Costs nothing until it is asked. */
export function compile(schema: JsonSchema): Validator {
  let compiled: Compiled | undefined
  let filler: Compiled | undefined
  return {
    check(value) {
      compiled ??= compileNow(schema, false)
      return compiled.run(value)
    },
    withDefaults(value) {
      filler ??= compileNow(schema, true)
      const copy = structuredClone(value)
      filler.run(copy)
      return copy
    },
  }
}

interface Compiled {
  run(value: unknown): Violations | undefined
}

function compileNow(schema: JsonSchema, useDefaults: boolean): Compiled {
  try {
    const { schema: rewritten, namesInherited } = rewrite(schema)
    const compiler = compilerFor({ namesInherited, useDefaults })
    return new Running(compiler, compiler.compile(rewritten))
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message.slice(0, 300).toWellFormed() : 'unknown reasons'
    return { run: () => refusal(`a schema that can be compiled; this one can not: ${why}`) }
  }
}

class Running implements Compiled {
  readonly #compiler: Compiler
  readonly #validate: Validate

  constructor(compiler: Compiler, validate: Validate) {
    this.#compiler = compiler
    this.#validate = validate
  }

  run(value: unknown): Violations | undefined {
    this.#compiler.steps = mostSteps
    try {
      if (this.#validate(value)) return undefined
    } catch (thrown) {
      const isBounded = thrown instanceof OutOfSteps || thrown instanceof RangeError
      return refusal(
        isBounded
          ? 'a value that can be judged in bounded time; this schema refers to itself too often'
          : 'a value that the schema can judge',
      )
    }
    const errors = this.#validate.errors ?? []
    this.#validate.errors = null
    return violationsOf(errors)
  }
}

/** Fails closed: a schema that can not judge refuses. */
function refusal(expected: string): Violations {
  return { list: [{ path: '', keyword: 'schema', expected, got: 'none' }] }
}
