import { Chain } from './chain.ts'
import { type Hub, hubOf, tell } from './hub.ts'

/** Somewhere in a lane's tree of signals. */
export interface SignalNode {
  /** Made when first read, because most bodies never look and a signal is dear (4 µs). */
  readonly signal: AbortSignal
  /** Whether something already aborted this node, as far as that can be told without making a signal. */
  readonly knownAborted: boolean
  /** Calls `abort` with the reason once this node is aborted, at once if it is already. The answer ends that. */
  onAbort(abort: (reason: unknown) => void): () => void
}

const nothing = (): void => {}

/** Who is told that a lane was aborted. */
interface Cancelled {
  cancelled(): void
}

/** Who keeps what was fused, to release it. */
interface FusedOwner {
  readonly performed: boolean
  fused: Chain<DerivedSignal> | undefined
}

/**
 * The root of a lane's signals: the caller's own signal where there is one (then nothing is put between the two), otherwise
 * one made on demand. It holds the lane's only place in what hears the caller's signal, however many calls and wrappers are below.
 *
 * Whoever only wants to know whether the caller aborted asks the signal itself. The listener is for what has to be told: it comes
 * when somebody below waits, or when the lane outlives the turn of the event loop in which it began, which most lanes do not,
 * and a listener put on and taken off costs as much as the checks of arguments and value.
 */
export class LaneSignal implements SignalNode {
  readonly #caller: AbortSignal | undefined
  readonly #above: SignalNode | undefined
  readonly #lane: Cancelled
  #told = false
  #reason: unknown
  #own: AbortController | undefined
  #waiting: Set<(reason: unknown) => void> | undefined
  #soon: NodeJS.Immediate | undefined
  #hub: Hub | undefined
  /** Its place in the hub. */
  at = 0

  /**
   * @param above where a nested lane's calls are made: a lane below an abort that it has not been told of yet starts nothing
   * @param lane told once, after everything below has been aborted; not if the caller had aborted before `listen`
   */
  constructor(caller: AbortSignal | undefined, above: SignalNode | undefined, lane: Cancelled) {
    this.#caller = caller
    this.#above = above
    this.#lane = lane
  }

  get aborted(): boolean {
    return this.#told || this.#caller?.aborted === true || this.#above?.knownAborted === true
  }

  get knownAborted(): boolean {
    return this.aborted
  }

  /** The lane's own listener is put on before the caller's signal is given out, so that nobody's listener can keep it from hearing. */
  get signal(): AbortSignal {
    if (this.#caller !== undefined) {
      this.hear()
      return this.#caller
    }
    if (this.#own === undefined) {
      this.#own = new AbortController()
      if (this.aborted) this.#own.abort(this.#why)
    }
    return this.#own.signal
  }

  get #why(): unknown {
    return this.#told ? this.#reason : (this.#caller ?? this.#above?.signal)?.reason
  }

  /** From now on the lane is told of the caller's abort, at the end of this turn of the event loop at the latest. */
  listen(): void {
    if (this.#caller !== undefined && !this.#caller.aborted) this.#soon = setImmediate(hear, this)
  }

  /** Is told of the caller's abort as it happens. */
  hear(): void {
    const caller = this.#caller
    if (this.#hub !== undefined || this.#soon === undefined || caller === undefined) return
    clearImmediate(this.#soon)
    if (caller.aborted) return this.abort(caller.reason)
    this.#hub = hubOf(caller)
    this.#hub.add(this)
  }

  /** Aborts everything below. The caller's own signal, which is not ours, stays as it is. */
  abort(reason: unknown): void {
    if (this.#told) return
    this.#told = true
    this.#reason = reason
    this.#own?.abort(reason)
    for (const abort of [...(this.#waiting ?? [])]) tell(abort, reason)
    this.#waiting = undefined
    this.#lane.cancelled()
  }

  onAbort(abort: (reason: unknown) => void): () => void {
    if (this.aborted) {
      abort(this.#why)
      return nothing
    }
    this.hear()
    this.#waiting ??= new Set()
    this.#waiting.add(abort)
    return () => this.#waiting?.delete(abort)
  }

  /** Takes the listener off the caller's signal; after it, nothing of the lane is left there (CAN-6). */
  release(): void {
    this.#waiting = undefined
    if (this.#soon === undefined) return
    clearImmediate(this.#soon)
    this.#hub?.remove(this)
    this.#soon = undefined
  }
}

function hear(signal: LaneSignal): void {
  signal.hear()
}

/**
 * The node below a wrapper that handed down a signal or controller: fused with what is above, first cause first. A handed
 * controller is the fused one; a handed signal needs a controller of ours.
 */
export class DerivedSignal implements SignalNode {
  /**
   * Nothing has happened since it was handed down. While that is so, a handed controller counts as not aborted, since looking
   * would make its signal.
   */
  isFresh = true
  readonly #above: SignalNode
  readonly #handed: AbortSignal | AbortController
  readonly #owner: FusedOwner
  #signal: AbortSignal | undefined
  before: DerivedSignal | undefined
  after: DerivedSignal | undefined
  #leaveHanded: (() => void) | undefined
  #leaveAbove: (() => void) | undefined

  /** @param owner the call, which releases what was fused when its execute stage has settled */
  constructor(above: SignalNode, handed: AbortSignal | AbortController, owner: FusedOwner) {
    this.#above = above
    this.#handed = handed
    this.#owner = owner
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#fuse()
    return this.#signal
  }

  get knownAborted(): boolean {
    if (this.#signal !== undefined || !this.isFresh) return this.signal.aborted
    return ('aborted' in this.#handed && this.#handed.aborted) || this.#above.knownAborted
  }

  onAbort(abort: (reason: unknown) => void): () => void {
    return hubOf(this.signal).hear(abort)
  }

  release(): void {
    this.#leaveHanded?.()
    this.#leaveAbove?.()
    this.#leaveHanded = this.#leaveAbove = undefined
    this.#owner.fused?.remove(this)
  }

  #fuse(): AbortSignal {
    const handed = this.#handed
    const controller = 'abort' in handed ? handed : new AbortController()
    const abort = (reason: unknown): void => tell((why) => controller.abort(why), reason)
    // Who was first can not be told any more. The caller's reason is the one that was promised (CAN-4).
    if (this.#above.knownAborted) abort(this.#above.signal.reason)
    else if ('aborted' in handed && handed.aborted) abort(handed.reason)
    // Read too late, by a body that was given up on: it gets the state of this moment, and nothing is listened to any more.
    if (this.#owner.performed || controller.signal.aborted) return controller.signal
    if ('aborted' in handed) this.#leaveHanded = hubOf(handed).hear(abort)
    this.#leaveAbove = this.#above.onAbort(abort)
    this.#owner.fused ??= new Chain()
    this.#owner.fused.add(this)
    return controller.signal
  }
}
