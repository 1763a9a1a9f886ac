/** The work that every contender is given: the same bodies, arguments and schemas, whatever stands around them. */

export interface Sum {
  readonly a: number
  readonly b: number
}

/** Handed over as an object, as most frameworks take it. */
export const sum: Sum = { a: 2, b: 3 }
/** As a model writes it, for the frameworks that parse it. */
export const sumText: string = JSON.stringify(sum)

/** How often each body ran, by which a contender proves that it runs them. */
export const ran = { add: 0, tick: 0, sleep: 0 }

export const bodies = {
  async add({ a, b }: Sum): Promise<{ sum: number }> {
    ran.add++
    return { sum: a + b }
  },
  /** Gives the turn back once. */
  async tick({ a, b }: Sum): Promise<{ sum: number }> {
    await new Promise((done) => setImmediate(done))
    ran.tick++
    return { sum: a + b }
  },
  /** 20 ms. */
  async sleep({ a, b }: Sum): Promise<{ sum: number }> {
    await new Promise((done) => setTimeout(done, 20))
    ran.sleep++
    return { sum: a + b }
  },
}

export type Body = keyof typeof bodies
export const bodyNames = Object.keys(bodies) as Body[]

export const parameters = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
  additionalProperties: false,
} as const

export const output = {
  type: 'object',
  properties: { sum: { type: 'number' } },
  required: ['sum'],
  additionalProperties: false,
} as const

/** 1 MiB of text. */
export const bigText: string = 'The quick brown fox jumps over 13 lazy dogs.\n'.repeat(23_302).slice(0, 1_048_576)

export interface Row {
  readonly id: number
  readonly name: string
  readonly tags: readonly string[]
  readonly price: number
  readonly isActive: boolean
}

/** A table as a query gives it. */
export const rows: readonly Row[] = Array.from({ length: 20_000 }, (_, id) => ({
  id,
  name: `row number ${id}`,
  tags: ['alpha', 'beta'],
  price: id / 4,
  isActive: id % 3 === 0,
}))

export const rowsOutput = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      name: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
      price: { type: 'number' },
      isActive: { type: 'boolean' },
    },
    required: ['id', 'name', 'tags', 'price', 'isActive'],
    additionalProperties: false,
  },
} as const
