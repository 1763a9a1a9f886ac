import type { Call } from './call.ts'
import { type Content, checkContent, text, textOf } from './content.ts'
import { gateValue } from './gate-value.ts'
import { after, isPromiseLike, type MaybePromise } from './maybe.ts'
import { type Failure, fail, pluginError, type Settled } from './outcome.ts'
import type { Plugin, PostDecision } from './plugin.ts'
import { projectContent } from './project.ts'
import type { PendingResult } from './result.ts'
import { describeThrown } from './thrown.ts'

/** An outcome on its way out, with the content that stands for it now. */
export interface Projected {
  readonly outcome: Settled
  readonly content: readonly Content[]
  /** Some layer replaced the content, so that the tool's own rendering is no longer what the model may see. */
  readonly replaced: boolean
}

interface Replacement {
  readonly content: unknown
  readonly value: unknown
  readonly context: unknown
}

const accepted: Promise<PostDecision> = Promise.resolve(Object.freeze({ kind: 'accept' as const }))
const next = (): Promise<PostDecision> => accepted

/** Folds the result through the post-execute layers, from the innermost outward: each sees what the inner ones left. */
export function postExecute(call: Call, projected: Projected): MaybePromise<Projected> {
  if (call.layers.postExecute.length === 0) return projected
  call.enter('tools/post-execute')
  return after(fold(call, projected, 0), call, left)
}

function left(call: Call, projected: Projected): Projected {
  call.leave('tools/post-execute')
  return projected
}

function fold(call: Call, projected: Projected, from: number): MaybePromise<Projected> {
  const layers = call.layers.postExecute
  let left = projected
  let seen: PendingResult | undefined
  for (let at = from; at < layers.length; at++) {
    const plugin = layers[at] as (typeof layers)[number]
    seen ??= pendingResult(call, left)
    let said: unknown
    try {
      said = plugin.postExecute(call.face, seen, next)
    } catch (thrown) {
      left = failed(call, plugin, left, describeThrown(thrown).message)
      seen = undefined
      continue
    }
    if (said === accepted) continue
    if (isPromiseLike(said)) return waited(call, plugin, left, said).then((then) => fold(call, then, at + 1))
    const then = heard(call, plugin, left, said)
    if (then !== left) seen = undefined
    left = then
  }
  return left
}

function waited(call: Call, plugin: Plugin, left: Projected, said: PromiseLike<unknown>): Promise<Projected> {
  const watch = call.watch<unknown, Projected>(plugin.stageTimeoutMs ?? call.host.options.stageTimeoutMs, {
    value: (decision) => heard(call, plugin, left, decision),
    thrown: (thrown) => failed(call, plugin, left, describeThrown(thrown).message),
    late: (ms) => failed(call, plugin, left, `it did not settle within ${ms} ms`),
    gone: () => left,
  })
  return watch.wait(said)
}

/** What `finalizeContent` and the layers see. */
export function pendingResult({ callId, executionId, name }: Call, { outcome, content }: Projected): PendingResult {
  return Object.freeze(
    outcome.isError
      ? { callId, executionId, name, isError: true, content, error: outcome.error }
      : { callId, executionId, name, isError: false, content, value: outcome.value },
  )
}

function heard(call: Call, plugin: Plugin, left: Projected, said: unknown): Projected {
  const wrong = 'postExecute() has to return { kind: "accept" | "block", … }'
  if (typeof said !== 'object' || said === null) return failed(call, plugin, left, wrong)
  try {
    const { kind, content, value, context, feedback } = said as { [member: string]: unknown }
    if (kind === 'accept') return accept(call, plugin, left, { content, value, context })
    if (kind === 'block') return block(call, plugin, left, feedback)
  } catch (thrown) {
    return failed(call, plugin, left, describeThrown(thrown).message)
  }
  return failed(call, plugin, left, wrong)
}

function accept(call: Call, plugin: Plugin, left: Projected, { content, value, context }: Replacement): Projected {
  const { outcome } = left
  if (value !== undefined && outcome.isError)
    call.fault('tools/post-execute', 'a failure has no value to replace', plugin.name)
  else if (value !== undefined && content !== undefined)
    return failed(call, plugin, left, 'it replaced both the value and the content')
  for (const line of context === undefined ? [] : Array.isArray(context) ? context : [context]) call.defer(line)
  if (content !== undefined)
    return { outcome, content: checkContent(content, call.host.options.limits), replaced: true }
  if (value === undefined || outcome.isError) return left
  const replaced = gateValue(call, value)
  return { outcome: replaced, content: projectContent(call, replaced), replaced: false }
}

function block(call: Call, plugin: Plugin, left: Projected, feedback: unknown): Projected {
  const given = typeof feedback === 'string' ? text(feedback) : checkContent(feedback, call.host.options.limits)
  const content = textOf(given).trim() === '' ? text(`The result of ${call.name} was withheld.`) : given
  call.decided(plugin.name, 'block', textOf(content))
  if (left.outcome.isError) return { outcome: reworded(call, left.outcome, textOf(content)), content, replaced: true }
  call.dropContext()
  const outcome = fail(call, 'BLOCKED', textOf(content), 'tools/post-execute', { details: { by: plugin.name } })
  return { outcome, content, replaced: true }
}

/**
 * A layer that failed may have been the one that redacts, so what it should have seen to is not shown: a success becomes
 * `PLUGIN_ERROR`, a failure keeps its code and gets a neutral text (STG-5).
 */
function failed(call: Call, plugin: Plugin, { outcome }: Projected, what: string): Projected {
  call.fault('tools/post-execute', what, plugin.name)
  call.dropContext()
  const left = outcome.isError
    ? reworded(
        call,
        outcome,
        `${call.name} failed, and the report on it is withheld because a policy could not look at it.`,
      )
    : pluginError(call, plugin.name, 'tools/post-execute', what)
  return { outcome: left, content: projectContent(call, left), replaced: true }
}

function reworded(call: Call, { error }: Failure, message: string): Failure {
  return fail(call, error.code, message, error.stage, { retryable: error.retryable, details: error.details })
}
