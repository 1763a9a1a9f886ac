import type { Session } from '@pawl/core'
import * as fc from 'fast-check'

const piece: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '\0',
    '\ufeff',
    '\r\n',
    '\n',
    '\ud83d',
    '\ude00',
    '\u{1f600}',
    'e\u0301',
    '漢',
    '\u001b[31m',
    '\ufffd',
  ),
  fc.string({ unit: 'binary' }),
)

/** Any text, half surrogate pairs included; now and then a long one. */
export const texts: fc.Arbitrary<string> = fc.oneof(
  { weight: 30, arbitrary: fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.array(piece, { minLength: 1, maxLength: 9 }), fc.integer({ min: 1, max: 20_000 }))
      .map(([pieces, times]) => pieces.join('').repeat(times)),
  },
)

/** A text and the pieces that it comes in, split anywhere. */
export const piecemeal: fc.Arbitrary<string[]> = fc
  .tuple(texts, fc.array(fc.double({ min: 0, max: 1, noNaN: true })))
  .map(([text, shares]) => {
    const cuts = shares.map((share) => Math.floor(share * text.length)).sort((a, b) => a - b)
    return [...cuts, text.length].map((cut, at) => text.slice(cuts[at - 1] ?? 0, cut))
  })

/** Names that were written to leave where they belong, on one platform or another. */
export const hostileNames: readonly string[] = [
  '../../escape',
  '..\\..\\escape',
  '/etc/passwd',
  'C:\\Windows\\win.ini',
  '\\\\server\\share',
  '.',
  '..',
  '',
  ' ',
  'CON',
  'nul.txt',
  'aux:stream',
  'a\0b',
  '~/x',
  '$HOME',
  '%TEMP%',
  '\u202etxt.exe',
  'e\u0301',
  '\ud800',
  'x'.repeat(5_000),
  '漢'.repeat(300),
  'ends with a dot.',
  'line\nbreak',
]

export const names: fc.Arbitrary<string | undefined> = fc.oneof(
  fc.constantFrom(...hostileNames, undefined),
  fc.string({ unit: 'binary' }),
)

/** Sessions that are different ones, though they look alike. */
export const sessions: readonly (Session | undefined)[] = [
  undefined,
  '',
  'a',
  'A',
  'a ',
  '../a',
  'undefined',
  '["a"]',
  '["a","p"]',
  'e\u0301',
  '\u00e9',
  '\ud800',
  '\ud801',
  { id: 'a', principal: 'p' },
  { id: 'a', principal: '' },
  { id: 'p', principal: 'a' },
  { id: 'a,p' },
]

/** What no store gave as a locator. */
export const hostileLocators: readonly string[] = [
  '',
  '.',
  '..',
  '../../../etc/passwd',
  '/etc/passwd',
  'spill_',
  '__proto__',
  'constructor',
  'toString',
  'a\0b',
  '*',
  '\ud800',
  'x'.repeat(10_000),
]
