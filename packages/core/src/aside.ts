import type { Mark } from './call.ts'
import type { Nest } from './nested.ts'
import type { Fault, TraceDecision } from './result.ts'

/** What few calls have; made when the first of it comes, so that all other calls stay small. */
export class Aside {
  readonly faults: Fault[] = []
  readonly decisions: TraceDecision[] = []
  marks: Mark[] = []
  /** Why the journal did not take the call. */
  journalFailure: string | undefined
  /** The journal is still taking the call. */
  recording: Promise<void> | undefined
  /** Appends that are under way and that nothing but the result waits for. */
  readonly appends: Promise<void>[] = []
  /** The calls nested in this one: how many there were, and those that have not all ended. */
  nested = 0
  readonly nests: Set<Nest> = new Set()
  /** The late end of a run that was given up on was reported. */
  lateTold = false
}
