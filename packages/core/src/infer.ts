import type { Json } from './json.ts'

/*
 * Types from schemas. TypeBox, literal JSON Schema and the short map are all read by their shape, so that core needs none of
 * their libraries; a Standard Schema says itself what it takes. What is not understood is `any JSON`, never an error.
 */

type Flat<T> = { [K in keyof T]: T[K] } & {}

interface Scalars {
  string: string
  number: number
  integer: number
  boolean: boolean
  null: null
}

/** The value that a JSON Schema, TypeBox ones included, describes. */
export type FromSchema<S> = S extends { '~unsafe': infer T }
  ? T
  : S extends { static: infer T; params: unknown[] }
    ? T // TypeBox before 1.0
    : S extends { const: infer T }
      ? T
      : S extends { enum: infer E extends readonly unknown[] }
        ? E[number]
        : S extends { anyOf: infer B extends readonly unknown[] } | { oneOf: infer B extends readonly unknown[] }
          ? { [I in keyof B]: FromSchema<B[I]> }[number]
          : S extends { allOf: infer B extends readonly unknown[] }
            ? Intersection<B>
            : S extends { type: infer T }
              ? FromType<S, T>
              : Json

type Intersection<B extends readonly unknown[]> = B extends readonly [infer First, ...infer Rest]
  ? FromSchema<First> & Intersection<Rest>
  : unknown

type FromType<S, T> = T extends readonly (infer Name)[]
  ? Name extends unknown
    ? FromType<S, Name>
    : never
  : T extends keyof Scalars
    ? Scalars[T]
    : T extends 'array'
      ? FromArray<S>
      : T extends 'object'
        ? FromObject<S>
        : Json

type FromArray<S> = S extends { prefixItems: infer P extends readonly unknown[] }
  ? { -readonly [I in keyof P]: FromSchema<P[I]> }
  : S extends { items: infer I }
    ? I extends readonly unknown[]
      ? { -readonly [K in keyof I]: FromSchema<I[K]> }
      : FromSchema<I>[]
    : Json[]

type FromObject<S> = S extends { properties: infer P }
  ? Flat<
      { -readonly [K in keyof P as K extends RequiredOf<S, P> ? K : never]: FromSchema<P[K]> } & {
        -readonly [K in keyof P as K extends RequiredOf<S, P> ? never : K]?: FromSchema<P[K]>
      }
    >
  : S extends { patternProperties: infer P }
    ? { [member: string]: FromSchema<P[keyof P]> }
    : S extends { additionalProperties: infer A extends object }
      ? { [member: string]: FromSchema<A> }
      : { [member: string]: Json }

/** TypeBox marks the optional properties; JSON Schema and its short form name the required ones. */
type RequiredOf<S, P> = S extends { '~kind': string }
  ? { [K in keyof P]: P[K] extends { '~optional': true } ? never : K }[keyof P]
  :
      | (S extends { required: readonly (infer R)[] } ? R : never)
      | { [K in keyof P]: P[K] extends { required: true } ? K : never }[keyof P]

interface StandardTyped<Input> {
  readonly '~standard': { readonly types?: { readonly input: Input } | undefined }
}

/** Whether a schema is JSON Schema: otherwise it is a short map (see `SchemaInput`). */
type IsJsonSchema<S> = S extends
  | { type: string }
  | { $schema: string }
  | { $ref: string }
  | { anyOf: readonly unknown[] }
  | { oneOf: readonly unknown[] }
  | { allOf: readonly unknown[] }
  ? true
  : S extends { '~kind': string }
    ? true
    : false

/** The value of any schema that `defineTool` takes. */
export type Infer<S> = unknown extends S
  ? Json
  : S extends StandardTyped<infer Input>
    ? Input
    : IsJsonSchema<S> extends true
      ? FromSchema<S>
      : keyof S extends never
        ? Json
        : FromObject<{ properties: S }>

/** The arguments: as `Infer`, and an object in any case. */
export type InferArguments<S> = keyof S extends never ? { [member: string]: Json } : Infer<S>
