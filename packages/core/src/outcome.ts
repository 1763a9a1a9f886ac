import type { Call } from './call.ts'
import type { CallError, Stage } from './errors.ts'
import type { Json } from './json.ts'
import { describeThrown } from './thrown.ts'

/** What a call came to. In the execute stage only `next()`, `exec.succeed` and `exec.fail` make one; anything else is put through the same gate first. */
export type Outcome =
  | { readonly isError: false; readonly value: Json; readonly error?: never }
  | { readonly isError: true; readonly error: CallError; readonly value?: never }

function isObject(outcome: unknown): outcome is object {
  return typeof outcome === 'object' && outcome !== null
}

/** A success made here, for one call: its value has passed the gate. */
export class Success {
  readonly isError = false as const
  readonly value: Json
  readonly #call: Call

  constructor(call: Call, value: Json) {
    this.value = value
    this.#call = call
    // Where neither a layer nor a journal gets hold of it, nobody could change it, and freezing is a runtime call.
    if (call.layers.execute.length > 0 || call.host.journal !== undefined) Object.freeze(this)
  }

  /** `#call in` asks nobody, where `instanceof` would run a proxy's own code. */
  static isOf(outcome: unknown, call: Call): outcome is Success {
    return isObject(outcome) && #call in outcome && outcome.#call === call
  }
}

/** A failure made here, for one call. */
export class Failure {
  readonly isError = true as const
  readonly error: CallError
  readonly #call: Call

  constructor(call: Call, error: CallError) {
    this.error = error
    this.#call = call
    Object.freeze(this)
  }

  static isOf(outcome: unknown, call: Call): outcome is Failure {
    return isObject(outcome) && #call in outcome && outcome.#call === call
  }
}

/** A success or failure that belongs to a call. */
export type Settled = Success | Failure

/** What `fail` takes beside a code, a message and a stage. */
export interface FailureExtras {
  retryable?: boolean | undefined
  details?: { readonly [member: string]: Json } | undefined
}

/** Makes the failure of a call; `sideEffects` is told from the call's own count (RES-9). */
export function fail(call: Call, code: string, message: string, stage: Stage, extras: FailureExtras = {}): Failure {
  const { retryable, details } = extras
  return new Failure(
    call,
    Object.freeze({
      code,
      message,
      stage,
      sideEffects: call.bodyInvocations === 0 ? 'none' : 'possible',
      ...(retryable === undefined ? undefined : { retryable }),
      ...(details === undefined ? undefined : { details: Object.freeze(details) }),
    }),
  )
}

/** The caller's abort, told by whether a body ever began (CAN-2). */
export function aborted(call: Call, stage: Stage): Failure {
  return call.bodyInvocations === 0
    ? fail(call, 'ABORTED_BEFORE_DISPATCH', `${call.name} was cancelled before it began; nothing ran.`, stage)
    : fail(call, 'ABORTED', `${call.name} was cancelled while it ran; it may have taken effect.`, stage)
}

/** A plugin threw, did not settle in time or answered outside its contract. */
export function pluginError(call: Call, plugin: string, stage: Stage, what: string): Failure {
  return fail(call, 'PLUGIN_ERROR', `Plugin "${plugin}" failed for ${call.name}: ${what}`, stage, {
    details: { plugin, stage },
  })
}

/** A fault of pawl's own. It should not happen; if it does, it costs this call and not the step. */
export function internalError(call: Call, thrown: unknown): Failure {
  return pluginError(call, 'pawl', 'tools/result', `an internal fault: ${describeThrown(thrown).message}`)
}
