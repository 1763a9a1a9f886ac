import { Call } from './call.ts'
import { isParallel } from './classify.ts'
import { after, type MaybePromise } from './maybe.ts'
import { aborted, internalError, type Settled } from './outcome.ts'
import type { ParsedArguments } from './parse.ts'
import { conclude, gate, perform, performed } from './pipeline.ts'
import { recordCall } from './record.ts'
import type { ToolResult } from './result.ts'
import { bareResult } from './settle.ts'
import { LaneSignal, type SignalNode } from './signal.ts'
import type { Step } from './step.ts'

const started = { type: 'started' } as const

/** Whose calls a lane runs: it gets their results, in call order, and hears when the last has its own. */
export interface LaneOwner {
  published(call: Call, result: ToolResult): void
  ended(): void
}

/**
 * The scheduler: one lane of calls in the model's order, be it a whole step or the calls nested in one parent. It is a state
 * machine of two tracks; every event ends in `turn()`, which moves both as far as they can go now.
 *
 * - The start track gates the next call when a slot is free and nothing bars the way, classifies it by its final arguments and
 *   starts it: beside others if it answered exactly `true`, else alone, once all before it are published.
 * - The commit track concludes settled calls in call order and publishes their results, whatever the start track waits for.
 *
 * A call that is not parallel bars the way: nothing behind it begins, admission included, before its result is published.
 */
export class Lane {
  readonly step: Step
  readonly parent: Call | undefined
  readonly depth: number
  readonly signal: LaneSignal
  readonly #owner: LaneOwner

  /** In call order; those that are published are let go. */
  readonly #calls: (Call | undefined)[]
  #added = 0

  // The start track. At most one of these three is a call: it stands between the calls that have started and `#next`.
  #next = 0
  #gating: Call | undefined
  #exclusive: Call | undefined
  #locking: Call | undefined
  #barrier: Call | undefined
  #running = 0

  // The commit track.
  #published = 0
  #concluding = false
  /** The journal is still taking the call that is to be concluded next. */
  #recording: Promise<void> | undefined

  #turning = false
  #again = false
  #grace: ReturnType<typeof setTimeout> | undefined
  #isCancelled = false
  #isComplete = false
  #isOver = false

  /**
   * @param caller the caller's signal, for a step
   * @param above where in the parent's tree of signals the calls are made, for nested ones
   * @param size how many calls are known to come; there may be more
   */
  constructor(
    step: Step,
    parent: Call | undefined,
    caller: AbortSignal | undefined,
    above: SignalNode | undefined,
    size: number,
    owner: LaneOwner,
  ) {
    this.step = step
    this.parent = parent
    this.depth = parent === undefined ? 0 : parent.lane.depth + 1
    this.signal = new LaneSignal(caller, above, this)
    this.#calls = new Array(size)
    this.#owner = owner
  }

  /** Appends a call; it begins at a `turn()`. `index` is its number in the step, or among all calls of its parent. */
  add(index: number, callId: string, name: string, parsed: ParsedArguments): Call {
    const call = new Call(this, index, callId, name, parsed)
    this.#calls[this.#added++] = call
    return call
  }

  /** Listens to the caller, and has the journal take all calls: a promise where it takes its time. */
  open(): Promise<unknown> | undefined {
    this.signal.listen()
    let taken: Promise<void>[] | undefined
    this.#turning = true // an abort from within the journal waits until it has been offered all calls
    for (let at = 0; at < this.#added; at++) {
      const recording = recordCall(this.#calls[at] as Call)
      if (recording === undefined) continue
      taken ??= []
      taken.push(recording)
    }
    this.#turning = false
    if (this.#again) this.turn()
    return taken && Promise.all(taken)
  }

  turn(): void {
    this.#again = true
    if (this.#turning) return
    this.#turning = true
    try {
      while (this.#again) {
        this.#again = false
        this.#start()
        this.#commit()
      }
    } finally {
      this.#turning = false
    }
    if (this.#isCancelled) this.#setGrace()
    if (this.#published === this.#added) this.#idle()
  }

  /** No more calls come: the owner is told once every call has its result, and nothing of the lane, no listener and no timer, is left. */
  end(): void {
    this.#isComplete = true
    this.turn()
  }

  #idle(): void {
    if (!this.#isComplete || this.#isOver) return
    this.#isOver = true
    if (this.#grace !== undefined) clearTimeout(this.#grace)
    this.signal.release()
    this.#owner.ended()
  }

  #start(): void {
    for (;;) {
      if (this.signal.aborted) return this.#settleUnstarted()
      if (this.#gating !== undefined || this.#barrier !== undefined) return
      if (this.#exclusive !== undefined) {
        if (this.#calls[this.#published] !== this.#exclusive) return
        this.#performAlone(this.#exclusive)
        continue
      }
      const call = this.#calls[this.#next]
      if (call === undefined || this.#running >= this.step.host.options.maxParallelToolCalls) return
      this.#next++
      this.#gate(call)
    }
  }

  #gate(call: Call): void {
    let refusal: MaybePromise<Settled | undefined>
    try {
      const recording = call.aside?.recording
      refusal = recording === undefined ? gate(call) : after(recording, call, gate)
    } catch (thrown) {
      refusal = internalError(call, thrown)
    }
    if (refusal instanceof Promise) this.#gateLater(call, refusal)
    else this.#gated(call, refusal)
  }

  #gateLater(call: Call, refusal: Promise<Settled | undefined>): void {
    this.#gating = call
    const gated = (refused: Settled | undefined): void => {
      if (this.#gating !== call) return // the lane was aborted and stopped waiting for it
      this.#gating = undefined
      this.#gated(call, refused)
      this.turn()
    }
    refusal.then(gated, (thrown) => gated(internalError(call, thrown)))
  }

  #gated(call: Call, refusal: Settled | undefined): void {
    const parallel = isParallel(call)
    call.outcome = refusal ?? (call.cancelled ? aborted(call, 'tools/execute') : undefined)
    if (call.outcome === undefined && parallel) this.#perform(call)
    else if (call.outcome === undefined) this.#exclusive = call
    else if (!parallel) this.#barrier = call
  }

  #performAlone(call: Call): void {
    this.#exclusive = undefined
    this.#barrier = call
    if (this.parent === undefined) return this.#perform(call)
    this.#locking = call
    this.step.lock.acquire(call, () => {
      this.#locking = undefined
      this.#perform(call)
    })
  }

  #perform(call: Call): void {
    this.#running++
    call.running = true
    this.step.tell(call, started)
    try {
      perform(call)
    } catch (thrown) {
      this.performed(call, internalError(call, thrown))
    }
  }

  /** The execute stage of a call has settled. */
  performed(call: Call, outcome: Settled): void {
    if (call.performed) return // it was given up on, and got its outcome then
    call.outcome = performed(call, outcome)
    this.#running--
    call.running = false
    if (this.#barrier === call && this.parent !== undefined) this.step.lock.release(call)
    this.turn()
  }

  #commit(): void {
    while (!this.#concluding) {
      const call = this.#calls[this.#published]
      if (call?.outcome === undefined) return
      this.#recording = call.aside?.recording
      if (this.#recording !== undefined) return this.#commitLater(this.#recording)
      const result = this.#conclude(call, call.outcome)
      if (result instanceof Promise) this.#publishLater(call, result)
      else this.#publish(call, result)
    }
  }

  /** Not before the journal has said whether it took the call: what was cancelled meanwhile may have that to tell. */
  #commitLater(recording: Promise<void>): void {
    this.#concluding = true
    recording.then(() => {
      this.#concluding = false
      this.turn()
    })
  }

  #conclude(call: Call, outcome: Settled): MaybePromise<ToolResult> {
    try {
      return conclude(call, outcome)
    } catch (thrown) {
      return bareResult(call, internalError(call, thrown))
    }
  }

  #publishLater(call: Call, result: Promise<ToolResult>): void {
    this.#concluding = true
    const publish = (concluded: ToolResult): void => {
      this.#concluding = false
      this.#publish(call, concluded)
      this.turn()
    }
    result.then(publish, (thrown) => publish(bareResult(call, internalError(call, thrown))))
  }

  #publish(call: Call, result: ToolResult): void {
    this.#calls[this.#published++] = undefined
    if (this.#barrier === call) this.#barrier = undefined
    if (this.#exclusive !== undefined || this.#next < this.#added) this.#again = true
    this.#owner.published(call, result)
  }

  /** Nothing new starts after an abort; what runs has `abortGraceMs` left. */
  cancelled(): void {
    this.#isCancelled = true
    this.turn()
  }

  /** At the end of a turn: an abort may come from within one, and what then hangs be begun only after it. */
  #setGrace(): void {
    if (this.#gating === undefined && this.#running === 0 && this.#recording === undefined) return
    this.#grace ??= setTimeout(() => this.giveUp(), this.step.host.options.abortGraceMs)
  }

  #settleUnstarted(): void {
    if (this.#locking !== undefined) this.step.lock.release(this.#locking)
    for (const call of [this.#exclusive, this.#locking, ...this.#calls.slice(this.#next)]) {
      if (call !== undefined) call.outcome = aborted(call, call.admitted ? 'tools/execute' : 'admit')
    }
    this.#exclusive = this.#locking = undefined
    this.#next = this.#added
  }

  /** Whatever runs or is gated has its outcome now, and is not waited for. */
  giveUp(): void {
    const gating = this.#gating
    this.#gating = undefined
    if (gating !== undefined) {
      gating.outcome = aborted(gating, 'tools/pre-execute')
      gating.giveUp(-1)
      gating.closeNests()
    }
    for (const call of this.#calls) {
      if (call?.running === true) this.performed(call, aborted(call, 'tools/execute'))
      else if (call?.aside?.recording !== undefined) call.giveUp(-1)
    }
    this.turn()
  }
}
