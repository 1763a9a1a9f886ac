import { applicators, assertions, isObject } from './keywords.ts'
import { References } from './refs.ts'
import type { JsonSchema } from './walk.ts'

type SchemaObject = { readonly [keyword: string]: unknown }
type Rewritten = boolean | { [keyword: string]: unknown }

/** Keywords that place a schema; they have done their work once references lead to definitions. */
const placing = new Set(['$id', '$anchor', '$dynamicAnchor', '$recursiveAnchor', '$schema', '$defs', 'definitions'])
/** The compiler compares a value with one allowed value after the other, which for few is quickest. */
const mostCompared = 20
const inherited = new Set(Object.getOwnPropertyNames(Object.prototype))

/** A schema in the one form that is compiled. */
export interface Rewriting {
  readonly schema: Rewritten
  /** It names members that every object inherits, so that own members have to be told from inherited ones. */
  readonly namesInherited: boolean
}

/**
 * Puts a schema of any draft into one form of 2020-12: without ids, with every reference as `#/$defs/<n>`, with the older forms of
 * `items`, `dependencies` and the boolean bounds in their newer words, and without what is not enforced. So equal ids in two tools
 * can not clash, and a reference may lead anywhere in its document.
 *
 * @param schema one that `inspectSchema` found no fatal problem in
 */
export function rewrite(schema: JsonSchema): Rewriting {
  if (typeof schema === 'boolean') return { schema, namesInherited: false }
  return new Rewriter(schema).rewrite()
}

class Rewriter {
  readonly #root: SchemaObject
  readonly #references: References
  readonly #names = new Map<object, string>()
  readonly #definitions: { [name: string]: Rewritten } = {}
  readonly #pending: SchemaObject[] = []
  #namesInherited = false

  constructor(root: SchemaObject) {
    this.#root = root
    this.#references = new References(root)
  }

  rewrite(): Rewriting {
    this.#findTargets(this.#root)
    const schema = this.#placed(this.#root)
    for (let target = this.#pending.pop(); target !== undefined; target = this.#pending.pop()) {
      this.#definitions[this.#names.get(target) as string] = this.#rewritten(target)
    }
    return {
      schema: this.#names.size === 0 ? schema : { ...(schema as object), $defs: this.#definitions },
      namesInherited: this.#namesInherited,
    }
  }

  /** Names every target before anything is rewritten, so that each is written once, wherever it stands. */
  #findTargets(from: SchemaObject): void {
    const seen = new Set<object>()
    const pending: unknown[] = [from]
    while (pending.length > 0) {
      const value = pending.pop()
      if (typeof value !== 'object' || value === null || seen.has(value)) continue
      seen.add(value)
      if (isObject(value)) {
        for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
          const target =
            typeof value[keyword] === 'string' ? this.#references.resolve(value, value[keyword]) : undefined
          if (typeof target === 'object' && typeof target.schema === 'object') this.#nameOf(target.schema)
        }
      }
      pending.push(...Object.values(value))
    }
  }

  #nameOf(target: SchemaObject): string {
    const known = this.#names.get(target)
    if (known !== undefined) return `#/$defs/${known}`
    const name = String(this.#names.size)
    this.#names.set(target, name)
    this.#pending.push(target)
    return `#/$defs/${name}`
  }

  /** What stands in the place of a schema: a target is a reference to its definition. */
  #placed(schema: unknown): Rewritten {
    if (!isObject(schema)) return schema as boolean
    return this.#names.has(schema) ? { $ref: this.#nameOf(schema) } : this.#rewritten(schema)
  }

  #rewritten(schema: SchemaObject): { [keyword: string]: unknown } {
    const written: { [keyword: string]: unknown } = {}
    for (const keyword of Object.keys(schema)) {
      if (placing.has(keyword)) continue
      const value = schema[keyword]
      if (keyword === 'type' || keyword === 'default') written[keyword] = value
      else if (keyword === '$ref' || keyword === '$dynamicRef' || keyword === '$recursiveRef')
        this.#reference(written, schema, value)
      else if (Object.hasOwn(applicators, keyword)) this.#applicator(written, schema, keyword, value)
      else if (Object.hasOwn(assertions, keyword)) this.#assertion(written, keyword, value)
    }
    olderBounds(written)
    return written
  }

  #reference(written: { [keyword: string]: unknown }, from: SchemaObject, ref: unknown): void {
    const target = this.#references.resolve(from, ref as string)
    if (target === undefined || target === 'meta-schema') return
    if (typeof target.schema === 'boolean') also(written, target.schema)
    else if (written.$ref === undefined) written.$ref = this.#nameOf(target.schema)
    else also(written, { $ref: this.#nameOf(target.schema) })
  }

  #applicator(written: { [keyword: string]: unknown }, schema: SchemaObject, keyword: string, value: unknown): void {
    if (keyword === 'items' && Array.isArray(value)) {
      written.prefixItems = value.map((item) => this.#placed(item))
      if (schema.additionalItems !== undefined) written.items = this.#placed(schema.additionalItems)
    } else if (keyword === 'dependencies') this.#dependencies(written, value as SchemaObject)
    else if (keyword === 'properties') this.#properties(written, value as SchemaObject)
    else if (keyword === 'patternProperties') this.#patterns(written, this.#map(value as SchemaObject))
    else if (keyword === 'allOf') also(written, ...(value as unknown[]).map((item) => this.#placed(item)))
    else if (keyword === 'additionalItems') return
    else if (isObject(value) && applicators[keyword] === 'map') written[keyword] = this.#map(value)
    else written[keyword] = Array.isArray(value) ? value.map((item) => this.#placed(item)) : this.#placed(value)
  }

  #map(map: SchemaObject): { [name: string]: unknown } {
    const written: { [name: string]: unknown } = {}
    for (const name of Object.keys(map)) {
      this.#note(name)
      if (name !== '__proto__') written[name] = this.#placed(map[name])
    }
    return written
  }

  /** The compiler passes over a property `__proto__`; as a pattern it is one like any other. */
  #properties(written: { [keyword: string]: unknown }, map: SchemaObject): void {
    written.properties = this.#map(map)
    const proto = Object.getOwnPropertyDescriptor(map, '__proto__')
    if (proto !== undefined) this.#patterns(written, { '^__proto__$': this.#placed(proto.value) })
  }

  #patterns(written: { [keyword: string]: unknown }, patterns: SchemaObject): void {
    written.patternProperties = { ...(written.patternProperties as object), ...patterns }
  }

  #dependencies(written: { [keyword: string]: unknown }, map: SchemaObject): void {
    const entries = Object.entries(map)
    const names = entries.filter(([, value]) => Array.isArray(value))
    const schemas = entries
      .filter(([, value]) => !Array.isArray(value))
      .map(([name, value]) => [name, this.#placed(value)])
    for (const [name] of entries) this.#note(name)
    if (names.length > 0)
      written.dependentRequired = { ...(written.dependentRequired as object), ...Object.fromEntries(names) }
    if (schemas.length > 0)
      written.dependentSchemas = { ...(written.dependentSchemas as object), ...Object.fromEntries(schemas) }
  }

  #assertion(written: { [keyword: string]: unknown }, keyword: string, value: unknown): void {
    if (keyword === 'required') {
      if (!Array.isArray(value)) return // draft 3 said it of the property itself
      for (const name of value) this.#note(name as string)
      written.required = [...new Set(value)]
      return
    }
    if (keyword === 'dependentRequired') {
      for (const [name, names] of Object.entries(value as { [name: string]: string[] }))
        for (const each of [name, ...names]) this.#note(each)
    }
    if (keyword === 'enum') this.#enum(written, value as unknown[])
    // Beside an `enum`, which may be a set too.
    else if (keyword === 'const' && isDeep(value)) also(written, { enumSet: [value] })
    else written[keyword] = value
  }

  #enum(written: { [keyword: string]: unknown }, allowed: readonly unknown[]): void {
    // An empty list allows nothing, which the compiler does not take.
    if (allowed.length === 0) also(written, false)
    else written[allowed.length > mostCompared || allowed.some(isDeep) ? 'enumSet' : 'enum'] = allowed
  }

  #note(name: string): void {
    if (inherited.has(name)) this.#namesInherited = true
  }
}

/** The compiler compares objects by their `valueOf` if they have one, which in a JSON value is data. */
function isDeep(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** Adds to `allOf`, which a schema may have by itself too. */
function also(written: { [keyword: string]: unknown }, ...schemas: unknown[]): void {
  const all = (written.allOf ?? []) as unknown[]
  if (all.length + schemas.length > 0) written.allOf = [...all, ...schemas]
}

/** Draft 4 said `exclusiveMaximum: true` beside `maximum`. */
function olderBounds(written: { [keyword: string]: unknown }): void {
  for (const [bound, exclusive] of [
    ['maximum', 'exclusiveMaximum'],
    ['minimum', 'exclusiveMinimum'],
  ] as const) {
    if (typeof written[exclusive] !== 'boolean') continue
    if (written[exclusive] === true && written[bound] !== undefined) {
      written[exclusive] = written[bound]
      delete written[bound]
    } else delete written[exclusive]
  }
}
