import * as fc from 'fast-check'
import { expect, test } from 'vitest'

const times = process.env.PAWL_DEEP === '1' ? 20 : 1

/**
 * A rule as a test. The check calls `witness` where a run really exercised the rule; a property whose runs hardly ever do that
 * says nothing, and is red.
 */
export function property<T>(
  name: string,
  arbitrary: fc.Arbitrary<T>,
  check: (value: T, witness: () => void) => Promise<void>,
  runs = 1_000,
): void {
  test(name, { timeout: 60_000 * times }, async () => {
    let seen = 0
    const counted = async (value: T): Promise<void> => {
      let isWitness = false
      await check(value, () => {
        isWitness = true
      })
      if (isWitness) seen++
    }
    await fc.assert(fc.asyncProperty(arbitrary, counted), { numRuns: runs * times })
    expect(seen, 'runs that exercised the rule').toBeGreaterThanOrEqual((runs * times) / 20)
  })
}
