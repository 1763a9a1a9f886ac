import assert from 'node:assert/strict'
import type { Session } from '@pawl/core'
import type { SpillRef } from '@pawl/spill'
import * as fc from 'fast-check'
import type { Making, Target, TestedStore } from './target.ts'

/** A store for the time of `use`. */
export async function withStore(
  target: Target,
  making: Making,
  use: (store: TestedStore) => Promise<void>,
): Promise<void> {
  const store = await target.create(making)
  try {
    await use(store)
  } finally {
    await store.close?.()
  }
}

/** A property of one store, which is used for all of its cases. */
export async function always<T>(
  target: Target,
  arbitrary: fc.Arbitrary<T>,
  holds: (store: TestedStore, value: T) => Promise<void>,
): Promise<void> {
  await withStore(target, {}, (store) =>
    fc.assert(
      fc.asyncProperty(arbitrary, (value) => holds(store, value)),
      { numRuns: target.runs },
    ),
  )
}

/** What the hint says to call `read_spill` with. */
export function locatorIn({ locator, retrievalHint }: SpillRef): string {
  assert(retrievalHint.includes(JSON.stringify(locator)), `the hint names the locator: ${retrievalHint}`)
  return locator
}

/** All bytes of an artefact, read `limit` at a time; `undefined` if there is none. */
export async function readAll(
  store: TestedStore,
  session: Session | undefined,
  locator: string,
  limit = 1_048_576,
): Promise<Buffer | undefined> {
  const pieces: Uint8Array[] = []
  for (let offset = 0; ; offset += limit) {
    const range = await store.read({ session, locator, offset, limit })
    if (range === undefined) return undefined
    const expected = Math.max(0, Math.min(limit, range.bytes - offset))
    assert.equal(range.data.length, expected, `${limit} bytes from ${offset} on of ${range.bytes}`)
    pieces.push(range.data)
    if (offset + limit >= range.bytes) return Buffer.concat(pieces)
  }
}

/** The bytes are compared at once: a diff of megabytes helps nobody. */
export function assertSame(got: Uint8Array | undefined, saved: Uint8Array, what: string): void {
  assert(got !== undefined, `${what}: nothing is there`)
  assert(
    Buffer.compare(got, saved) === 0,
    `${what}: ${got.length} bytes came back that are not the ${saved.length} saved`,
  )
}

/** How a promise fails. */
export async function failureOf(promise: Promise<unknown>, what: string): Promise<unknown> {
  const settled = await promise.then(
    () => ({ failed: false as const }),
    (reason: unknown) => ({ failed: true as const, reason }),
  )
  assert(settled.failed, `${what} has to reject`)
  return settled.reason
}
