import type { Call } from './call.ts'
import { dispatchEntry, executedEntry, lateEntry } from './entries.ts'
import { ExecFace } from './exec.ts'
import { returnedByBody, thrownByBody } from './gate-value.ts'
import { judgedAnew } from './guards.ts'
import type { MaybePromise } from './maybe.ts'
import type { Nest } from './nested.ts'
import { isGone, type Layer, tellOuter } from './onion.ts'
import { aborted, type Failure, fail, internalError, type Settled } from './outcome.ts'
import { record, recordBeside } from './record.ts'
import type { SignalNode } from './signal.ts'
import { describeThrown } from './thrown.ts'

/**
 * One run of a body: where in the onion it is, and what was opened for it. A class, as all that a call is made of: what is made
 * by a literal may be put among the old objects by the engine, and then keeps all of its call alive.
 */
export class BodyRun {
  readonly attempt: number
  readonly outer: Layer | undefined
  /** The run has ended: its face is silent. */
  over = false
  /** The calls nested in this run. */
  nest: Nest | undefined
  /** Answers the `next()` of the layers outside, also when the run is given up on; where there are no layers, nobody asks. */
  settle: ((outcome: Settled) => void) | undefined

  constructor(attempt: number, outer: Layer | undefined) {
    this.attempt = attempt
    this.outer = outer
  }
}

/**
 * The innermost of the onion: notes in the journal that the body is about to run, runs it, and puts its value through the gate.
 * Resolves, never rejects, and tells the layers outside. What keeps a body from running is asked here, where it is certain that
 * it would run.
 */
export function enterBody(call: Call, node: SignalNode, outer: Layer | undefined): MaybePromise<Settled> {
  const refusal = refusalToEnter(call, node, outer)
  if (refusal !== undefined) return notRun(call, outer, refusal)
  const attempt = call.bodyInvocations + 1
  return call.host.journal === undefined
    ? runBody(call, node, outer, attempt)
    : runJournalled(call, node, outer, attempt)
}

function runJournalled(call: Call, node: SignalNode, outer: Layer | undefined, attempt: number): MaybePromise<Settled> {
  // What the run before came to is in the journal before this one is: the entries of a call come one at a time.
  const before = call.aside?.appends
  const recorded =
    before === undefined || before.length === 0
      ? record(call, dispatchEntry, attempt)
      : Promise.all(before).then(() => record(call, dispatchEntry, attempt))
  // Much may have happened while the journal took it, or in its `append`.
  const taken = (why: string | undefined): MaybePromise<Settled> => {
    const late =
      why === undefined || isOver(call, node, outer) ? refusalToEnter(call, node, outer) : notJournalled(call, why)
    return late === undefined ? runBody(call, node, outer, attempt) : notRun(call, outer, late)
  }
  return recorded instanceof Promise ? recorded.then(taken) : taken(recorded)
}

function notJournalled(call: Call, why: string): Settled {
  return barred(
    call,
    fail(
      call,
      'JOURNAL_ERROR',
      `${call.name} ${call.bodyInvocations === 0 ? 'did not run' : 'was not run again'}: ${why}`,
      'tools/execute',
    ),
  )
}

/** No wrapper, whatever it falls back on, turns this into a success or has the body run after all. */
function barred(call: Call, refusal: Failure): Failure {
  call.barred = refusal
  return refusal
}

function refusalToEnter(call: Call, node: SignalNode, outer: Layer | undefined): Settled | undefined {
  if (call.barred !== undefined) return call.barred
  if (isOver(call, node, outer)) return aborted(call, 'tools/execute')
  if (call.run !== undefined) {
    const message = `${call.name} is not run again while the run that was given up on has not ended.`
    return fail(call, 'PLUGIN_ERROR', message, 'tools/execute')
  }
  // A guard may have been added while the call waited for its turn, or between two tries.
  const denial = judgedAnew(call)
  return denial && barred(call, denial)
}

/** Nobody waits for the body any more. */
function isOver(call: Call, node: SignalNode, outer: Layer | undefined): boolean {
  return call.cancelled || node.knownAborted || isGone(call, outer)
}

function notRun(call: Call, outer: Layer | undefined, refusal: Settled): Settled {
  tellOuter(call, outer, refusal)
  return refusal
}

function runBody(call: Call, node: SignalNode, outer: Layer | undefined, attempt: number): MaybePromise<Settled> {
  const run = new BodyRun(attempt, outer)
  call.bodyInvocations = attempt
  call.run = run
  call.enter('execute')
  const settled = outer === undefined ? never : settledBy(run)
  try {
    const returned = call.execute(new ExecFace(call, node, run))
    hear(call, run, returned instanceof Promise ? returned : Promise.resolve(returned))
  } catch (thrown) {
    bodyEnded(call, run, true, thrown)
  }
  return settled
}

function settledBy(run: BodyRun): Promise<Settled> {
  return new Promise((resolve) => {
    run.settle = resolve
  })
}

function hear(call: Call, run: BodyRun, promise: Promise<unknown>): void {
  promise.then(
    (value) => bodyEnded(call, run, false, value),
    (thrown) => bodyEnded(call, run, true, thrown),
  )
}

/** What the scheduler, which is told otherwise, does not wait for. */
const never: Promise<Settled> = new Promise(() => {})

function bodyEnded(call: Call, run: BodyRun, threw: boolean, got: unknown): void {
  if (run.over) return // a promise of the body's own making spoke twice
  run.over = true
  call.leave('execute')
  if (run.nest === undefined) judged(call, run, threw, got)
  else judgedLater(call, run, run.nest, threw, got)
}

/** What the body started and did not wait for ends with it. */
function judgedLater(call: Call, run: BodyRun, nest: Nest, threw: boolean, got: unknown): void {
  nest.close(`${call.name} has ended`).then(() => judged(call, run, threw, got))
}

function judged(call: Call, run: BodyRun, threw: boolean, got: unknown): void {
  call.run = undefined
  if (isGone(call, run.outer)) return endedLate(call, run, threw, got)
  const outcome = outcomeOf(call, threw, got)
  if (call.host.journal !== undefined) recordBeside(call, executedEntry, { attempt: run.attempt, outcome })
  tellOuter(call, run.outer, outcome)
  run.settle?.(outcome)
}

function outcomeOf(call: Call, threw: boolean, got: unknown): Settled {
  try {
    return threw ? thrownByBody(call, got) : returnedByBody(call, got)
  } catch (fault) {
    return internalError(call, fault)
  }
}

/** An abandoned run has ended: the call has its result, so this changes nothing and is reported once (CAN-8). */
function endedLate(call: Call, { attempt }: BodyRun, threw: boolean, got: unknown): void {
  const message = threw ? `ended late, by a throw: ${describeThrown(got).message}` : 'ended late; its value was dropped'
  recordBeside(call, lateEntry, { attempt, message })
  const aside = call.beside()
  if (aside.lateTold) return
  aside.lateTold = true
  call.host.logger.warn(`[pawl] ${call.name} (${call.executionId}) had been abandoned and ${message}`)
}
