import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { History } from './observe.ts'
import { play } from './rig.ts'
import type { World } from './world.ts'

/** Virtual time for a file: only timers, and what it names besides, so that everything else of the platform stays itself. */
export function fakeTime(...also: 'performance'[]): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', ...also] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}

export interface PropertyOptions {
  /** **Default:** 1,000. */
  readonly runs?: number
  /** How many runs must have shown the situation that the rule is about. **Default:** 25. */
  readonly witnesses?: number
}

/**
 * A rule as a test. The check calls `witness` where a run really exercised the rule; a property whose runs hardly ever do that
 * says nothing, and is red.
 */
export function property<T>(
  name: string,
  arbitrary: fc.Arbitrary<T>,
  check: (value: T, witness: () => void) => void | Promise<void>,
  { runs = 1_000, witnesses = 25 }: PropertyOptions = {},
): void {
  test(name, { timeout: 60_000 }, async () => {
    let seen = 0
    const counted = async (value: T): Promise<void> => {
      let isWitness = false
      await check(value, () => {
        isWitness = true
      })
      if (isWitness) seen++
    }
    await fc.assert(fc.asyncProperty(arbitrary, counted), { numRuns: runs })
    expect(seen, 'runs that exercised the rule').toBeGreaterThanOrEqual(witnesses)
  })
}

export type Judge = (history: History, witness: () => void) => void

/**
 * Rules that judge the same thousand worlds, which are played once. A rule that fails is then tried by itself, so that its
 * counter-example is shrunk.
 */
export function explored(arbitrary: fc.Arbitrary<World>): (name: string, judge: Judge) => void {
  let histories: Promise<History[]> | undefined
  const explore = async (): Promise<History[]> => {
    const played: History[] = []
    for (const made of fc.sample(arbitrary, 1_000)) played.push(await play(made))
    return played
  }
  return (name, judge) => {
    test(name, { timeout: 60_000 }, async () => {
      histories ??= explore()
      let seen = 0
      for (const history of await histories) {
        let isWitness = false
        try {
          judge(history, () => {
            isWitness = true
          })
        } catch (thrown) {
          const alone = fc.asyncProperty(arbitrary, async (made) => judge(await play(made), () => {}))
          await fc.assert(alone, { numRuns: 3_000 })
          throw new Error(`fails in the world ${JSON.stringify(history.world)}`, { cause: thrown })
        }
        if (isWitness) seen++
      }
      expect(seen, 'runs that exercised the rule').toBeGreaterThanOrEqual(25)
    })
  }
}

/**
 * By how much `many` takes longer than `few`. Noise only ever adds, so the shortest of some runs counts, and a ratio that looks
 * bad is measured again: at eight times the size, linear cost gives about 8 and quadratic cost 64 every time.
 */
export async function costRatio(few: () => Promise<unknown>, many: () => Promise<unknown>): Promise<number> {
  const shortest = async (run: () => Promise<unknown>): Promise<number> => {
    let best = Number.POSITIVE_INFINITY
    for (let at = 0; at < 5; at++) {
      const start = performance.now()
      await run()
      best = Math.min(best, performance.now() - start)
    }
    return best
  }
  await shortest(few)
  let ratio = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 4 && ratio > 16; tries++)
    ratio = Math.min(ratio, (await shortest(many)) / (await shortest(few)))
  return ratio
}
