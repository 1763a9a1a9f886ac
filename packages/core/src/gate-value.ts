import type { Call } from './call.ts'
import { isReservedCode, ToolError } from './errors.ts'
import type { FailOptions } from './exec.ts'
import { isJsonObject, type Json, snapshot, type ValueRefused } from './json.ts'
import { Failure, fail, type Settled, Success } from './outcome.ts'
import { describeThrown } from './thrown.ts'

type Details = { readonly [member: string]: Json }

/**
 * The one gate for values (VAL-6): from the body, a cache, a wrapper or a post hook, each is copied, checked, validated against
 * the output schema and frozen. What does not pass gives `INVALID_TOOL_OUTPUT` with the path.
 */
export function gateValue(call: Call, value: unknown): Settled {
  let copy: Json
  try {
    copy = snapshot(value, call.host.options.limits)
  } catch (refused) {
    const { path, reason } = refused as ValueRefused
    return invalid(call, `its value is not JSON: ${path}: ${reason}`, { path })
  }
  const broken = call.tool?.output.check(copy)
  if (broken === undefined) return new Success(call, copy)
  const what = value === undefined ? 'it returned nothing, which counts as null and' : 'its value'
  return invalid(call, `${what} violates its output schema: ${broken.message}`, { violations: broken.violations })
}

/** What a body's throw becomes: its own code where it threw a `ToolError`. */
export function thrownByBody(call: Call, thrown: unknown): Failure {
  const { message } = describeThrown(thrown)
  const own = ownWords(thrown)
  const [code, details] = claim(own.code, detailsOf(call, own.details))
  // Only a success becomes an abort (CAN-3), so the failure stays; this member lets a consumer count cancellations all the same.
  return fail(call, code, message, 'execute', {
    retryable: typeof own.retryable === 'boolean' ? own.retryable : undefined,
    details: call.cancelled ? { ...details, aborted: true } : details,
  })
}

/** What a `ToolError` says beside its message, each member read once. A revoked proxy throws even when it is asked for its class. */
function ownWords(thrown: unknown): { code?: unknown; retryable?: unknown; details?: unknown } {
  try {
    if (!(thrown instanceof ToolError)) return {}
    const { code, retryable, details } = thrown
    return { code, retryable, details }
  } catch {
    return {}
  }
}

/** What a body returned: a value, or what it made with `exec.succeed` or `exec.fail`, the latter as if it had thrown it. */
export function returnedByBody(call: Call, returned: unknown): Settled {
  if (Success.isOf(returned, call)) return returned
  if (!Failure.isOf(returned, call)) return gateValue(call, returned)
  const { error } = returned
  if (error.stage === 'execute') return returned // the gate's own word on what the body gave to `exec.succeed`
  const [code, details] = claim(error.code, error.details)
  return fail(call, code, error.message, 'execute', { retryable: error.retryable, details })
}

/** `exec.fail`: a plugin may use any code. */
export function authoredFailure(call: Call, said: { readonly [member in keyof FailOptions]?: unknown }): Failure {
  const { code, message, retryable, details } = said ?? {}
  const name = typeof code === 'string' && code !== '' ? code.toWellFormed() : 'TOOL_ERROR'
  const words =
    typeof message === 'string' && message !== '' ? message.toWellFormed() : `${call.name} failed (${name}).`
  return fail(call, name, words, 'tools/execute', {
    retryable: typeof retryable === 'boolean' ? retryable : undefined,
    details: detailsOf(call, details),
  })
}

function invalid(call: Call, what: string, details: Details): Failure {
  const ran =
    call.bodyInvocations === 0 ? `${call.name} did not run, and` : `${call.name} ran and may have taken effect, but`
  return fail(call, 'INVALID_TOOL_OUTPUT', `${ran} ${what}`, 'execute', { details })
}

/** A code tells its origin: what is reserved, a tool can not claim (RES-10). */
function claim(code: unknown, details: Details | undefined): [code: string, details: Details | undefined] {
  if (typeof code !== 'string' || code === '') return ['TOOL_ERROR', details]
  return isReservedCode(code) ? ['TOOL_ERROR', { ...details, code }] : [code.toWellFormed(), details]
}

/** Details as JSON; what is none is left out and noted. */
function detailsOf(call: Call, details: unknown): Details | undefined {
  if (details === undefined) return undefined
  try {
    const copy = snapshot(details, call.host.options.limits)
    return isJsonObject(copy) ? copy : { details: copy }
  } catch (refused) {
    call.thrown('execute', refused)
    return undefined
  }
}
