import type { Desk } from './approve.ts'
import type { Chain } from './chain.ts'
import type { Guards } from './guards.ts'
import type { StepIds } from './ids.ts'
import type { Journal } from './journal.ts'
import type { ResolvedOptions } from './options.ts'
import type { Approver, Logger } from './plugin.ts'
import type { Plugins } from './plugins.ts'
import type { Registry } from './registry.ts'
import type { Step } from './step.ts'

/** What the stages need of the runtime that a call runs in. Plain fields only: an accessor here would slow every stage. */
export interface Host {
  readonly options: ResolvedOptions
  readonly registry: Registry
  readonly guards: Guards
  /** Without one, nothing is written: nobody could ever read it. */
  readonly journal: Journal | undefined
  readonly approver: Approver | undefined
  readonly logger: Logger
  readonly desk: Desk
  readonly ids: StepIds
  readonly running: Chain<Step>
  readonly plugins: Plugins
}
