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

/** References that may be followed: more than any sensible schema has for a small value; a larger one may have more of them. */
const fewestSteps = 100_000
const stepsPerNode = 20

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
    try {
      if (this.#isValid(value)) return undefined
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

  /** The value is counted only when it needs it: next to no call does. */
  #isValid(value: unknown): boolean {
    this.#compiler.steps = fewestSteps
    try {
      return this.#validate(value)
    } catch (thrown) {
      const steps = thrown instanceof OutOfSteps ? nodesOf(value) * stepsPerNode : 0
      if (steps <= fewestSteps) throw thrown
      this.#compiler.steps = steps
      return this.#validate(value)
    }
  }
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

/** Fails closed: a schema that can not judge refuses. */
function refusal(expected: string): Violations {
  return { list: [{ path: '', keyword: 'schema', expected, got: 'none' }] }
}
