import type { Amounts, Plan, textUnits } from './budget.ts'
import { Bytes } from './bytes.ts'
import { lookbehind } from './graphemes.ts'
import { newline } from './utf8.ts'

export type TextPlan = Plan<(typeof textUnits)[number]>
export type TextAmounts = Amounts<(typeof textUnits)[number]>

/** The most bytes that a character has in UTF-8. */
const longestCharacter = 4
/** What has to be known beyond a cut at the head: the next character. */
const lookahead = longestCharacter

/** Holds the beginning of the input. */
export interface HeadStore {
  readonly held: Bytes
  /** Takes bytes until it has enough, and gives how many it took. */
  take(bytes: Uint8Array): number
}

/** Holds the end of what the head did not take. */
export interface TailStore {
  readonly held: Bytes
  take(bytes: Uint8Array): void
}

/**
 * What is held depends on the input alone, not on its chunks, and is cut when the input has ended: all of it, if it is within
 * the budget of the whole, else enough for the head and for the tail. It is measured in one unit, the one that binds memory
 * most; the other units can only take away from what is held.
 */
export function makeStores({ head, tail, whole }: TextPlan): { readonly head: HeadStore; readonly tail: TailStore } {
  const byCharacters = whole.characters * longestCharacter < whole.bytes
  const bytesOf = (side: TextAmounts): number => {
    const most = byCharacters ? side.characters * longestCharacter : side.bytes
    return most === Number.POSITIVE_INFINITY && side.lines === 0 ? 0 : most
  }
  const headBytes = bytesOf(head)
  const tailBytes = bytesOf(tail)
  return {
    head: headBytes < Number.POSITIVE_INFINITY ? new HeadBytes(headBytes + lookahead) : new HeadLines(head.lines),
    tail: tailBytes < Number.POSITIVE_INFINITY ? new TailBytes(tailBytes + lookbehind) : new TailLines(tail.lines),
  }
}

class HeadBytes implements HeadStore {
  readonly held: Bytes
  readonly #most: number

  constructor(most: number) {
    this.#most = most
    this.held = new Bytes(most)
  }

  take(bytes: Uint8Array): number {
    const room = this.#most - this.held.length
    if (room === 0) return 0
    if (bytes.length <= room) {
      this.held.append(bytes)
      return bytes.length
    }
    this.held.append(bytes.subarray(0, room))
    return room
  }
}

class HeadLines implements HeadStore {
  readonly held: Bytes = new Bytes()
  #missing: number

  constructor(lines: number) {
    this.#missing = lines
  }

  take(bytes: Uint8Array): number {
    let end = 0
    while (this.#missing > 0 && end < bytes.length) {
      const found = bytes.indexOf(newline, end)
      if (found < 0) end = bytes.length
      else {
        end = found + 1
        this.#missing--
      }
    }
    if (end > 0) this.held.append(bytes.subarray(0, end))
    return end
  }
}

class TailBytes implements TailStore {
  readonly held: Bytes

  constructor(most: number) {
    this.held = new Bytes(most)
  }

  take(bytes: Uint8Array): void {
    this.held.append(bytes)
  }
}

/** Holds what follows the last but so many line ends, beginning with that line end. */
class TailLines implements TailStore {
  readonly held: Bytes = new Bytes()
  readonly #most: number
  #newlines = 0

  constructor(lines: number) {
    this.#most = lines + 1
  }

  take(bytes: Uint8Array): void {
    let from = bytes.length
    let found = 0
    while (found < this.#most && from > 0) {
      const at = bytes.lastIndexOf(newline, from - 1)
      if (at < 0) break
      from = at
      found++
    }
    if (found === this.#most) {
      this.held.clear()
      this.#newlines = found
      this.held.append(bytes.subarray(from))
      return
    }
    this.held.append(bytes)
    this.#newlines += found
    this.#evict()
  }

  #evict(): void {
    if (this.#newlines <= this.#most) return
    let at = -1
    for (; this.#newlines >= this.#most; this.#newlines--) at = this.held.indexOf(newline, at + 1)
    this.#newlines++
    this.held.drop(at)
  }
}
