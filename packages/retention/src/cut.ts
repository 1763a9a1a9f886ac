import { graphemeAfter, graphemeBefore } from './graphemes.ts'
import type { TextAmounts } from './stores.ts'
import { characterEnd, characterStart, newline, nextCharacterStart } from './utf8.ts'

/** Between what a cut may stand: any two characters, or what a reader sees as one (UAX #29, extended grapheme clusters). */
export type TextCut = 'characters' | 'graphemes'

/** Where the longest beginning ends that is within the budget. What follows the cut has to be there too. */
export function endOfHead(bytes: Uint8Array, { bytes: most, characters, lines }: TextAmounts, cut: TextCut): number {
  let end = characterStart(bytes, Math.min(most, bytes.length))
  if (lines < Number.POSITIVE_INFINITY) end = Math.min(end, endOfLines(bytes, lines))
  if (characters < Number.POSITIVE_INFINITY) end = Math.min(end, skip(bytes, 0, characters, end))
  return cut === 'graphemes' ? graphemeBefore(bytes, end) : end
}

/**
 * Where the longest end of the input begins that is within the budget. `bytes` are the last of the input, and so many more than
 * the budget that it can be told what is a character there; or all of it, if `isWhole`.
 */
export function startOfTail(bytes: Uint8Array, isWhole: boolean, budget: TextAmounts, cut: TextCut): number {
  const { length } = bytes
  let start = Math.max(0, length - budget.bytes)
  if (budget.lines < Number.POSITIVE_INFINITY) start = Math.max(start, startOfLines(bytes, budget.lines))
  start = nextCharacterStart(bytes, start)
  if (budget.characters < Number.POSITIVE_INFINITY) {
    const surplus = charactersBetween(bytes, start, length) - budget.characters
    if (surplus > 0) start = skip(bytes, start, surplus, length)
  }
  return cut === 'graphemes' ? graphemeAfter(bytes, start, isWhole) : start
}

/** Where so many lines end; the end of the bytes if there are fewer. */
function endOfLines(bytes: Uint8Array, lines: number): number {
  let end = 0
  for (let missing = lines; missing > 0; missing--) {
    const found = bytes.indexOf(newline, end)
    if (found < 0) return bytes.length
    end = found + 1
  }
  return end
}

function startOfLines(bytes: Uint8Array, lines: number): number {
  if (lines === 0) return bytes.length
  // The line end that closes the last line begins no further one.
  let start = bytes.at(-1) === newline ? bytes.length - 1 : bytes.length
  for (let missing = lines; missing > 0; missing--) {
    start = start === 0 ? -1 : bytes.lastIndexOf(newline, start - 1)
    if (start < 0) return 0
  }
  return start + 1
}

function skip(bytes: Uint8Array, from: number, characters: number, stop: number): number {
  let at = from
  for (let missing = characters; missing > 0 && at < stop; missing--) at = characterEnd(bytes, at)
  return at
}

function charactersBetween(bytes: Uint8Array, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at = characterEnd(bytes, at)) count++
  return count
}
