import type { Call } from './call.ts'

/**
 * The lock that the exclusive nested calls below one step share (CON-9): first come, first served, except that a descendant of
 * the holder enters at once and holds it meanwhile. So two exclusive calls overlap only if one is the other's ancestor, and
 * nobody waits for an ancestor.
 */
export class ExclusiveLock {
  /** The holders, outermost first: each is a descendant of the one before. */
  readonly #holders: Call[] = []
  /** Who waits, and what lets it in, in the order of arrival. */
  readonly #waiting = new Map<Call, () => void>()
  #handing = false

  /** Calls `enter` once `call` holds the lock, which may be at once. */
  acquire(call: Call, enter: () => void): void {
    const holder = this.#holders.at(-1)
    if (holder === undefined ? this.#waiting.size > 0 : !call.isBelow(holder)) {
      this.#waiting.set(call, enter)
      return
    }
    this.#holders.push(call)
    enter()
  }

  /** Gives the lock back, or the place in the queue. */
  release(call: Call): void {
    const held = this.#holders.lastIndexOf(call)
    if (held === -1) this.#waiting.delete(call)
    else {
      this.#holders.splice(held, 1)
      this.#handOver()
    }
  }

  /** A loop, because a call that is over as soon as it enters gives the lock back from within: thousands may do so in a row. */
  #handOver(): void {
    if (this.#handing) return
    this.#handing = true
    try {
      for (let next = this.#nextIn(); next !== undefined; next = this.#nextIn()) {
        const [call, enter] = next
        this.#waiting.delete(call)
        this.#holders.push(call)
        enter()
      }
    } finally {
      this.#handing = false
    }
  }

  #nextIn(): readonly [Call, () => void] | undefined {
    const holder = this.#holders.at(-1)
    for (const waiting of this.#waiting) if (holder === undefined || waiting[0].isBelow(holder)) return waiting
    return undefined
  }
}
