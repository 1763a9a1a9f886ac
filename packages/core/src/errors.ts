import type { Json } from './json.ts'

/** The stages of a call, in order. The same words name files, trace entries, errors and docs. */
export type Stage =
  | 'tool/call'
  | 'admit'
  | 'tools/pre-execute'
  | 'guards'
  | 'ask'
  | 'tools/execute'
  | 'execute'
  | 'projectContent'
  | 'tools/post-execute'
  | 'finalizeContent'
  | 'tools/result'

/** Every code that the pipeline itself gives, with its meaning. `docs/errors.md` is this table; a test compares the two. */
export const errorCodes = {
  UNKNOWN_TOOL: 'No tool of that name is registered. The nearest name is suggested where there is one.',
  INVALID_ARGS: 'The arguments are no complete JSON object or violate the parameter schema. Nothing ran.',
  DENIED: 'A policy or a guard denied the call. No body ran.',
  APPROVAL_REJECTED: 'A person or service was asked for approval and said no.',
  APPROVAL_UNAVAILABLE: 'Approval was needed, and nobody answered in words that count as a yes or a no.',
  APPROVAL_PENDING: 'The approval was deferred; the step can be resumed once it is answered.',
  ABORTED: 'The caller cancelled after a body had begun; side effects are possible.',
  ABORTED_BEFORE_DISPATCH: 'The caller cancelled before any body began; nothing ran.',
  TOOL_TIMEOUT: 'The deadline of a timeout plugin passed. The message names the milliseconds.',
  TOOL_ERROR: 'The tool threw. A code of its own that is reserved here is kept in `details.code`.',
  INVALID_TOOL_OUTPUT: 'The tool ran, but its value is not JSON or violates its output schema.',
  BLOCKED: 'A post-execute plugin blocked the result; its feedback is the content.',
  PLUGIN_ERROR:
    'A plugin threw, did not settle in time or answered outside its contract (`details.plugin`, `details.stage`).',
  JOURNAL_ERROR: 'The journal did not accept an entry that must come before the body. The body did not run.',
  OUTCOME_UNKNOWN: 'The process ended while the body ran; whether it took effect is not known.',
} as const

/** A code of the pipeline's own. */
export type ErrorCode = keyof typeof errorCodes

/** Whether `code` is one of the pipeline's own, which a tool can not claim for itself (RES-10). */
export const isReservedCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code)

/** What went wrong with a call, as it stands in its result: plain, frozen JSON. */
export interface CallError {
  /** A code of the table `errorCodes`, or the tool's own. */
  readonly code: ErrorCode | (string & {})
  /** What failed, for a reader; never empty. */
  readonly message: string
  /** Where it was decided. */
  readonly stage: Stage
  /** `none` exactly if no body of this call was ever invoked. */
  readonly sideEffects: 'none' | 'possible'
  /** Whether the thing that failed says that trying again may help. */
  readonly retryable?: boolean
  readonly details?: { readonly [member: string]: Json }
}

/** What `ToolError` takes beside its code and message. */
export interface ToolErrorOptions {
  /** Whether trying again may help. Only the deployment decides whether it is tried. */
  retryable?: boolean | undefined
  /** More for the caller, as JSON; what is not JSON is left out and noted as a fault. */
  details?: unknown
  /** The underlying error; it stays in the process and reaches neither the model nor the journal. */
  cause?: unknown
}

/**
 * What a tool throws to fail with a code of its own. `exec.invoke` throws it too, with the code of the nested call.
 * A code that the pipeline reserves (`errorCodes`) becomes `TOOL_ERROR` with `details.code`.
 */
export class ToolError extends Error {
  readonly code: string
  readonly retryable: boolean | undefined
  readonly details: unknown

  constructor(code: string, message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ToolError'
    this.code = code
    this.retryable = options.retryable
    this.details = options.details
  }
}

/** Thrown when a runtime, a tool or a plugin is put together wrongly. The message names what, where and the way out. */
export class ConfigError extends TypeError {
  override readonly name = 'ConfigError'
}
