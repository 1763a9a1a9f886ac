import { z } from 'zod'

/** The members of arguments and value, for the frameworks that take zod. */
export const parameters = { a: z.number(), b: z.number() }
export const output = { sum: z.number() }

/** Runs `count` calls at once; gives how many answered. */
export async function all(count, call) {
  const results = await Promise.all(Array.from({ length: count }, (_, at) => call(at)))
  return results.length
}
