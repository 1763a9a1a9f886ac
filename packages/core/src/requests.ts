import { distinctIds } from './call-ids.ts'
import { parseArguments } from './parse.ts'
import type { Lane } from './scheduler.ts'

/** A call as the model asked for it. */
export interface ToolCall {
  /** The provider's id. It may be missing or repeat: results are paired by position, and get ids that differ. */
  readonly id?: string | undefined
  readonly name: string
  /** The model's JSON text, or the parsed value. Empty or blank text, `null` and `undefined` mean `{}`. */
  readonly arguments?: unknown
}

/** Why the model stopped, in the providers' words; these two mean that the step's last call may be cut off. */
export type FinishReason = 'length' | 'max_tokens' | (string & {})

/**
 * Reads the calls of a step, each member once, parses their arguments and puts them into the lane. Nothing that a model can write
 * makes it throw.
 * @throws TypeError if a call is no object, or one in a provider's own shape, which is a mistake of the caller's
 */
export function readCalls(
  lane: Lane,
  calls: readonly ToolCall[],
  length: number,
  finishReason: FinishReason | undefined,
): void {
  const isCut = finishReason === 'length' || finishReason === 'max_tokens'
  const said = new Array<Said>(length)
  for (let index = 0; index < length; index++) said[index] = readCall(calls[index], index)
  const ids = distinctIds(said)
  for (let index = 0; index < length; index++) {
    const { name, arguments: args } = said[index] as Said
    const parsed = parseArguments(args, lane.step.host.options.limits)
    const call = lane.add(index, ids[index] as string, typeof name === 'string' ? name : '', parsed)
    if (isCut && index === length - 1) call.truncated = true
  }
}

/** @throws TypeError if `calls` is no array */
export function checkCalls(calls: readonly ToolCall[]): void {
  if (!Array.isArray(calls))
    throw new TypeError('[pawl] the calls of a step have to be an array of { id, name, arguments }.')
}

interface Said {
  readonly id?: unknown
  readonly name?: unknown
  readonly arguments?: unknown
}

function readCall(call: ToolCall | undefined, index: number): Said {
  const said = call !== null && typeof call === 'object' && !Array.isArray(call) ? readable(call) : undefined
  const foreign = said === undefined || said.arguments !== undefined ? undefined : foreignMember(call as ToolCall)
  if (said !== undefined && foreign === undefined) return said
  const has = foreign === undefined ? '' : ` It has \`${foreign}\`: put what is in it there.`
  throw new TypeError(`[pawl] call ${index} of the step has to be an object { id, name, arguments }.${has}`)
}

/** Where the providers have what belongs into `arguments`: a call handed on as it came would run without any. */
function foreignMember(call: ToolCall): string | undefined {
  try {
    return ['input', 'args', 'function'].find((member) => Object.hasOwn(call, member))
  } catch {
    return undefined
  }
}

/** The members, each read once. A call whose getters throw says nothing, and is an unknown tool then. */
function readable(call: ToolCall): Said {
  try {
    const { id, name, arguments: args } = call
    return { id, name, arguments: args }
  } catch {
    return {}
  }
}
