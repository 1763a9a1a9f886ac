import type { Limits } from './json.ts'
import { parseArguments } from './parse.ts'
import type { Requested } from './step.ts'

/** A call as the model asked for it. */
export interface ToolCall {
  /** The provider's id. It may be missing or repeat: results are paired by position. */
  readonly id?: string | undefined
  readonly name: string
  /** The model's JSON text, or the parsed value. Empty or blank text, `null` and `undefined` mean `{}`. */
  readonly arguments?: unknown
}

/** Why the model stopped, in the providers' words; these two mean that the step's last call may be cut off. */
export type FinishReason = 'length' | 'max_tokens' | (string & {})

/**
 * Reads the calls of a step, each member once, and parses their arguments. Nothing that a model can write makes it throw.
 * @throws TypeError if `calls` is no array of objects, which is a mistake of the caller's
 */
export function readCalls(
  calls: readonly ToolCall[],
  finishReason: FinishReason | undefined,
  limits: Limits,
): Requested[] {
  if (!Array.isArray(calls))
    throw new TypeError('[pawl] the calls of a step have to be an array of { id, name, arguments }.')
  const isCut = finishReason === 'length' || finishReason === 'max_tokens'
  const { length } = calls
  const requested = new Array<Requested>(length)
  for (let index = 0; index < length; index++)
    requested[index] = readCall(calls[index], index, isCut && index === length - 1, limits)
  return requested
}

function readCall(call: ToolCall | undefined, index: number, truncated: boolean, limits: Limits): Requested {
  if (call === null || typeof call !== 'object') {
    throw new TypeError(`[pawl] call ${index} of the step has to be an object { id, name, arguments }.`)
  }
  const { id, name, arguments: args } = readable(call)
  return {
    callId: typeof id === 'string' && id !== '' ? id : typeof id === 'number' ? String(id) : `call-${index + 1}`,
    name: typeof name === 'string' ? name : '',
    parsed: parseArguments(args, limits),
    truncated,
  }
}

/** The members, each read once. A call whose getters throw says nothing, and is an unknown tool then. */
function readable(call: ToolCall): { readonly id?: unknown; readonly name?: unknown; readonly arguments?: unknown } {
  try {
    const { id, name, arguments: args } = call
    return { id, name, arguments: args }
  } catch {
    return {}
  }
}
