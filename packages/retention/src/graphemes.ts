import { decode } from './decode.ts'
import { characterEnd, characterStart, nextCharacterStart } from './utf8.ts'

/** How far before a place is looked, bytes, to know whether a grapheme begins there. Far more than any emoji is long. */
export const lookbehind = 128

let segmenter: Intl.Segmenter | undefined

/** The nearest place between graphemes, not after `end`, which is between characters. */
export function graphemeBefore(bytes: Uint8Array, end: number): number {
  if (end === 0 || end === bytes.length) return end
  const text = decode(bytes.subarray(0, characterEnd(bytes, end)))
  const index = decode(bytes.subarray(0, end)).length
  let at = end
  for (const _ of text.slice(clusterAt(text, index).index, index)) at = characterStart(bytes, at - 1)
  return at
}

/** The nearest place between graphemes, not before `start`, which is between characters. */
export function graphemeAfter(bytes: Uint8Array, start: number, isWhole: boolean): number {
  const origin = nextCharacterStart(bytes, Math.max(0, start - lookbehind))
  const before = decode(bytes.subarray(origin, start))
  const text = before + decode(bytes.subarray(start))
  let end = boundaryAfter(text, before.length)
  if (origin > 0 || !isWhole) {
    // Flags are pairs. In a row of them that began before what is known, nobody can say where one ends: the row goes.
    const flags = /^\p{Regional_Indicator}*/u.exec(text)?.[0].length ?? 0
    if (flags > end) end = boundaryAfter(text, flags)
  }
  let at = start
  for (const _ of text.slice(before.length, end)) at = characterEnd(bytes, at)
  return at
}

function boundaryAfter(text: string, index: number): number {
  if (index === text.length) return index
  const cluster = clusterAt(text, index)
  return cluster.index === index ? index : cluster.index + cluster.segment.length
}

function clusterAt(text: string, index: number): Intl.SegmentData {
  // Extended grapheme clusters (UAX #29) are the same in all languages.
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  return segmenter.segment(text).containing(index) as Intl.SegmentData
}
