import type { Content } from './content.ts'
import type { Stage } from './errors.ts'
import type { Json } from './json.ts'
import type { Outcome } from './outcome.ts'

/** Something that went wrong beside the call's outcome: it changed nothing, but somebody should know. */
export interface Fault {
  readonly stage: Stage
  readonly plugin?: string
  readonly message: string
}

/** Who said what about a call. `by` is a plugin's name, `guard` or `approver`. */
export interface TraceDecision {
  readonly by: string
  readonly kind: 'allow' | 'deny' | 'ask' | 'rewrite' | 'block'
  readonly reason?: string
  /** The words with which an approver said that its grant covers more than this call. */
  readonly remember?: string
}

/** ms spent in each stage that ran, by a monotonic clock. */
export type Timings = { readonly [S in Stage]?: number }

/** What happened to a call on its way, counted by the pipeline itself. */
export interface Trace {
  readonly faults: readonly Fault[]
  readonly decisions: readonly TraceDecision[]
  /** Calls of `next` made by the outermost layer of role `retry`; without such a layer 1, or 0 if the execute stage was never entered. */
  readonly attempts: number
  /** How often the tool's body was really entered. */
  readonly bodyInvocations: number
  /** True where a body was given up on while it still ran. */
  readonly abandoned?: true
  readonly cache?: 'hit' | 'miss' | 'bypass' | 'coalesced'
  readonly spill?: Json
  readonly timings?: Timings
  /** Whatever else plugins noted. */
  readonly [note: string]: unknown
}

interface ResultHead {
  readonly callId: string
  readonly executionId: string
  readonly name: string
  /** What the model sees, in MCP's block vocabulary. */
  readonly content: readonly Content[]
  /** Further text for the model, to be placed after all results of the step, in call order. */
  readonly context?: readonly string[]
  readonly trace: Trace
}

/** The one result of a call: deep-frozen plain JSON. */
export type ToolResult = ResultHead & Outcome

/** A result as post-execute and `finalizeContent` see it: everything but the trace, which is not finished yet. */
export type PendingResult = Omit<ResultHead, 'trace' | 'context'> & Outcome
