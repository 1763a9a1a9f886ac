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
  fused: DerivedSignal | undefined
}

/**
 * The root of a lane's signals: the caller's own signal where there is one (then nothing is put between the two), otherwise
 * one made on demand. It holds the lane's only listener on the caller's signal, however many calls and wrappers are below.
 */
export class LaneSignal implements SignalNode {
  aborted = false
  reason: unknown
  readonly #caller: AbortSignal | undefined
  #own: AbortController | undefined
  #waiting: Set<(reason: unknown) => void> | undefined
  readonly #lane: Cancelled
  #heard: (() => void) | undefined

  /** @param lane told once, after everything below has been aborted */
  constructor(caller: AbortSignal | undefined, lane: Cancelled) {
    this.#caller = caller
    this.#lane = lane
  }

  /** Hears of the caller's abort from now on; if it was before, this is aborted, and nobody is told. */
  listen(): void {
    const caller = this.#caller
    if (caller === undefined) return
    if (caller.aborted) {
      this.aborted = true
      this.reason = caller.reason
      return
    }
    this.#heard = () => this.abort(caller.reason)
    caller.addEventListener('abort', this.#heard)
  }

  get knownAborted(): boolean {
    return this.aborted
  }

  /** As `aborted`, and also while the abort is on its way here. */
  get isCallerAborted(): boolean {
    return this.aborted || this.#caller?.aborted === true
  }

  get signal(): AbortSignal {
    if (this.#caller !== undefined) return this.#caller
    if (this.#own === undefined) {
      this.#own = new AbortController()
      if (this.aborted) this.#own.abort(this.reason)
    }
    return this.#own.signal
  }

  /** Aborts everything below. The caller's own signal, which is not ours, stays as it is. */
  abort(reason: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    this.#own?.abort(reason)
    if (this.#waiting !== undefined) for (const abort of [...this.#waiting]) abort(reason)
    this.#waiting = undefined
    this.#lane.cancelled()
  }

  onAbort(abort: (reason: unknown) => void): () => void {
    if (this.aborted) {
      abort(this.reason)
      return nothing
    }
    this.#waiting ??= new Set()
    this.#waiting.add(abort)
    return () => this.#waiting?.delete(abort)
  }

  /** Takes the listener off the caller's signal; after it, nothing of the lane is left there (CAN-6). */
  release(): void {
    if (this.#heard !== undefined) this.#caller?.removeEventListener('abort', this.#heard)
    this.#waiting = undefined
  }
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
  /** The signal of the same call that was fused before: they form a chain. */
  earlier: DerivedSignal | undefined
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
    const { signal } = this
    if (signal.aborted) {
      abort(signal.reason)
      return nothing
    }
    const heard = (): void => abort(signal.reason)
    signal.addEventListener('abort', heard)
    return () => signal.removeEventListener('abort', heard)
  }

  release(): void {
    this.#leaveHanded?.()
    this.#leaveAbove?.()
    this.#leaveHanded = this.#leaveAbove = undefined
  }

  #fuse(): AbortSignal {
    const handed = this.#handed
    const controller = 'abort' in handed ? handed : new AbortController()
    const abort = (reason: unknown): void => controller.abort(reason)
    if (this.#owner.performed) {
      // Read too late, by a body that was given up on: it gets the state of this moment, and nothing is listened to any more.
      if ('aborted' in handed && handed.aborted) abort(handed.reason)
      else if (this.#above.knownAborted) abort(this.#above.signal.reason)
      return controller.signal
    }
    if ('aborted' in handed) {
      if (handed.aborted) abort(handed.reason)
      else {
        const heard = (): void => abort(handed.reason)
        handed.addEventListener('abort', heard)
        this.#leaveHanded = () => handed.removeEventListener('abort', heard)
      }
    }
    this.#leaveAbove = this.#above.onAbort(abort)
    this.earlier = this.#owner.fused
    this.#owner.fused = this
    return controller.signal
  }
}
