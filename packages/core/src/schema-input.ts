import { ConfigError } from './errors.ts'
import { defaultLimits, type Json, snapshot } from './json.ts'
import { isPromiseLike, type MaybePromise } from './maybe.ts'
import {
  compile,
  describeViolations,
  inspectSchema,
  type JsonSchema,
  nearest,
  type SchemaProblem,
  type Validator,
} from './schema/index.ts'
import { describeThrown } from './thrown.ts'

/** A value that violates its schema: for the model, and for a program. */
export interface Broken {
  readonly message: string
  /** Frozen. */
  readonly violations: readonly Json[]
}

interface Issue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The part of the Standard Schema interface (standardschema.dev) that is used here: JSON Schema out, and a further check. */
export interface StandardSchema<Input = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: Input; readonly output: unknown } | undefined
    readonly validate: (value: unknown) => MaybePromise<{ readonly issues?: readonly Issue[] | undefined }>
    readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => { [keyword: string]: unknown } }
  }
}

/**
 * What `parameters` and `output.schema` may be: TypeBox, literal JSON Schema, a Standard Schema that can give JSON Schema, or the
 * short map `{ path: { type: 'string', required: true } }`. It is JSON Schema if it has a string `type`, `$schema`, `$ref` or an
 * array `anyOf`, `oneOf` or `allOf`; `{}` is any JSON, for parameters any JSON object.
 */
export type SchemaInput = object

/** A schema made ready: detached, inspected, compiled when it is first used. */
export interface PreparedSchema {
  readonly schema: JsonSchema
  readonly problems: readonly SchemaProblem[]
  readonly validator: Validator
  /** The Standard Schema's own check, whose output is discarded. */
  readonly further: ((value: Json) => MaybePromise<Broken | undefined>) | undefined
}

/** @throws ConfigError if the schema is unusable, naming `where` and the place in the schema */
export function prepareSchema(input: SchemaInput, where: string): PreparedSchema {
  const standard = isStandardSchema(input) ? input : undefined
  const schema = detach(
    standard === undefined ? longForm(input as Members, where) : jsonSchemaOf(standard, where),
    where,
  )
  const problems = inspectSchema(schema)
  const fatal = problems.filter((problem) => problem.fatal)
  if (fatal.length > 0) {
    const list = fatal.map(({ path, message }) => `${path === '' ? '(root)' : path}: ${message}`).join('; ')
    throw new ConfigError(`[pawl] ${where} is not a usable JSON Schema: ${list}`)
  }
  return { schema, problems, validator: compile(schema), further: standard && furtherCheck(standard) }
}

/** Checks a value against the JSON Schema alone. */
export function checkValue({ validator }: PreparedSchema, value: Json): Broken | undefined {
  const violations = validator.check(value)
  if (violations === undefined) return undefined
  return {
    message: describeViolations(violations),
    violations: Object.freeze(violations.list.map(({ path, expected, got }) => Object.freeze({ path, expected, got }))),
  }
}

type Members = { readonly [member: string]: unknown }

/** An object, or a function as some libraries have it. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  return value !== null && (typeof value === 'object' || typeof value === 'function') && '~standard' in value
}

function jsonSchemaOf({ '~standard': standard }: StandardSchema, where: string): Members {
  const wayOut = `Give ${where} as JSON Schema, or use a version of ${standard.vendor} whose schemas have "~standard".jsonSchema.`
  if (standard.jsonSchema === undefined)
    throw new ConfigError(`[pawl] ${where}: this ${standard.vendor} schema can not give JSON Schema. ${wayOut}`)
  try {
    return standard.jsonSchema.input({ target: 'draft-2020-12' })
  } catch (thrown) {
    throw new ConfigError(
      `[pawl] ${where}: this ${standard.vendor} schema can not give JSON Schema: ${describeThrown(thrown).message}. ${wayOut}`,
    )
  }
}

/** A frozen copy of its own: the caller's object is not kept. */
function detach(schema: unknown, where: string): JsonSchema {
  try {
    return snapshot(schema, defaultLimits) as JsonSchema
  } catch (refused) {
    throw new ConfigError(`[pawl] ${where}: not plain JSON: ${describeThrown(refused).message}`)
  }
}

function isJsonSchema(input: Members): boolean {
  const own = (keyword: string): unknown => (Object.hasOwn(input, keyword) ? input[keyword] : undefined)
  return (
    ['type', '$schema', '$ref'].some((keyword) => typeof own(keyword) === 'string') ||
    ['anyOf', 'oneOf', 'allOf'].some((keyword) => Array.isArray(own(keyword)))
  )
}

/** JSON Schema as it is; the short map as the closed object schema that it stands for. */
function longForm(input: Members, where: string): Members {
  if (isJsonSchema(input) || Object.keys(input).length === 0) return input
  return { type: 'object', ...propertiesOf(input, where), additionalProperties: false }
}

function propertiesOf(map: Members, where: string): Members {
  const required: string[] = []
  const properties = Object.entries(map).map(([name, property]) => {
    if (isStandardSchema(property)) {
      const { vendor } = property['~standard']
      throw new ConfigError(
        `[pawl] ${where}: "${name}" is a schema of ${vendor} in a plain object. Make one schema of them all, such as z.object({ ${name}: … }).`,
      )
    }
    if (property === null || typeof property !== 'object' || Array.isArray(property)) {
      const wayOut = 'Write { type: "string", required: true }, or give JSON Schema with a string "type" at its root.'
      throw new ConfigError(
        `[pawl] ${where}: "${name}" is neither a property of the short map nor part of a JSON Schema. ${wayOut}`,
      )
    }
    const schema = property as Members
    const typo = Object.keys(schema).find((keyword) => keyword !== 'required' && nearest(keyword, ['required']))
    if (typo !== undefined) {
      throw new ConfigError(`[pawl] ${where}: "${name}" has \`${typo}\`. Did you mean \`required\`?`)
    }
    if (schema.required === true) required.push(name)
    return [name, longProperty(schema, `${where}.${name}`)]
  })
  return { properties: Object.fromEntries(properties), ...(required.length === 0 ? undefined : { required }) }
}

/** Lifts `required: true` out of a property, and out of the properties nested in it. */
function longProperty({ required, ...schema }: Members, where: string): Members {
  const lifted = typeof required === 'boolean' || required === undefined ? schema : { ...schema, required }
  const { properties, items } = lifted
  if (properties !== null && typeof properties === 'object')
    return { ...lifted, ...propertiesOf(properties as Members, where) }
  if (items !== null && typeof items === 'object' && !Array.isArray(items))
    return { ...lifted, items: longProperty(items as Members, where) }
  return lifted
}

function furtherCheck({ '~standard': standard }: StandardSchema): (value: Json) => MaybePromise<Broken | undefined> {
  const judge = ({ issues }: { readonly issues?: readonly Issue[] | undefined }): Broken | undefined => {
    if (issues === undefined) return undefined
    const violations = issues.slice(0, 20).map(({ message, path = [] }) => {
      const keys = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment))
      const pointer = keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
      return Object.freeze({
        path: pointer.toWellFormed(),
        expected: String(message).slice(0, 300).toWellFormed(),
        got: '',
      })
    })
    return {
      message: violations.map(({ path, expected }) => `${path === '' ? '(root)' : path}: ${expected}`).join('; '),
      violations: Object.freeze(violations),
    }
  }
  return (value) => {
    const fault = (thrown: unknown): Broken => ({
      message: `the schema's own check failed: ${describeThrown(thrown).message}`,
      violations: [],
    })
    try {
      const result = standard.validate(value)
      return isPromiseLike(result) ? Promise.resolve(result).then(judge).catch(fault) : judge(result)
    } catch (thrown) {
      return fault(thrown)
    }
  }
}
