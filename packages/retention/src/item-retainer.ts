import { type Amounts, fits, itemUnits, type Plan, readPlan, without } from './budget.ts'
import { need, needMembers } from './check.ts'

/** How many items may be kept: whole numbers from 0 on, at least one of them. Both hold at once if both are named. */
export interface ItemBudget {
  /** How many. */
  readonly items?: number
  /** How much together, in the unit of `sizeOf`. */
  readonly size?: number
}

/** What `ItemRetainer` takes: `head`, `tail` or both, which then name the same units. */
export interface ItemRetainerOptions<T> {
  /** Keep the first items. */
  readonly head?: ItemBudget
  /** Keep the last items. With `head`: what is within both budgets together is kept whole. */
  readonly tail?: ItemBudget
  /** How large an item is: a whole number from 0 on, asked once for each item. Without it every size is 0. */
  readonly sizeOf?: (item: T) => number
}

/** Amounts of items, in each unit. */
export interface ItemCounts {
  /** How many. */
  readonly items: number
  /** The sum of `sizeOf`. */
  readonly size: number
}

/** What has been seen, kept and left out; in each unit, kept and omitted make up what was seen. */
export interface ItemAccount {
  readonly seen: ItemCounts
  readonly kept: ItemCounts
  readonly omitted: ItemCounts
}

/** All of the items. */
export interface WholeItems<T> extends ItemAccount {
  /** No budget was hit. Says nothing about whether the source was read to its end. */
  readonly truncated: false
  readonly items: readonly T[]
}

/** The first and the last of items that were over budget. */
export interface CutItems<T> extends ItemAccount {
  /** A budget was hit: at least one item is missing between `head` and `tail`. */
  readonly truncated: true
  readonly head: readonly T[]
  readonly tail: readonly T[]
}

/** What an `ItemRetainer` comes to. */
export type RetainedItems<T> = WholeItems<T> | CutItems<T>

interface Sized<T> {
  readonly item: T
  readonly size: number
}

const who = 'ItemRetainer'
const none: ItemCounts = { items: 0, size: 0 }

/**
 * Keeps the first, the last, or both of items that are pushed one by one, and counts all of them. No more items are held than are
 * within the budgets. The items are kept as they are, not copied.
 */
export class ItemRetainer<T> {
  readonly #plan: Plan<(typeof itemUnits)[number]>
  readonly #sizeOf: (item: T) => number
  #seen: ItemCounts = none
  /** All items while they are within the budget of the whole; from then on the head. */
  #head: Sized<T>[] = []
  #isCut = false
  readonly #tail: Queue<T> = new Queue()
  #result: RetainedItems<T> | undefined

  /** @throws TypeError naming the option, what it has to be, and what it is */
  constructor(options: ItemRetainerOptions<T>) {
    needMembers(options, who, 'what it takes', ['head', 'tail', 'sizeOf'])
    const { sizeOf } = options
    need(sizeOf === undefined || typeof sizeOf === 'function', who, '`sizeOf`', 'a function from item to size', sizeOf)
    this.#plan = readPlan(who, itemUnits, options)
    need(
      sizeOf !== undefined || this.#plan.whole.size === Number.POSITIVE_INFINITY,
      who,
      '`sizeOf`',
      'given where a budget names `size`',
      sizeOf,
    )
    this.#sizeOf = sizeOf ?? (() => 0)
  }

  /**
   * Takes the next item.
   * @throws TypeError if its size is no whole number from 0 on; it then counts as not pushed
   * @throws Error after `finish()`
   */
  push(item: T): void {
    if (this.#result !== undefined)
      throw new Error(`[pawl] ${who}: finish() was called, so nothing can be pushed any more.`)
    const size = this.#sizeOf(item)
    need(Number.isSafeInteger(size) && size >= 0, who, 'the size of an item', 'a whole number from 0 on', size)
    this.#seen = plus(this.#seen, size)
    const sized = { item, size }
    if (this.#isCut) this.#toTail(sized)
    else {
      this.#head.push(sized)
      if (!fits(this.#seen, this.#plan.whole)) this.#cut()
    }
  }

  /** Ends the input. Gives the same object when called again; its arrays are the caller's. */
  finish(): RetainedItems<T> {
    this.#result ??= this.#conclude()
    return this.#result
  }

  #conclude(): RetainedItems<T> {
    const seen = this.#seen
    const head = this.#head.map(({ item }) => item)
    if (!this.#isCut) return { truncated: false, items: head, seen, kept: seen, omitted: none }
    const tail = this.#tail.items()
    const kept = [...this.#head, ...tail].reduce((counts, { size }) => plus(counts, size), none)
    const omitted = without(itemUnits, seen, kept)
    return { truncated: true, head, tail: tail.map(({ item }) => item), seen, kept, omitted }
  }

  #cut(): void {
    this.#isCut = true
    let counts = none
    let end = 0
    for (const { size } of this.#head) {
      counts = plus(counts, size)
      if (!fits(counts, this.#plan.head)) break
      end++
    }
    for (const sized of this.#head.splice(end)) this.#toTail(sized)
  }

  #toTail(sized: Sized<T>): void {
    this.#tail.push(sized)
    while (!fits(this.#tail.counts, this.#plan.tail)) this.#tail.shift()
  }
}

function plus({ items, size }: Amounts<'items' | 'size'>, more: number): ItemCounts {
  return { items: items + 1, size: size + more }
}

/** First in, first out; forgetting the first costs the same however many there are. */
class Queue<T> {
  counts: ItemCounts = none
  #held: (Sized<T> | undefined)[] = []
  #start = 0

  push(sized: Sized<T>): void {
    this.#held.push(sized)
    this.counts = plus(this.counts, sized.size)
  }

  shift(): void {
    const { items, size } = this.counts
    const first = this.#held[this.#start] as Sized<T>
    this.#held[this.#start++] = undefined
    this.counts = { items: items - 1, size: size - first.size }
    if (this.#start * 2 > this.#held.length) {
      this.#held = this.#held.slice(this.#start)
      this.#start = 0
    }
  }

  items(): readonly Sized<T>[] {
    return this.#held.slice(this.#start) as Sized<T>[]
  }
}
