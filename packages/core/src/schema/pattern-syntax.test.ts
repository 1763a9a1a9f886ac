import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compile, inspectSchema } from './index.ts'
import { isLinear, linearRegExp } from './linear-regexp.ts'
import { flagOf } from './pattern-syntax.ts'

const accepts = (pattern: string, text: string): boolean => compile({ pattern }).check(text) === undefined

const patterns = [
  ...['^\\s+$', '^\\S+$', '^.$', '^.*$', '^[\\s]$', '^[^\\s]$', '^[\\S]$', '^[^\\S]$', '^[\\s\\S]$', '\\bab\\b', '\\B'],
  ...['^\\d+$', '^\\D+$', '^\\w+$', '^\\W+$', '^[\\D]$', '^[^\\W]$', '^\\p{L}+$', '^[\\p{Lu}\\P{Script=Latin}]$'],
  ...['^[A-Za-z.-\\s]+$', '^[\\w-.]+$', '[\\d-\\w]', '^[a-]$', '^[-a]$', '^[+--]$', '^[a-z-9]+$', '[.-\\d-x]'],
  ...[
    '^\\v$',
    '^\\f$',
    '^\\cJ$',
    '^\\0$',
    '^[\\b]$',
    '^\\x41$',
    '^\\u0041$',
    '^\\u{41}$',
    '^\\ud83d\\ude00$',
    '^[😀-😎]$',
  ],
  ...[
    '^[]$',
    '^[^]$',
    '[a&&b]',
    '[[:alpha:]]',
    '[]a]',
    '\\]',
    '{',
    'a{,3}',
    'a{',
    '}',
    '()',
    '(|a)',
    '(?<n>a)b',
    'x*?a',
  ],
  ...['\\A', '\\z', '\\Z', '\\a', '\\e', '\\h', '\\Qa.\\E', '\\C', '\\-', '\\_', '\\/', '$a', '^a{2,3}$', '(?:ab)+'],
]
/** Every character that any of these could be told apart by, and some that it could not. */
const character = fc.constantFrom(
  ...'aAbBxzZ_0159-+.,{}[]()&:/\\<>Qe \t\n\v\f\r\b\0\u0007\u00a0\u1680\u2000\u2028\u2029\u202f\u205f\u3000\ufeff\u180e\u200b',
  ...['é', 'ß', 'K', 'ſ', '١', 'Ж', '😀', '😎'],
)
const texts = fc.array(fc.oneof({ weight: 4, arbitrary: character }, fc.string({ unit: 'binary', maxLength: 1 })), {
  maxLength: 4,
})

describe('VAL-8: a pattern means what ECMA-262 says', () => {
  test.each(patterns)('%s', (pattern) => {
    const meant = new RegExp(pattern, flagOf(pattern))
    expect(inspectSchema({ pattern })).toEqual([])
    fc.assert(
      fc.property(texts, (characters) => {
        const text = characters.join('').toWellFormed()
        // V8 finds one inside a character beyond U+FFFF too.
        if (pattern === '\\B' && /[\u{10000}-\u{10ffff}]/u.test(text)) return
        expect(accepts(pattern, text)).toBe(meant.test(text))
      }),
      { numRuns: 200 },
    )
  })

  test('whatever it is made of', { timeout: 60_000 }, () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'b',
        'A',
        '.',
        '-',
        ',',
        '[',
        ']',
        '[^',
        '(',
        '(?:',
        '(?<n>',
        ')',
        '|',
        '*',
        '+',
        '?',
        '{',
        '}',
        '{2}',
        '{1,}',
      ],
      ...[
        '\\s',
        '\\S',
        '\\d',
        '\\w',
        '\\W',
        '\\b',
        '\\-',
        '\\.',
        '\\x',
        '\\x41',
        '\\u',
        '\\c',
        '\\cA',
        '\\0',
        '\\1',
        '\\p{L}',
      ],
      ...['(?=', '(?!', '{1001}', '^', '$', '\\', '\\ ', ':', '&&', '[:', ':]', 'é', '\\k'],
    )
    let enforced = 0
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.array(texts, { maxLength: 5 }), (pieces, several) => {
        const pattern = pieces.join('')
        const flag = flagOf(pattern)
        if (flag === undefined) return
        const linear = linearRegExp(pattern)
        expect(isLinear(pattern)).toBe(linear !== undefined)
        if (linear === undefined) return
        enforced++
        const meant = new RegExp(pattern, flag)
        // Without `u` a text is of halves of characters, which no schema means.
        const inHalves = (text: string): boolean => flag === '' && /[\u{10000}-\u{10ffff}]/u.test(text)
        for (const text of several.map((characters) => characters.join('').toWellFormed()))
          if (!inHalves(text)) expect(linear.test(text), JSON.stringify(text)).toBe(meant.test(text))
      }),
      { numRuns: 20_000 },
    )
    expect(enforced).toBeGreaterThan(1_000)
  })

  test('where characters beyond U+FFFF are told by halves, whole ones are meant', () => {
    expect([accepts('^[😀-\\d]$', '😀'), accepts('^[\\w-😀]$', '\ud83d'), accepts('^[.-\\s]$', '😀')]).toEqual([
      true,
      false,
      false,
    ])
  })

  test.each(['(?=a)', '(?<!a)b', '(a)\\1', 'a{1001}', '(?:a{100}){20}', '\\012', '\\p{ASCII}', '\\pL'])(
    '%s has no linear form, and that is reported',
    (pattern) => {
      expect(inspectSchema({ pattern }).map(({ message }) => message)).toEqual([
        expect.stringContaining('is not enforced'),
      ])
      expect(accepts(pattern, '')).toBe(true)
    },
  )
})
