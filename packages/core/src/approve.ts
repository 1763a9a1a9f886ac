import type { Call } from './call.ts'
import { judgedAnew, judgedByGuards } from './guards.ts'
import { disown } from './maybe.ts'
import { aborted, type Failure, fail } from './outcome.ts'
import type { ApprovalAnswer, Approver } from './plugin.ts'
import type { Question } from './pre-execute.ts'
import { describeThrown } from './thrown.ts'

/** The one desk of a runtime at which people are asked: one question at a time, first come, first served (ASK-2). */
export class Desk {
  /** The calls that are to be asked about, and what asks; the first is being asked about. */
  readonly #queue = new Map<Call, () => void>()
  #asking: Call | undefined

  /** Calls `ask` when it is its turn, which may be at once. */
  enter(call: Call, ask: () => void): void {
    this.#queue.set(call, ask)
    if (this.#asking === undefined) this.#turnToNext()
  }

  /** Gives back the turn, or the place in the queue. */
  leave(call: Call): void {
    this.#queue.delete(call)
    if (this.#asking === call) this.#turnToNext()
  }

  /** Whether `call` is nested in the one that is being asked about: its turn would come after an answer that may wait for it. */
  isBelowAsked(call: Call): boolean {
    return this.#asking !== undefined && call.isBelow(this.#asking)
  }

  #turnToNext(): void {
    const [next] = this.#queue
    this.#asking = next?.[0]
    next?.[1]()
  }
}

/** Asks for approval, then the guards again. `undefined` means that an explicit grant came in time (ASK-1). */
export async function approve(call: Call, { ask, by }: Question): Promise<Failure | undefined> {
  call.enter('ask')
  const reason = ask.reason ?? `${by} wants somebody to agree to ${call.name}.`
  const { approver } = call.host
  const answer =
    approver === undefined ? unavailable(call, 'no approver is set up') : await answered(call, approver, reason)
  call.leave('ask')
  if ('error' in answer) return answer
  const { decision, reason: words, remember } = answer
  call.decided('approver', decision, words, remember)
  try {
    disown(ask.onAnswer?.(answer), (thrown) => call.thrown('ask', thrown, by))
  } catch (thrown) {
    call.thrown('ask', thrown, by)
  }
  if (decision === 'allow') return judgedByGuards(call)
  const said = words === undefined ? '' : `: ${words}`
  return fail(call, 'APPROVAL_REJECTED', `${call.name} was asked for and refused${said}`, 'ask', {
    details: words === undefined ? undefined : { reason: words },
  })
}

/** Waits for the turn and for the answer, but no longer than the step lives and, once asked, `approvalTimeoutMs`. */
function answered(call: Call, approver: Approver, reason: string): Promise<ApprovalAnswer | Failure> {
  const { desk } = call.host
  return new Promise((resolve) => {
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let over = false
    const end = (answer: ApprovalAnswer | Failure): void => {
      if (over) return
      over = true
      clearTimeout(timer)
      deaf()
      desk.leave(call)
      resolve(answer)
    }
    const moot = (why: unknown, answer: Failure): void => {
      if (!over) controller.abort(why) // before the desk turns to the next
      end(answer)
    }
    const ask = (): void => {
      if (call.cancelled) return end(aborted(call, 'ask'))
      // Nobody is asked about what a guard has denied while the question waited (GRD-4).
      const denial = judgedAnew(call)
      if (denial !== undefined) return end(denial)
      const ms = call.host.options.approvalTimeoutMs
      if (ms !== undefined) {
        const late = `nobody answered within ${ms} ms`
        timer = setTimeout(() => moot(new Error(late), unavailable(call, late)), ms)
      }
      askOnce(call, approver, reason, controller.signal).then(end, (thrown) =>
        end(unavailable(call, `the approver failed: ${describeThrown(thrown).message}`)),
      )
    }
    let deaf = (): void => {}
    if (desk.isBelowAsked(call))
      return end(unavailable(call, 'it was made by the approver, or while its own parent waits to be approved'))
    deaf = call.lane.signal.onAbort((why) => moot(why, aborted(call, 'ask')))
    if (!over) desk.enter(call, ask)
  })
}

async function askOnce(
  call: Call,
  approver: Approver,
  reason: string,
  signal: AbortSignal,
): Promise<ApprovalAnswer | Failure> {
  const said: unknown = await approver.request(call.face, { reason, signal })
  const {
    decision,
    reason: why,
    remember,
  } = (typeof said === 'object' && said !== null ? said : { decision: said }) as { [member: string]: unknown }
  if (decision !== 'allow' && decision !== 'deny') {
    return unavailable(call, 'the approver answered neither "allow" nor "deny", which does not count as a yes')
  }
  return Object.freeze({
    decision,
    ...(typeof why === 'string' && why !== '' ? { reason: why.toWellFormed() } : undefined),
    ...(typeof remember === 'string' && remember !== '' ? { remember: remember.toWellFormed() } : undefined),
  })
}

function unavailable(call: Call, why: string): Failure {
  return fail(
    call,
    'APPROVAL_UNAVAILABLE',
    `${call.name} needs approval and got none: ${why.replace(/[.\s]+$/, '')}.`,
    'ask',
  )
}
