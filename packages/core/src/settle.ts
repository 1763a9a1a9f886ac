import type { Call } from './call.ts'
import { resultEntry } from './entries.ts'
import type { CallError } from './errors.ts'
import type { Json } from './json.ts'
import { after, type MaybePromise } from './maybe.ts'
import { observe } from './observe.ts'
import type { Failure } from './outcome.ts'
import type { Projected } from './post-execute.ts'
import { defaultContent } from './project.ts'
import { record } from './record.ts'
import type { ToolResult, Trace } from './result.ts'

const none: readonly never[] = Object.freeze([])
/** The trace of nearly every call: the body ran once, and nothing else is to be said. Frozen, so that all may share it. */
const uneventful: Trace = Object.freeze({ faults: none, decisions: none, attempts: 1, bodyInvocations: 1 })

/** The only exit: one frozen result, journalled and then shown to the observers. */
export function settle(call: Call, projected: Projected): MaybePromise<ToolResult> {
  call.enter('tools/result')
  call.settling = true
  const closing = call.closeNests()
  return closing === undefined ? alone(call, projected) : closing.then(() => alone(call, projected))
}

/** Nothing that was nested in it goes on. */
function alone(call: Call, projected: Projected): MaybePromise<ToolResult> {
  const appends = call.aside?.appends
  if (appends !== undefined && appends.length > 0) return Promise.all(appends).then(() => journalled(call, projected))
  return journalled(call, projected)
}

function journalled(call: Call, projected: Projected): MaybePromise<ToolResult> {
  call.leave('tools/result')
  const result = resultOf(call, projected)
  const recorded = record(call, resultEntry, result)
  if (recorded === undefined) return publish(call, result)
  return after(recorded, projected, (_, why) => {
    if (why !== undefined) return publish(call, withFault(call, projected, why))
    tellLateFaults(call, result)
    return publish(call, result)
  })
}

/** The journal has the result as it was; what went wrong while it took it can only be logged. */
function tellLateFaults(call: Call, { trace }: ToolResult): void {
  for (const { message, plugin } of call.aside?.faults.slice(trace.faults.length) ?? none) call.warn(message, plugin)
}

function withFault(call: Call, projected: Projected, why: string): ToolResult {
  call.fault('tools/result', why)
  return resultOf(call, projected)
}

function publish(call: Call, result: ToolResult): ToolResult {
  call.published = true
  return tell(call, result)
}

function resultOf(call: Call, { outcome, content }: Projected): ToolResult {
  const { callId, executionId, name } = call
  const trace = traceOf(call)
  const head = outcome.isError
    ? { callId, executionId, name, isError: true as const, content, error: errorOf(call, outcome.error), trace }
    : { callId, executionId, name, isError: false as const, content, value: outcome.value, trace }
  if (call.aside === undefined) return Object.freeze(head)
  const context = call.aside.marks.flatMap((mark) => ('context' in mark ? [mark.context] : []))
  return Object.freeze(context.length === 0 ? head : { ...head, context: Object.freeze(context) })
}

/** The error as it stands at the end: whether a body ran is known only now (RES-9). */
function errorOf(call: Call, error: CallError): CallError {
  const sideEffects = call.bodyInvocations === 0 ? 'none' : 'possible'
  if (!call.abandoned && error.sideEffects === sideEffects) return error
  const details = call.abandoned ? { details: Object.freeze({ ...error.details, abandoned: true }) } : undefined
  return Object.freeze({ ...error, sideEffects, ...details })
}

function traceOf(call: Call): Trace {
  const { attempts, bodyInvocations, aside, clock, abandoned } = call
  if (attempts === 1 && bodyInvocations === 1 && !abandoned && (aside ?? clock) === undefined) return uneventful
  const trace = {
    faults: aside === undefined ? none : Object.freeze([...aside.faults]),
    decisions: aside === undefined ? none : Object.freeze([...aside.decisions]),
    attempts,
    bodyInvocations,
  }
  if (abandoned) define(trace, 'abandoned', true)
  for (const mark of aside?.marks ?? none) if ('note' in mark) define(trace, mark.note, mark.value)
  if (clock !== undefined) define(trace, 'timings', Object.freeze({ ...clock.timings }))
  return Object.freeze(trace)
}

/** A note's name is data: `__proto__` is an ordinary member. */
function define(trace: object, note: string, value: Json): void {
  Object.defineProperty(trace, note, { value, enumerable: true, configurable: true, writable: true })
}

/** The result of a call that a fault of pawl's own has hit: it is told as it is, and goes through nothing else. */
export function bareResult(call: Call, outcome: Failure): ToolResult {
  call.published = true
  return resultOf(call, { outcome, content: defaultContent(outcome), replaced: false })
}

function tell(call: Call, result: ToolResult): ToolResult {
  for (const plugin of call.layers.onResult) observe(call, plugin.name, () => plugin.onResult(call.face, result))
  return result
}
