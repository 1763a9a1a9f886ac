import { fits, readPlan, textUnits, without } from './budget.ts'
import { need, needMembers } from './check.ts'
import { endOfHead, startOfTail, type TextCut } from './cut.ts'
import { decode } from './decode.ts'
import { TextInput } from './input.ts'
import { type HeadStore, makeStores, type TailStore, type TextPlan } from './stores.ts'
import { Tally, type TextCounts } from './tally.ts'
import { newline } from './utf8.ts'

/** How much text may be kept: whole numbers from 0 on, at least one of them. All that are named hold at once. */
export interface TextBudget {
  /** UTF-8 bytes of the input. */
  readonly bytes?: number
  /** Unicode code points. */
  readonly characters?: number
  /** Lines, the begun ones too. Bounds no memory by itself, since a line may be of any length. */
  readonly lines?: number
}

/** What `TextRetainer` takes: `head`, `tail` or both, which then name the same units. */
export interface TextRetainerOptions {
  /** Keep the beginning. */
  readonly head?: TextBudget
  /** Keep the end. With `head`: what is within both budgets together is kept whole. */
  readonly tail?: TextBudget
  /**
   * Where text may be cut: between two code points, or only between extended grapheme clusters (UAX #29), so that no emoji,
   * accent or `\r\n` is torn. A cluster of more than 128 bytes may be torn. **Default:** `'characters'`.
   */
  readonly cut?: TextCut
}

/** What has been seen, kept and left out; in each unit, kept and omitted make up what was seen. */
export interface TextAccount {
  readonly seen: TextCounts
  /** Of lines, those that are there from beginning to end. */
  readonly kept: TextCounts
  /** Of lines, those of which any part is missing. */
  readonly omitted: TextCounts
}

/** All of the input. */
export interface WholeText extends TextAccount {
  /** No budget was hit. Says nothing about whether the source was read to its end. */
  readonly truncated: false
  /** The input, with U+FFFD for whatever was no UTF-8, or half a surrogate pair. */
  readonly text: string
}

/** The beginning and the end of an input that was over budget. */
export interface CutText extends TextAccount {
  /** A budget was hit: at least one character is missing between `head` and `tail`. */
  readonly truncated: true
  /** `''` without a budget for it. */
  readonly head: string
  /** `''` without a budget for it. */
  readonly tail: string
}

/** What a `TextRetainer` comes to. */
export type RetainedText = WholeText | CutText

const who = 'TextRetainer'
const nothing: TextCounts = { bytes: 0, characters: 0, lines: 0 }

/**
 * Keeps the beginning, the end, or both of a text that is pushed chunk by chunk, and counts all of it. The result does not depend
 * on where the chunks were split. Memory stays within the budgets and a constant.
 */
export class TextRetainer {
  readonly #plan: TextPlan
  readonly #cut: TextCut
  readonly #tally: Tally = new Tally()
  readonly #input: TextInput = new TextInput(who, (bytes) => this.#take(bytes))
  #head: HeadStore
  #tail: TailStore
  #result: RetainedText | undefined

  /** @throws TypeError naming the option, what it has to be, and what it is */
  constructor(options: TextRetainerOptions) {
    needMembers(options, who, 'what it takes', ['head', 'tail', 'cut'])
    const { cut = 'characters' } = options
    need(cut === 'characters' || cut === 'graphemes', who, '`cut`', "'characters' or 'graphemes'", cut)
    this.#plan = readPlan(who, textUnits, options)
    this.#cut = cut
    const { head, tail } = makeStores(this.#plan)
    this.#head = head
    this.#tail = tail
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
  finish(): RetainedText {
    if (this.#result === undefined) {
      this.#input.end()
      this.#result = this.#conclude()
      // What was held is not needed any more, however long the retainer itself is kept.
      const { head, tail } = makeStores(this.#plan)
      this.#head = head
      this.#tail = tail
    }
    return this.#result
  }

  #take(bytes: Uint8Array): void {
    this.#tally.add(bytes)
    const taken = this.#head.take(bytes)
    if (taken < bytes.length) this.#tail.take(taken === 0 ? bytes : bytes.subarray(taken))
  }

  #conclude(): RetainedText {
    const seen = this.#tally.counts()
    const first = this.#head.held.toArray()
    const last = this.#tail.held.toArray()
    if (fits(seen, this.#plan.whole))
      return { truncated: false, text: decode(joined(first, last)), seen, kept: seen, omitted: nothing }

    const isWhole = first.length + last.length === seen.bytes
    const headBytes = first.subarray(0, endOfHead(first, this.#plan.head, this.#cut))
    const bytes = isWhole ? joined(first, last) : last
    // It can not begin before the head ends: both are within budget, and all of the input is not within their sum.
    const start = startOfTail(bytes, isWhole, this.#plan.tail, this.#cut)
    const tailBytes = bytes.subarray(start)
    const kept = countKept(headBytes, tailBytes, bytes[start - 1] !== newline)
    const omitted = without(textUnits, seen, kept)
    return { truncated: true, head: decode(headBytes), tail: decode(tailBytes), seen, kept, omitted }
  }
}

function countKept(head: Uint8Array, tail: Uint8Array, tailBeginsInLine: boolean): TextCounts {
  const atHead = new Tally()
  atHead.add(head)
  const atTail = new Tally()
  atTail.add(tail)
  const { characters, lines } = atTail.counts()
  const tornLines = tail.length > 0 && tailBeginsInLine ? 1 : 0
  return {
    bytes: head.length + tail.length,
    characters: atHead.counts().characters + characters,
    lines: atHead.newlines + lines - tornLines,
  }
}

function joined(first: Uint8Array, last: Uint8Array): Uint8Array {
  if (last.length === 0) return first
  const both = new Uint8Array(first.length + last.length)
  both.set(first)
  both.set(last, first.length)
  return both
}
