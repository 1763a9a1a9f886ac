import { applicators, isObject } from './keywords.ts'

/** A schema: an object of keywords, or `true` (anything) or `false` (nothing). Copied and frozen before it gets here. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown }

/** One schema inside another: where, as a JSON pointer. */
export type Visit = (schema: JsonSchema, path: string) => void

/** Calls `visit` for each schema that a keyword of `schema` holds. What a keyword holds in a wrong form is passed over. */
export function eachSubschema(schema: { readonly [keyword: string]: unknown }, path: string, visit: Visit): void {
  for (const keyword of Object.keys(schema)) {
    if (!Object.hasOwn(applicators, keyword)) continue
    const value = schema[keyword]
    const at = `${path}/${keyword}`
    const holds = applicators[keyword]
    if (holds === 'map' || holds === 'map of schemas or names') {
      if (isObject(value))
        for (const name of Object.keys(value)) visitIf(value[name], `${at}/${escapePointer(name)}`, visit)
    } else if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) visitIf(value[index], `${at}/${index}`, visit)
    } else visitIf(value, at, visit)
  }
}

function visitIf(value: unknown, path: string, visit: Visit): void {
  if (typeof value === 'boolean' || isObject(value)) visit(value, path)
}

/** One segment of a JSON pointer (RFC 6901). */
export function escapePointer(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1')
}
