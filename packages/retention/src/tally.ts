import { simdCounter } from './simd.ts'
import { beforeOpenCharacter, newline, Walk } from './utf8.ts'

/** Amounts of text, in each unit. */
export interface TextCounts {
  /** Bytes of the input; of a string, those of its UTF-8 form. */
  readonly bytes: number
  /** Code points of the decoded input. What is no UTF-8 counts as the U+FFFD that it is decoded to. */
  readonly characters: number
  /** A line ends after `\n`, or where the input ends. `a\nb` and `a\nb\n` have 2, the empty text has 0. */
  readonly lines: number
}

/** From this size on, handing bytes to the counter costs less than walking over them. */
const worthwhile = 64

/** Counts what it is shown, in any chunking; a character that is not complete yet counts as the U+FFFD that it would become. */
export class Tally {
  #bytes = 0
  #newlines = 0
  #characters = 0
  readonly #walk = new Walk()
  #last = newline

  add(bytes: Uint8Array): void {
    const { length } = bytes
    if (length === 0) return
    this.#bytes += length
    this.#last = bytes[length - 1] as number
    let at = 0
    for (; this.#walk.isMidCharacter && at < length; at++) this.#walk.over(bytes, at, at + 1)
    if (length - at >= worthwhile) at = this.#addAtOnce(bytes, at)
    this.#walk.over(bytes, at, length)
  }

  get newlines(): number {
    return this.#newlines + this.#walk.newlines
  }

  counts(): TextCounts {
    const unended = this.#last === newline ? 0 : 1
    return {
      bytes: this.#bytes,
      characters: this.#characters + this.#walk.characters,
      lines: this.newlines + unended,
    }
  }

  /** Gives where it stopped. */
  #addAtOnce(bytes: Uint8Array, from: number): number {
    const counter = simdCounter()
    if (counter === undefined) return from
    let at = from
    while (bytes.length - at >= worthwhile) {
      const stop = beforeOpenCharacter(bytes, at, Math.min(bytes.length, at + counter.capacity))
      if (counter.count(at === 0 && stop === bytes.length ? bytes : bytes.subarray(at, stop))) {
        this.#newlines += counter.newlines
        this.#characters += counter.characters
      } else {
        this.#walk.over(bytes, at, stop)
      }
      at = stop
    }
    return at
  }
}
