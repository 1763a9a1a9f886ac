import { admit, resolveTool } from './admit.ts'
import { approve } from './approve.ts'
import type { Call } from './call.ts'
import { finalizeContent } from './finalize.ts'
import { judgedAnew, judgedByGuards } from './guards.ts'
import { after, type MaybePromise } from './maybe.ts'
import { runOnion } from './onion.ts'
import { aborted, Failure, type Settled } from './outcome.ts'
import { type Projected, postExecute } from './post-execute.ts'
import { preExecute, type Verdict } from './pre-execute.ts'
import { projectContent } from './project.ts'
import type { ToolResult } from './result.ts'
import { settle } from './settle.ts'

/*
 * The life of a call, in three segments. The scheduler calls these and nothing else: `gate` and `conclude` one call at a time and
 * in call order, `perform` for as many calls at once as said that it is safe. Every outcome leaves by `conclude`.
 */

/** admit → pre-execute → guards → (ask → guards): `undefined` lets the call run, a failure is its outcome. */
export function gate(call: Call): MaybePromise<Failure | undefined> {
  if (call.cancelled) return aborted(call, 'admit')
  return after(admit(call), call, policed)
}

function policed(call: Call, refusal: Failure | undefined): MaybePromise<Failure | undefined> {
  if (refusal !== undefined) return refusal
  return call.cancelled ? aborted(call, 'admit') : after(preExecute(call), call, judge)
}

function judge(call: Call, verdict: Verdict): MaybePromise<Failure | undefined> {
  if (verdict instanceof Failure) return verdict
  const denial = judgedByGuards(call)
  if (denial !== undefined) return denial
  if (call.cancelled) return aborted(call, 'tools/pre-execute')
  return verdict === undefined ? undefined : approve(call, verdict)
}

/** The execute onion around the body. The lane is told when it has settled, which may be at once. */
export function perform(call: Call): void {
  call.enter('tools/execute')
  // A guard may have been added while the call waited for its turn.
  call.barred = judgedAnew(call)
  if (call.barred !== undefined) return call.lane.performed(call, call.barred)
  if (call.layers.retryAt === -1) call.attempts = 1
  runOnion(call)
}

/** What a settled execute stage counts as: only a success becomes an abort (CAN-3), and what barred the body stands (GRD-5, JRN-1). From here on, whatever a body or wrapper still does changes nothing. */
export function performed(call: Call, outcome: Settled): Settled {
  call.performed = true
  call.leave('tools/execute')
  call.giveUp(-1)
  void call.closeNests()
  for (const derived of call.fused?.all() ?? []) derived.release()
  if (call.barred !== undefined) return call.barred
  // A wrapper may have kept the abort of a try that never began, and made another that did.
  const isStale = outcome.isError && outcome.error.code === 'ABORTED_BEFORE_DISPATCH' && call.bodyInvocations > 0
  return isStale || (!outcome.isError && call.cancelled) ? aborted(call, 'tools/execute') : outcome
}

/** projection → post-execute → finalizeContent → the one frozen result, for every outcome. */
export function conclude(call: Call, outcome: Settled): MaybePromise<ToolResult> {
  const refused = call.aside?.journalFailure
  const untouched = !call.admitted || refused !== undefined
  if (!call.admitted) {
    if (refused !== undefined) call.fault('tool/call', refused) // the outcome, an abort, does not tell of it
    resolveTool(call)
  }
  const projected = { outcome, content: projectContent(call, outcome), replaced: false }
  const left = untouched ? projected : postExecute(call, projected)
  return after(left, call, finish)
}

function finish(call: Call, left: Projected): MaybePromise<ToolResult> {
  return settle(call, finalizeContent(call, left))
}
