import type { Content } from './content.ts'
import type { Exec } from './exec.ts'
import type { Outcome } from './outcome.ts'
import type { ToolRegistry } from './registry.ts'
import type { PendingResult, ToolResult } from './result.ts'

/** Whose call it is: the namespace of stores, caches and grants. Handed in by the caller and passed on as it is. */
export type Session = string | { readonly id: string; readonly principal?: string }

/** Where pawl's own warnings go, each one sentence. Without a logger nothing is printed; problems also stand in traces and in `explain()`. */
export interface Logger {
  warn(message: string): void
}

/** What an approver said, as `onAnswer` and the trace see it. */
export interface ApprovalAnswer {
  readonly decision: 'allow' | 'deny'
  readonly reason?: string
  /** In the approver's own words: what else the grant covers ("always for this path"). pawl records it; a policy plugin may act on it. */
  readonly remember?: string
}

/**
 * What a pre-execute layer says of a call.
 * - `allow`: let it go on; with `arguments`, with these instead. They are validated and journalled, and the waterfall
 *   runs once more from its start with them; a second rewrite is `PLUGIN_ERROR`. Equal arguments are no rewrite.
 * - `deny`: `DENIED` with this reason.
 * - `ask`: somebody has to agree; `onAnswer` is told what they said.
 */
export type Decision =
  | { readonly kind: 'allow'; readonly arguments?: unknown }
  | { readonly kind: 'deny'; readonly reason: string }
  | { readonly kind: 'ask'; readonly reason?: string; readonly onAnswer?: (answer: ApprovalAnswer) => void }

/**
 * What a post-execute layer says of a result.
 * - `accept`: leave it, or replace its content (value untouched) or its value (validated and rendered anew); never both.
 * - `block`: the result becomes a failure whose content is the feedback.
 */
export type PostDecision =
  | {
      readonly kind: 'accept'
      readonly content?: readonly Content[]
      readonly value?: unknown
      readonly context?: string | readonly string[]
    }
  | { readonly kind: 'block'; readonly feedback: string | readonly Content[] }

/** What a layer may change for what runs inside it. */
export interface NextOptions {
  /**
   * A further cause to cancel, seen below this layer only and there fused with what was seen above. Hand in the
   * `AbortController` itself where you have one: its signal, which is dear, is then made only if something below reads
   * `exec.signal`, and an abort from above is passed on by aborting it with the same reason.
   */
  signal?: AbortSignal | AbortController
}

/** Runs everything inside this layer and resolves, never rejects, to what it came to. May be called again, one at a time. */
export type Next = (options?: NextOptions) => Promise<Outcome>

/**
 * A reason (also an empty one) denies, `undefined` abstains; a throw, a promise or anything else denies as well. Guards run
 * after the waterfall and again after an approval, and are read live. Nothing later lifts their denial.
 */
export type Guard = (exec: Exec) => string | undefined

/**
 * Asks a person or a service. A throw, a timeout or an unknown answer is a no, each with its own words. One is asked at a time: an
 * approver that waits for another call which needs approval waits for itself. Nested in the call that is asked about, such a call
 * is `APPROVAL_UNAVAILABLE`.
 */
export interface Approver {
  /**
   * @param request.reason why somebody has to agree
   * @param request.signal aborts when the question is moot: the step was cancelled or `approvalTimeoutMs` has passed
   */
  request(
    exec: Exec,
    request: { readonly reason: string; readonly signal: AbortSignal },
  ): 'allow' | 'deny' | ApprovalAnswer | Promise<'allow' | 'deny' | ApprovalAnswer>
}

/** What `setup` gets. */
export interface PluginContext {
  readonly tools: ToolRegistry
  readonly logger: Logger
}

/** The roles that pawl's own plugins have. A third party's plugin with the same role is subject to the same order rules. */
export type Role =
  | 'timeout'
  | 'retry'
  | 'cache'
  | 'permission'
  | 'spill'
  | 'metrics'
  | 'limits'
  | 'redact'
  | (string & {})

/**
 * A policy: a plain object, made by a factory of the same name. In `plugins` the first is the outermost, in every stage.
 * Every member but `name` is optional.
 */
export interface Plugin {
  readonly name: string
  readonly role?: Role
  /** Roles or plugin names that this plugin must stand outside or inside of, and why. Checked when the runtime is built. */
  readonly order?: {
    readonly outside?: readonly string[]
    readonly inside?: readonly string[]
    readonly because?: string
  }
  /** The direction in which this plugin fails when its own backend does; told by `explain()`. */
  readonly failure?: 'open' | 'closed'
  /**
   * How long this plugin may keep a call waiting in one stage, ms, not counting what runs inside its `next()`. For a plugin
   * that waits on purpose, such as for a back-off. **Default:** the runtime's `stageTimeoutMs`.
   */
  readonly stageTimeoutMs?: number
  /** A waterfall: the outermost layer has the last word. `next()` gives what the inner ones say, `allow` at the end. */
  preExecute?(exec: Exec, next: () => Promise<Decision>): Decision | Promise<Decision>
  readonly guard?: Guard
  /** A wrapper around the body. Returns what `next()`, `exec.succeed` or `exec.fail` gave. */
  execute?(exec: Exec, next: Next): Outcome | Promise<Outcome>
  /** Folds from the innermost plugin outward: `result` is what the inner ones left, also if `next` is never called. */
  postExecute?(
    exec: Exec,
    result: PendingResult,
    next: () => Promise<PostDecision>,
  ): PostDecision | Promise<PostDecision>
  /** Told of each call that the journal took. Not waited for; can change nothing. */
  onCall?(exec: Exec): void
  /** Told of each result, the very object that the caller gets. Not waited for; can change nothing. */
  onResult?(exec: Exec, result: ToolResult): void
  /** Called once when the runtime takes the plugin in. Synchronous; a throw refuses the plugin. */
  setup?(context: PluginContext): void
  /** Called once when the plugin is taken out or the runtime closes. */
  dispose?(): void | Promise<void>
}
