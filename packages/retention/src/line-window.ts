import { textUnits, without } from './budget.ts'
import { isAmount, need, needMembers } from './check.ts'
import { endOfHead } from './cut.ts'
import { decode } from './decode.ts'
import { TextInput } from './input.ts'
import { type HeadStore, makeStores, type TextPlan } from './stores.ts'
import { Tally } from './tally.ts'
import type { TextAccount } from './text-retainer.ts'
import { newline } from './utf8.ts'

/** Which lines a reader asks for. */
export interface LineWindowOptions {
  /** The first line, from 1 on. **Default:** 1. */
  readonly offset?: number
  /** How many lines at most, from 1 on. */
  readonly limit: number
  /** How many UTF-8 bytes of them at most, from 1 on. Bounds memory, which lines alone do not. **Default:** no bound. */
  readonly bytes?: number
}

/** Some lines of a text, and where they stand in it. */
export interface LineWindowResult extends TextAccount {
  /**
   * The lines with their line ends. Whole lines, but for one that alone is over `bytes`: of that, the beginning. `''` past the end.
   */
  readonly text: string
  /** The number of the first line of `text`: the offset. */
  readonly first: number
  /** The number of the last line of `text`, though only its beginning be there; `first - 1` if there is none. */
  readonly last: number
  /** The first line after `text`: the offset of the next window. `undefined` if the text ends with this one, or before it. */
  readonly next: number | undefined
  /** The offset is beyond the last line. An empty text may be read from line 1. */
  readonly isPastEnd: boolean
  /** `limit` or `bytes` was hit. Says nothing about whether the source was read to its end. */
  readonly truncated: boolean
}

const who = 'LineWindow'
const unlimited = Number.POSITIVE_INFINITY

/**
 * The lines from `offset` on, of a text that is pushed chunk by chunk and counted to its end: what a tool that reads files shows
 * of one. The result does not depend on where the chunks were split.
 */
export class LineWindow {
  readonly #offset: number
  readonly #plan: TextPlan
  readonly #tally: Tally = new Tally()
  readonly #input: TextInput = new TextInput(who, (bytes) => this.#take(bytes))
  #store: HeadStore
  /** Line ends to pass before the window begins. */
  #before: number
  #result: LineWindowResult | undefined

  /** @throws TypeError naming the option, what it has to be, and what it is */
  constructor(options: LineWindowOptions) {
    needMembers(options, who, 'what it takes', ['offset', 'limit', 'bytes'])
    const { offset = 1, limit, bytes } = options
    const isCount = (value: unknown): boolean => isAmount(value) && value > 0
    need(isCount(offset), who, '`offset`', 'a whole number from 1 on', offset)
    need(isCount(limit), who, '`limit`', 'a whole number from 1 on', limit)
    need(bytes === undefined || isCount(bytes), who, '`bytes`', 'a whole number from 1 on', bytes)
    this.#offset = offset
    this.#before = offset - 1
    const head = { bytes: bytes ?? unlimited, characters: unlimited, lines: limit }
    this.#plan = { head, tail: { bytes: 0, characters: 0, lines: 0 }, whole: head }
    this.#store = makeStores(this.#plan).head
  }

  /**
   * Takes the next chunk: UTF-8 bytes, or a string. What is kept of it is copied.
   * @throws TypeError if it is neither, or strings and bytes are mixed
   * @throws Error after `finish()`
   */
  push(chunk: string | Uint8Array): void {
    this.#input.push(chunk)
  }

  /** Ends the input. Gives the same object when called again. */
  finish(): LineWindowResult {
    if (this.#result === undefined) {
      this.#input.end()
      this.#result = this.#conclude()
      // What was held is not needed any more, however long the window itself is kept.
      this.#store = makeStores(this.#plan).head
    }
    return this.#result
  }

  #take(bytes: Uint8Array): void {
    this.#tally.add(bytes)
    let from = 0
    while (this.#before > 0) {
      const found = bytes.indexOf(newline, from)
      if (found < 0) return
      from = found + 1
      this.#before--
    }
    this.#store.take(bytes.subarray(from))
  }

  #conclude(): LineWindowResult {
    const seen = this.#tally.counts()
    const held = this.#store.held.toArray()
    const end = endOfHead(held, this.#plan.head, 'characters')
    const wholeLines = held.subarray(0, end).lastIndexOf(newline) + 1
    const isTorn = wholeLines === 0 && end < held.length
    const isAll = held.length === end
    const shown = held.subarray(0, isTorn || isAll ? end : wholeLines)

    const count = new Tally()
    count.add(shown)
    const counts = count.counts()
    const lines = isTorn ? 1 : counts.lines
    const last = this.#offset + lines - 1
    const next = lines > 0 && last < seen.lines ? last + 1 : undefined
    const kept = isTorn ? { ...counts, lines: 0 } : counts
    return {
      text: decode(shown),
      first: this.#offset,
      last,
      next,
      isPastEnd: this.#offset > Math.max(1, seen.lines),
      truncated: isTorn || next !== undefined,
      seen,
      kept,
      omitted: without(textUnits, seen, kept),
    }
  }
}
