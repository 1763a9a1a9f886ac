import type { Call } from './call.ts'

/** The lock in the hands of one call, and the calls that may have it from there: those nested in the holder. */
class Place {
  /** Nobody's, for the place below all others: every call may have the lock from there. */
  readonly holder: Call | undefined
  /** In the order of arrival, from `#first` on, with those that have left meanwhile. */
  readonly #queue: Call[] = []
  #first = 0

  constructor(holder: Call | undefined) {
    this.holder = holder
  }

  isFor(call: Call): boolean {
    return this.holder === undefined || call.isBelow(this.holder)
  }

  push(call: Call): void {
    this.#queue.push(call)
  }

  /** The first that still waits. */
  first(waiting: ReadonlyMap<Call, unknown>): Call | undefined {
    const queue = this.#queue
    while (this.#first < queue.length && !waiting.has(queue[this.#first] as Call)) this.#first++
    if (this.#first === queue.length) this.#first = queue.length = 0
    return queue[this.#first]
  }

  /** What is left of the queue. */
  rest(): readonly Call[] {
    return this.#queue.slice(this.#first)
  }
}

/**
 * The lock that the exclusive nested calls below one step share (CON-9): first come, first served, except that a descendant of
 * the holder enters at once and holds it meanwhile. So two exclusive calls overlap only if one is the other's ancestor, and
 * nobody waits for an ancestor.
 */
export class ExclusiveLock {
  /** Outermost first: each holder is a descendant of the one before. */
  readonly #places = [new Place(undefined)]
  /** Who waits, each at the innermost place that is for it, and what lets it in. */
  readonly #waiting = new Map<Call, () => void>()
  #handing = false

  /** Calls `enter` once `call` holds the lock, which may be at once. */
  acquire(call: Call, enter: () => void): void {
    const place = this.#places.findLast((open) => open.isFor(call)) as Place
    if (place === this.#places.at(-1) && place.first(this.#waiting) === undefined) {
      this.#places.push(new Place(call))
      enter()
    } else {
      this.#waiting.set(call, enter)
      place.push(call)
    }
  }

  /** Gives the lock back, or the place in the queue. */
  release(call: Call): void {
    if (this.#waiting.delete(call)) return
    const at = this.#places.findLastIndex(({ holder }) => holder === call)
    if (at === -1) return
    const [left] = this.#places.splice(at, 1)
    for (const orphan of left?.rest() ?? []) this.#places[at - 1]?.push(orphan)
    this.#handOver()
  }

  /** A loop, because a call that is over as soon as it enters gives the lock back from within: thousands may do so in a row. */
  #handOver(): void {
    if (this.#handing) return
    this.#handing = true
    try {
      for (let next = this.#next(); next !== undefined; next = this.#next()) {
        const enter = this.#waiting.get(next)
        this.#waiting.delete(next)
        this.#places.push(new Place(next))
        enter?.()
      }
    } finally {
      this.#handing = false
    }
  }

  #next(): Call | undefined {
    return this.#places.at(-1)?.first(this.#waiting)
  }
}
