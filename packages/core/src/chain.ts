/** What stands in a chain carries its links. */
export interface Linked<T> {
  before: T | undefined
  after: T | undefined
}

/**
 * A set that its members make by themselves: what runs empty with every call would, as a `Set`, make itself anew each time. A
 * member that is out keeps nobody alive.
 */
export class Chain<T extends Linked<T>> {
  #last: T | undefined

  add(member: T): void {
    member.before = this.#last
    if (this.#last !== undefined) this.#last.after = member
    this.#last = member
  }

  /** Does nothing to what is not in the chain. */
  remove(member: T): void {
    const { before, after } = member
    if (after === undefined && this.#last !== member) return
    if (before !== undefined) before.after = after
    if (after !== undefined) after.before = before
    else this.#last = before
    member.before = member.after = undefined
  }

  /** The last first. */
  all(): readonly T[] {
    const members: T[] = []
    for (let member = this.#last; member !== undefined; member = member.before) members.push(member)
    return members
  }
}
