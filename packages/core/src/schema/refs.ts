import { isObject } from './keywords.ts'
import { eachSubschema, type JsonSchema } from './walk.ts'

type SchemaObject = { readonly [keyword: string]: unknown }

/** A base for schemas without an `$id`; the name can not exist (RFC 2606). */
const noBase = 'https://schema.invalid/'
const metaSchema = /^https?:\/\/json-schema\.org\/(draft-0\d|draft\/20\d\d-\d\d)\/(schema|meta\/[a-z-]+)#?$/

/** Where a reference leads: a schema inside the same document, or a draft's own meta-schema, which is taken as any schema. */
export type Target = { readonly schema: JsonSchema } | 'meta-schema' | undefined

/**
 * The references of one document. Schemas, including those with an `$id` of their own, are found by URI, anchor and JSON pointer;
 * nothing is ever fetched.
 */
export class References {
  readonly #root: SchemaObject
  readonly #bases = new Map<object, string>()
  readonly #documents = new Map<string, SchemaObject>()
  readonly #anchors = new Map<string, SchemaObject>()

  constructor(root: SchemaObject) {
    this.#root = root
    this.#documents.set(noBase, root)
    this.#collect(root, noBase)
  }

  /** Where the reference of `from` leads; `undefined` if nowhere. */
  resolve(from: object, ref: string): Target {
    if (metaSchema.test(ref)) return 'meta-schema'
    const uri = join(ref, this.#bases.get(from) ?? noBase)
    if (uri === undefined) return undefined
    const hash = uri.indexOf('#')
    const document = this.#documents.get(hash === -1 ? uri : uri.slice(0, hash))
    const fragment = hash === -1 ? '' : uri.slice(hash + 1)
    if (fragment === '') return document && { schema: document }
    if (!fragment.startsWith('/')) return wrap(this.#anchors.get(uri))
    return document && this.#pointed(document, fragment)
  }

  #pointed(document: SchemaObject, pointer: string): Target {
    let at: unknown = document
    for (const segment of pointer.slice(1).split('/')) {
      const key = unescapePointer(segment)
      if (key === undefined || typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
      at = (at as { readonly [key: string]: unknown })[key]
    }
    if (typeof at === 'boolean') return { schema: at }
    if (!isObject(at)) return undefined
    // It may stand where no keyword holds schemas, and then it was not collected.
    if (!this.#bases.has(at)) this.#collect(at, this.#bases.get(document) ?? noBase)
    return { schema: at }
  }

  #collect(schema: SchemaObject, above: string): void {
    if (this.#bases.has(schema)) return
    const { $id, $anchor, $dynamicAnchor } = schema
    let base = above
    if (typeof $id === 'string') {
      const uri = join($id, above)
      // Before 2019-09 an `$id` that is only a fragment was an anchor.
      if (uri !== undefined && $id.startsWith('#')) this.#anchors.set(uri, schema)
      else if (uri !== undefined) {
        base = uri.replace(/#$/, '')
        if (!this.#documents.has(base)) this.#documents.set(base, schema)
      }
    }
    this.#bases.set(schema, base)
    for (const anchor of [$anchor, $dynamicAnchor]) {
      const uri = typeof anchor === 'string' ? join(`#${anchor}`, base) : undefined
      if (uri !== undefined) this.#anchors.set(uri, schema)
    }
    eachSubschema(schema, '', (inner) => {
      if (typeof inner === 'object') this.#collect(inner, base)
    })
  }

  get root(): SchemaObject {
    return this.#root
  }
}

function wrap(schema: SchemaObject | undefined): Target {
  return schema && { schema }
}

function join(uri: string, base: string): string | undefined {
  try {
    return new URL(uri, base).href
  } catch {
    return URL.canParse(uri) ? uri : undefined
  }
}

function unescapePointer(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return undefined
  }
}
