import type { SpillReader, SpillStore } from '@pawl/spill'

/** What a store can do beside saving text and reading it back. */
export type Claim = 'blobs' | 'quota' | 'expiry'

/** A store under test. */
export type TestedStore = SpillStore & SpillReader

/** What a store is made with, where it claims so. */
export interface Making {
  readonly quotaBytes?: number
  readonly expiresAfterMs?: number
}

/** A kind of store, as its test file describes it. */
export interface Target {
  /** Gives a store of its own each time; it is closed after use. */
  create(making: Making): TestedStore | Promise<TestedStore>
  readonly claims: readonly Claim[]
  /** How many cases each property tries. */
  readonly runs: number
}

/** A sentence that every store keeps, and how it is tried. */
export interface Rule {
  /** The number of the rule that it belongs to, as `SPS-1`. */
  readonly id: string
  readonly sentence: string
  /** Tried only with stores that claim this. */
  readonly needs?: Claim
  /** Rejects if the rule is broken; the message says how. */
  check(target: Target): Promise<void>
}
