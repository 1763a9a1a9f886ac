import * as fc from 'fast-check'
import { expect, test } from 'vitest'

const runs = process.env.PAWL_DEEP === '1' ? 20_000 : 1_000

/**
 * A rule as a test. The check calls `witness` where a run really exercised the rule; a property whose runs hardly ever do that
 * says nothing, and is red.
 */
export function property<T>(
  name: string,
  arbitrary: fc.Arbitrary<T>,
  check: (value: T, witness: () => void) => void,
): void {
  test(name, { timeout: 120_000 }, () => {
    let seen = 0
    const counted = (value: T): void => {
      let isWitness = false
      check(value, () => {
        isWitness = true
      })
      if (isWitness) seen++
    }
    fc.assert(fc.property(arbitrary, counted), { numRuns: runs })
    expect(seen, 'runs that exercised the rule').toBeGreaterThanOrEqual(runs / 20)
  })
}
