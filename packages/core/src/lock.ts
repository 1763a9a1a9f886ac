import type { Call } from './call.ts'

/**
 * The lock that the exclusive nested calls below one step share (CON-9): first come, first served, except that a descendant of
 * the holder enters at once and holds it meanwhile. So two exclusive calls overlap only if one is the other's ancestor, and
 * nobody waits for an ancestor.
 */
export class ExclusiveLock {
  /** The holders, outermost first: each is a descendant of the one before. */
  readonly #holders: Call[] = []
  #waiting: { readonly call: Call; readonly enter: () => void }[] = []

  /** Calls `enter` once `call` holds the lock, which may be at once. */
  acquire(call: Call, enter: () => void): void {
    if (!this.#free(call)) {
      this.#waiting.push({ call, enter })
      return
    }
    this.#holders.push(call)
    enter()
  }

  /** Gives the lock back, or the place in the queue. */
  release(call: Call): void {
    const held = this.#holders.lastIndexOf(call)
    if (held !== -1) this.#holders.splice(held, 1)
    this.#waiting = this.#waiting.filter((waiting) => waiting.call !== call)
    const at = this.#waiting.findIndex((waiting) => this.#free(waiting.call))
    if (at === -1) return
    const [next] = this.#waiting.splice(at, 1)
    if (next === undefined) return
    this.#holders.push(next.call)
    next.enter()
  }

  #free(call: Call): boolean {
    const holder = this.#holders.at(-1)
    return holder === undefined || isAncestor(holder, call)
  }
}

function isAncestor(ancestor: Call, call: Call): boolean {
  for (let above = call.lane.parent; above !== undefined; above = above.lane.parent) if (above === ancestor) return true
  return false
}
