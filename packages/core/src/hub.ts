/** A lane's signal, for which the hub hears the caller's. */
interface Hearing {
  /** Its place in the hub, which keeps it. */
  at: number
  abort(reason: unknown): void
}

/** The one listener on a caller's signal, however many steps share it: Node warns of a leak at the eleventh. */
export class Hub {
  readonly #caller: AbortSignal
  readonly #lanes: Hearing[] = []

  constructor(caller: AbortSignal) {
    this.#caller = caller
  }

  add(lane: Hearing): void {
    lane.at = this.#lanes.push(lane) - 1
    if (this.#lanes.length === 1) this.#caller.addEventListener('abort', this.#heard)
  }

  /** The last takes its place: a `Set` that runs empty with every step would make itself anew each time. */
  remove(lane: Hearing): void {
    if (this.#lanes[lane.at] !== lane) return
    const last = this.#lanes.pop() as Hearing
    if (last !== lane) {
      this.#lanes[lane.at] = last
      last.at = lane.at
    }
    if (this.#lanes.length === 0) this.#caller.removeEventListener('abort', this.#heard)
  }

  readonly #heard = (): void => {
    const { aborted, reason } = this.#caller
    if (!aborted) return // an event that somebody else dispatched is no abort
    for (const lane of [...this.#lanes]) tell((why) => lane.abort(why), reason)
  }
}

const hubs = new WeakMap<AbortSignal, Hub>()

export function hubOf(caller: AbortSignal): Hub {
  let hub = hubs.get(caller)
  if (hub === undefined) {
    hub = new Hub(caller)
    hubs.set(caller, hub)
  }
  return hub
}

/** A controller of a class of its own may throw when it is aborted: the others are told all the same. */
export function tell(abort: (reason: unknown) => void, reason: unknown): void {
  try {
    abort(reason)
  } catch {}
}
