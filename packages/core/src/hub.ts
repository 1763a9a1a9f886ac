/** Who is told when a signal aborts. */
interface Hearing {
  /** Its place in the hub, which keeps it. */
  at: number
  abort(reason: unknown): void
}

/** The one listener on a signal, however many steps, streams and wrappers share it: Node warns of a leak at the eleventh. */
export class Hub {
  readonly #signal: AbortSignal
  readonly #hearing: Hearing[] = []

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  add(hearing: Hearing): void {
    hearing.at = this.#hearing.push(hearing) - 1
    if (this.#hearing.length === 1) this.#signal.addEventListener('abort', this.#heard)
  }

  /** The last takes its place: a `Set` that runs empty with every step would make itself anew each time. */
  remove(hearing: Hearing): void {
    if (this.#hearing[hearing.at] !== hearing) return
    const last = this.#hearing.pop() as Hearing
    if (last !== hearing) {
      this.#hearing[hearing.at] = last
      last.at = hearing.at
    }
    if (this.#hearing.length === 0) this.#signal.removeEventListener('abort', this.#heard)
  }

  /** Calls `abort` with the reason once the signal has aborted, at once if it has already. The answer ends that. */
  hear(abort: (reason: unknown) => void): () => void {
    if (this.#signal.aborted) tell(abort, this.#signal.reason)
    const hearing = { at: 0, abort }
    this.add(hearing)
    return () => this.remove(hearing)
  }

  readonly #heard = (): void => {
    const { aborted, reason } = this.#signal
    if (!aborted) return // an event that somebody else dispatched is no abort
    for (const hearing of [...this.#hearing]) tell((why) => hearing.abort(why), reason)
  }
}

const hubs = new WeakMap<AbortSignal, Hub>()

export function hubOf(signal: AbortSignal): Hub {
  let hub = hubs.get(signal)
  if (hub === undefined) {
    hub = new Hub(signal)
    hubs.set(signal, hub)
  }
  return hub
}

/** A controller of a class of its own may throw when it is aborted: the others are told all the same. */
export function tell(abort: (reason: unknown) => void, reason: unknown): void {
  try {
    abort(reason)
  } catch {}
}
