import type { Desk } from './approve.ts'
import type { Guards } from './guards.ts'
import type { Journal } from './journal.ts'
import type { Layers } from './layers.ts'
import type { ResolvedOptions } from './options.ts'
import type { Approver, Logger } from './plugin.ts'
import type { Registry } from './registry.ts'

/** What the stages need of the runtime that a call runs in. */
export interface Host {
  readonly options: ResolvedOptions
  readonly registry: Registry
  readonly guards: Guards
  /** Without one, nothing is written: nobody could ever read it. */
  readonly journal: Journal | undefined
  readonly approver: Approver | undefined
  readonly logger: Logger
  readonly desk: Desk
  /** The plugins as they stand now; a call keeps those of its admission. */
  readonly layers: Layers
}
