import * as fc from 'fast-check'
import type { TextBudget, TextRetainerOptions } from '../../src/index.ts'

const family = '👨‍👩‍👧'
const pieces = [
  'a',
  'b',
  ' ',
  '\n',
  '\n',
  '\r\n',
  '\r',
  '\0',
  '\ufeff',
  'é',
  '漢',
  '😀',
  '\ufffd',
  '\u2028',
  'e\u0301',
  family,
  '🇩🇪',
  '🇩',
  '👍🏽',
  'क्षि',
  '한',
  '\u0301',
  '\u200d',
  'a line of words\n',
  'x'.repeat(70),
]
const halves = ['\ud83d', '\ude00', '\udfff\ud800']

/** UTF-8 and what only looks like it, at every kind of break that the decoder knows. */
const odd = [
  [0x80],
  [0xbf],
  [0xc0, 0x80],
  [0xc1],
  [0xc3],
  [0xe2],
  [0xe2, 0x82],
  [0xe0, 0x80, 0x80],
  [0xe0, 0xa0],
  [0xed, 0xa0, 0x80],
  [0xed, 0x9f],
  [0xf0, 0x9f],
  [0xf0, 0x9f, 0x98],
  [0xf0, 0x80, 0x80, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf5],
  [0xff],
  [0xfe, 0xff],
]

const joined = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))
const few = { maxLength: 14 }

/** Strings with everything that is hard to cut, halves of pairs included. */
export const strings: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...pieces, ...halves), few)
  .map((parts) => parts.join(''))

/** Bytes that are UTF-8, or nearly, or not at all. */
export const bytes: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.array(fc.constantFrom(...pieces), few).map((parts) => new TextEncoder().encode(parts.join(''))),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...pieces.map((piece) => new TextEncoder().encode(piece))),
        fc.constantFrom(...odd.map((one) => Uint8Array.from(one))),
      ),
      few,
    )
    .map(joined),
  fc.uint8Array({ maxLength: 24 }),
)

export const inputs: fc.Arbitrary<string | Uint8Array> = fc.oneof(strings, bytes)

/** Where to split: the shares of the length, so that it shrinks with the input. */
export const splits: fc.Arbitrary<readonly number[]> = fc.oneof(
  fc.constant([]),
  fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
  fc.constant(Array.from({ length: 64 }, (_, at) => at / 64)),
)

/** The chunks of an input, split anywhere: inside a character, inside a pair. */
export function chunksOf<T extends string | Uint8Array>(input: T, shares: readonly number[]): T[] {
  const places = shares.map((share) => Math.round(share * input.length)).sort((a, b) => a - b)
  return [...places, input.length].map((place, at) => input.slice(places[at - 1] ?? 0, place) as T)
}

const units = ['bytes', 'characters', 'lines'] as const
const amount = fc.oneof(fc.nat(4), fc.nat(30), fc.nat(150))

/** Any retainer: each strategy, each set of units, both cuts. */
export const options: fc.Arbitrary<TextRetainerOptions> = fc
  .tuple(
    fc.constantFrom('head', 'tail', 'headTail'),
    fc.subarray([...units], { minLength: 1 }),
    fc.record({ bytes: amount, characters: amount, lines: fc.nat(5) }),
    fc.record({ bytes: amount, characters: amount, lines: fc.nat(5) }),
    fc.constantFrom('characters', 'graphemes', undefined),
  )
  .map(([strategy, named, head, tail, cut]) => {
    const pick = (all: Required<TextBudget>): TextBudget => Object.fromEntries(named.map((unit) => [unit, all[unit]]))
    return {
      ...(strategy === 'tail' ? {} : { head: pick(head) }),
      ...(strategy === 'head' ? {} : { tail: pick(tail) }),
      ...(cut === undefined ? {} : { cut }),
    }
  })
