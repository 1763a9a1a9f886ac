import { applicators, assertions, isAnnotation, isObject, knownFormats, knownKeywords, typeNames } from './keywords.ts'
import { isLinear } from './linear-regexp.ts'
import { nearest } from './nearest.ts'
import { flagOf } from './pattern-syntax.ts'
import { References } from './refs.ts'
import { eachSubschema, escapePointer, type JsonSchema } from './walk.ts'

/** Something in a schema that is wrong (`fatal`) or that is not enforced; `path` is a JSON pointer, '' for the root. */
export interface SchemaProblem {
  readonly path: string
  readonly message: string
  readonly fatal: boolean
}

const dialects =
  /^https?:\/\/json-schema\.org\/(draft-07\/schema|draft-06\/schema|draft\/2019-09\/schema|draft\/2020-12\/schema)#?$/

/** More than any schema for arguments needs, and little enough to be walked in milliseconds. */
const mostSchemas = 20_000

/**
 * What is wrong with a schema, and what in it will not be enforced, each once and with its path; nothing is passed over in
 * silence (VAL-8). Compiles nothing: it costs microseconds.
 */
export function inspectSchema(schema: JsonSchema): readonly SchemaProblem[] {
  if (typeof schema === 'boolean') return []
  const inspection = new Inspection(schema)
  inspection.visit(schema, '')
  return inspection.problems
}

/** A keyword of the schema at `path`. Its pointer is made when there is something to say of it: next to none has. */
interface Place {
  readonly path: string
  readonly keyword: string
}

function pointerTo({ path, keyword }: Place): string {
  return `${path}/${escapePointer(keyword)}`
}

class Inspection {
  readonly problems: SchemaProblem[] = []
  readonly #root: { readonly [keyword: string]: unknown }
  #references: References | undefined
  #schemas = 0

  constructor(root: { readonly [keyword: string]: unknown }) {
    this.#root = root
  }

  visit(schema: JsonSchema, path: string): void {
    if (typeof schema === 'boolean') return
    if (++this.#schemas === mostSchemas)
      this.problems.push({ path: '', message: `it has more than ${mostSchemas} schemas`, fatal: true })
    if (this.#schemas >= mostSchemas) return
    for (const keyword of Object.keys(schema)) this.#keyword(schema, keyword, path)
    eachSubschema(schema, path, (inner, at) => this.visit(inner, at))
  }

  #keyword(schema: { readonly [keyword: string]: unknown }, keyword: string, path: string): void {
    const value = schema[keyword]
    const at: Place = { path, keyword }
    if (keyword === 'type') this.#type(value, at)
    else if (Object.hasOwn(assertions, keyword)) this.#assertion(schema, value, at)
    else if (Object.hasOwn(applicators, keyword)) this.#applicator(value, at)
    else if (!isAnnotation(keyword)) {
      const suggestion = nearest(keyword, knownKeywords)
      const hint = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`
      this.#problem(at, `the keyword "${short(keyword)}" is unknown and is not enforced.${hint}`)
    }
  }

  #type(value: unknown, at: Place): void {
    for (const name of Array.isArray(value) ? value : [value]) {
      if (typeof name === 'string' && typeNames.includes(name)) continue
      const suggestion = typeof name === 'string' ? nearest(name, typeNames) : undefined
      const hint = suggestion === undefined ? `Types are ${typeNames.join(', ')}.` : `Did you mean "${suggestion}"?`
      this.#fatal(at, `${short(JSON.stringify(name))} is no type. ${hint}`)
    }
  }

  #assertion(schema: object, value: unknown, at: Place): void {
    const { path, keyword } = at
    const { check, has } = assertions[keyword] as (typeof assertions)[string]
    if (!check(value)) return this.#fatal(at, `\`${keyword}\` has to be ${has}`)
    if (keyword === 'pattern') this.#pattern(value as string, at)
    else if (keyword === 'required' && !Array.isArray(value)) {
      this.#problem(
        at,
        '`required` of a property itself, as in draft 3, is not enforced; the object lists what it requires',
      )
    } else if (keyword === 'format' && !knownFormats.has(value as string)) {
      this.#problem(at, `the format "${short(value as string)}" is unknown and is not enforced`)
    } else if (keyword === '$ref') this.#reference(schema, value as string, at)
    else if (keyword === '$dynamicRef' || keyword === '$recursiveRef') {
      this.#reference(schema, value as string, at)
      this.#problem(at, `\`${keyword}\` is followed like \`$ref\``)
    } else if (keyword === '$schema' && path === '' && !dialects.test(value as string)) {
      this.#problem(
        at,
        `the dialect "${short(value as string)}" is unknown; the schema is read as draft 2020-12 with the older forms`,
      )
    }
  }

  #applicator(value: unknown, at: Place): void {
    const { keyword } = at
    const isSchema = (item: unknown): boolean => typeof item === 'boolean' || isObject(item)
    const holds = applicators[keyword]
    if (holds === 'list' && !(Array.isArray(value) && value.every(isSchema))) {
      return this.#fatal(at, `\`${keyword}\` has to be an array of schemas`)
    }
    if (holds === 'schema' && !isSchema(value)) return this.#fatal(at, `\`${keyword}\` has to be a schema`)
    if (holds === 'schema or list' && !isSchema(value) && !(Array.isArray(value) && value.every(isSchema))) {
      return this.#fatal(at, `\`${keyword}\` has to be a schema or an array of schemas`)
    }
    if (holds !== 'map' && holds !== 'map of schemas or names') return
    const isEntry = (item: unknown): boolean => isSchema(item) || (holds !== 'map' && Array.isArray(item))
    if (!isObject(value)) return this.#fatal(at, `\`${keyword}\` has to be a map from names to schemas`)
    for (const name of Object.keys(value)) {
      if (isEntry(value[name]) && keyword !== 'patternProperties') continue
      const where: Place = { path: pointerTo(at), keyword: name }
      if (!isEntry(value[name])) this.#fatal(where, 'this has to be a schema')
      if (keyword === 'patternProperties') this.#pattern(name, where)
    }
  }

  #pattern(pattern: string, at: Place): void {
    if (flagOf(pattern) === undefined) this.#fatal(at, `"${short(pattern)}" is no regular expression`)
    else if (!isLinear(pattern)) {
      const why = 'it uses something that can not be run in linear time, such as look-around or a back-reference'
      this.#problem(at, `the pattern "${short(pattern)}" is not enforced: ${why}`)
    }
  }

  #reference(from: object, ref: string, at: Place): void {
    this.#references ??= new References(this.#root)
    if (this.#references.resolve(from, ref) !== undefined) return
    this.#fatal(
      at,
      `"${short(ref)}" leads nowhere in this schema, and nothing is fetched. Put what it names under $defs`,
    )
  }

  #fatal(at: Place, message: string): void {
    this.problems.push({ path: pointerTo(at), message, fatal: true })
  }

  #problem(at: Place, message: string): void {
    this.problems.push({ path: pointerTo(at), message, fatal: false })
  }
}

function short(text: string | undefined): string {
  const shown = text ?? 'undefined'
  return (shown.length > 80 ? `${shown.slice(0, 80)}…` : shown).toWellFormed()
}
