import * as fc from 'fast-check'
import { expect } from 'vitest'
import { type TextBudget, type TextCounts, TextRetainer } from '../src/index.ts'
import { bytes, chunksOf, inputs, options, splits, strings } from './support/arbitraries.ts'
import { property } from './support/property.ts'
import { reference } from './support/reference.ts'
import { keptText, retain } from './support/retain.ts'

const units = ['bytes', 'characters', 'lines'] as const
const any = fc.record({ input: inputs, shares: splits, options })
const mostBytes = (side: TextBudget | undefined): number =>
  side === undefined ? 0 : (side.bytes ?? Number.POSITIVE_INFINITY)
const decoded = (input: string | Uint8Array): string =>
  typeof input === 'string' ? input.toWellFormed() : new TextDecoder('utf-8', { ignoreBOM: true }).decode(input)

property(
  'RET-1 kept + omitted = seen, exactly, in each unit, for every chunking of the same input',
  any,
  ({ input, shares, options }, witness) => {
    const { seen, kept, omitted, truncated } = retain(options, ...chunksOf(input, shares))
    for (const unit of units) expect(kept[unit] + omitted[unit]).toBe(seen[unit])
    // Each of the three is counted by itself in the reference.
    expect({ seen, kept, omitted }).toEqual(
      (({ seen, kept, omitted }) => ({ seen, kept, omitted }))(reference(input, options)),
    )
    if (truncated && kept.bytes > 0) witness()
  },
)

property(
  'RET-2 the result does not depend on how the input was chunked, also inside a code point or a surrogate pair',
  any,
  ({ input, shares, options }, witness) => {
    const chunks = chunksOf(input, shares)
    const result = retain(options, ...chunks)
    expect(result).toEqual(retain(options, input))
    expect(result).toEqual(reference(input, options))
    if (chunks.length > 2 && result.truncated) witness()
  },
)

property(
  'RET-3 input within budget comes back identical, a leading byte-order mark included',
  any,
  ({ input, shares, options }, witness) => {
    const size = retain({ head: { bytes: 0 } }, input).seen
    const room = ({ bytes = 0, characters = 0, lines = 0 }: Partial<TextCounts> = {}): TextCounts => ({
      bytes: Math.max(size.bytes - bytes, 0),
      characters: Math.max(size.characters - characters, 0),
      lines: Math.max(size.lines - lines, 0),
    })
    const head = options.head && { ...room(), ...options.head }
    // What head and tail may keep together is exactly the input, or more.
    const fitting = head === undefined ? { ...options, tail: room() } : { ...options, head, tail: room(head) }
    const result = retain(fitting, ...chunksOf(input, shares))
    expect(result).toMatchObject({
      truncated: false,
      text: decoded(input),
      seen: size,
      kept: size,
      omitted: { bytes: 0, characters: 0, lines: 0 },
    })
    if (size.bytes > 0 && fitting.tail.bytes < size.bytes) witness()
  },
)

property(
  'RET-4 head is a prefix and tail a suffix of the input; neither exceeds its budget; no replacement character that the input did not call for',
  any,
  ({ input, shares, options }, witness) => {
    const result = retain(options, ...chunksOf(input, shares))
    const text = decoded(input)
    expect(keptText(result).isWellFormed()).toBe(true)
    if (!result.truncated) return
    const { head, tail } = result
    expect(text.startsWith(head)).toBe(true)
    expect(text.endsWith(tail)).toBe(true)
    expect(head.length + tail.length).toBeLessThan(text.length)
    for (const [part, budget] of [
      [head, options.head],
      [tail, options.tail],
    ] as const) {
      if (budget === undefined) expect(part).toBe('')
      else {
        expect([...part].length).toBeLessThanOrEqual(budget.characters ?? Number.POSITIVE_INFINITY)
        expect(part.split('\n').length - (/(^|\n)$/.test(part) ? 1 : 0)).toBeLessThanOrEqual(
          budget.lines ?? Number.POSITIVE_INFINITY,
        )
        // U+FFFD may stand for one byte, so the bytes of a text tell only where there is none.
        if (!part.includes('\ufffd'))
          expect(Buffer.byteLength(part)).toBeLessThanOrEqual(budget.bytes ?? Number.POSITIVE_INFINITY)
      }
    }
    expect(result.kept.bytes).toBeLessThanOrEqual(mostBytes(options.head) + mostBytes(options.tail))
    if (head !== '' || tail !== '') witness()
  },
)

property(
  'RET-5 budget 0 keeps nothing and counts everything',
  fc.record({
    input: inputs,
    shares: splits,
    unit: fc.constantFrom(...units),
    side: fc.constantFrom('head', 'tail', 'both'),
  }),
  ({ input, shares, unit, side }, witness) => {
    const zero = { [unit]: 0 }
    const result = retain(side === 'both' ? { head: zero, tail: zero } : { [side]: zero }, ...chunksOf(input, shares))
    const { seen } = reference(input, { head: { bytes: 0 } })
    expect(keptText(result)).toBe('')
    expect(result).toMatchObject({
      truncated: input.length > 0,
      seen,
      kept: { bytes: 0, characters: 0, lines: 0 },
      omitted: seen,
    })
    if (input.length > 1) witness()
  },
)

property(
  'RET-6 changing a chunk after its push changes nothing',
  fc.record({ input: bytes, shares: splits, options }),
  ({ input, shares, options }, witness) => {
    const retainer = new TextRetainer(options)
    for (const chunk of chunksOf(input, shares)) {
      retainer.push(chunk)
      chunk.fill(0x21)
    }
    const result = retainer.finish()
    expect(result).toEqual(reference(input, options))
    if (result.kept.bytes > 0) witness()
  },
)

property(
  'a string and its UTF-8 bytes come to the same',
  fc.record({ input: strings, options }),
  ({ input, options }, witness) => {
    const result = retain(options, input)
    expect(result).toEqual(retain(options, new TextEncoder().encode(input)))
    if (result.truncated) witness()
  },
)
