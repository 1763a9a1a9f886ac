import { Ajv2020 } from 'ajv/dist/2020.js'
import { closest, distance } from 'fastest-levenshtein'

export type JsonSchema = boolean | { readonly [keyword: string]: unknown }
export interface SchemaProblem {
  readonly path: string
  readonly message: string
  readonly fatal: boolean
}
export interface Violation {
  readonly path: string
  readonly expected: string
  readonly got: string
  readonly keyword: string
}
export interface Violations {
  readonly list: readonly Violation[]
}
export interface Validator {
  check(value: unknown): Violations | undefined
  withDefaults(value: unknown): unknown
}
export function inspectSchema(_schema: JsonSchema): readonly SchemaProblem[] {
  return []
}
let ajv: Ajv2020 | undefined
export function compile(schema: JsonSchema): Validator {
  let validate: ReturnType<Ajv2020['compile']> | undefined
  return {
    check(value) {
      ajv ??= new Ajv2020({ strict: false, logger: false, ownProperties: true, validateFormats: false })
      validate ??= ajv.compile(schema)
      if (validate(value)) return undefined
      return {
        list: (validate.errors ?? []).map((e) => ({
          path: e.instancePath,
          expected: e.message ?? '',
          got: '',
          keyword: e.keyword,
        })),
      }
    },
    withDefaults: (value) => value,
  }
}
export function describeViolations({ list }: Violations): string {
  return list.map(({ path, expected }) => `${path}: ${expected}`).join('; ')
}
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const all = [...candidates]
  if (all.length === 0) return undefined
  const found = closest(word, all)
  return distance(word, found) <= Math.max(1, word.length / 3) ? found : undefined
}
