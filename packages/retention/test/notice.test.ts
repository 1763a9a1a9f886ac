import { describe, expect, test } from 'vitest'
import { describeOmitted, type OmissionWords, omissionNotice, textWithNotice } from '../src/index.ts'
import { retain } from './support/retain.ts'

const text = Array.from({ length: 9 }, (_, at) => `row ${at + 1}\n`).join('')
const cut = retain({ head: { lines: 2 }, tail: { lines: 1 } }, text)

describe('what was left out, in words', () => {
  test.each([
    ['lines', '6 lines left out.'],
    ['bytes', '36 bytes left out.'],
    ['characters', '36 characters left out.'],
  ] as const)('in %s', (unit, words) => {
    expect(describeOmitted(cut.omitted, unit)).toBe(words)
  })

  test('one is one, many have separators, a size has no unit of ours, nothing is nothing', () => {
    expect(describeOmitted({ items: 1 }, 'items')).toBe('1 item left out.')
    expect(describeOmitted({ bytes: 1_234_567 }, 'bytes')).toBe('1,234,567 bytes left out.')
    expect(describeOmitted({ size: 12 }, 'size')).toBe('Left out: a size of 12.')
    expect(describeOmitted({ lines: 0 }, 'lines')).toBe('')
  })

  test('in your own words', () => {
    const deutsch: OmissionWords<'lines'> = (count) => `${count} ${count === 1 ? 'Zeile' : 'Zeilen'} ausgelassen.`
    expect(describeOmitted(cut.omitted, 'lines', deutsch)).toBe('6 Zeilen ausgelassen.')
    expect(omissionNotice(cut.omitted, 'lines', { words: deutsch, hint: 'Mehr: less log.txt' })).toBe(
      '6 Zeilen ausgelassen. Mehr: less log.txt',
    )
  })
})

test('a notice is what was left out and what to do about it; without the one, neither', () => {
  const hint = 'Read on with offset 3.'
  expect(omissionNotice(cut.omitted, 'lines', { hint })).toBe('6 lines left out. Read on with offset 3.')
  expect(omissionNotice(cut.omitted, 'lines')).toBe('6 lines left out.')
  expect(omissionNotice({ lines: 0 }, 'lines', { hint })).toBe('')
})

describe('the notice stands on a line of its own where something is missing', () => {
  test.each([
    [{ head: { lines: 2 }, tail: { lines: 1 } }, 'row 1\nrow 2\n[…]\nrow 9\n'],
    [{ head: { bytes: 7 }, tail: { bytes: 3 } }, 'row 1\nr\n[…]\n 9\n'],
    [{ head: { lines: 1 } }, 'row 1\n[…]'],
    [{ tail: { lines: 1 } }, '[…]\nrow 9\n'],
    [{ head: { lines: 0 } }, '[…]'],
    [{ head: { lines: 9 } }, text],
  ])('%j', (options, shown) => {
    expect(textWithNotice(retain(options, text), '[…]')).toBe(shown)
  })
})
