import { describe, expect, test } from 'vitest'
import { LineWindow } from '../../src/index.ts'
import { keptText, retain } from '../support/retain.ts'

describe('U1: whole characters, never more than the limit, and what is left out to the byte', () => {
  const text = 'aé漢😀z'

  test.each([
    [0, '', 11],
    [1, 'a', 10],
    [2, 'a', 10],
    [3, 'aé', 8],
    [5, 'aé', 8],
    [6, 'aé漢', 5],
    [9, 'aé漢', 5],
    [10, 'aé漢😀', 1],
    [11, 'aé漢😀z', 0],
  ])('head %i', (bytes, kept, omitted) => {
    const result = retain({ head: { bytes } }, text)
    expect(keptText(result)).toBe(kept)
    expect(result).toMatchObject({ truncated: omitted > 0, omitted: { bytes: omitted } })
  })

  test.each([
    [0, '', 11],
    [1, 'z', 10],
    [4, 'z', 10],
    [5, '😀z', 6],
    [7, '😀z', 6],
    [8, '漢😀z', 3],
    [9, '漢😀z', 3],
    [10, 'é漢😀z', 1],
    [11, 'aé漢😀z', 0],
  ])('tail %i', (bytes, kept, omitted) => {
    const result = retain({ tail: { bytes } }, text)
    expect(keptText(result)).toBe(kept)
    expect(result).toMatchObject({ truncated: omitted > 0, omitted: { bytes: omitted } })
  })

  test('head 4 and tail 4', () => {
    const result = retain({ head: { bytes: 4 }, tail: { bytes: 4 } }, text)
    expect(result).toMatchObject({ truncated: true, head: 'aé', tail: 'z', omitted: { bytes: 7 } })
  })
})

describe('U2: lines', () => {
  test.each([
    ['a\nb\nc\n', 3],
    ['a\nb\nc', 3],
    ['', 0],
    ['\n', 1],
    ['\n\n', 2],
    ['a\r\nb\r\n', 2],
    ['a\rb', 1],
  ])('%j has %i', (text, lines) => {
    expect(retain({ head: { bytes: 100 } }, text).seen.lines).toBe(lines)
    expect(retain({ head: { bytes: 100 } }, ...text.split('')).seen.lines).toBe(lines)
  })

  const big = Array.from({ length: 2_500 }, (_, at) => `row ${at + 1}\n`).join('')

  test('the last 1,000 of 2,500', () => {
    const result = retain({ tail: { lines: 1_000 } }, big)
    expect(result).toMatchObject({ seen: { lines: 2_500 }, kept: { lines: 1_000 }, omitted: { lines: 1_500 } })
    expect(keptText(result)).toMatch(/^row 1501\n.*row 2500\n$/s)
  })

  test('read from line 1,501 on, and past the end', () => {
    const read = (offset: number) => {
      const window = new LineWindow({ offset, limit: 1_000 })
      window.push(big)
      return window.finish()
    }
    expect(read(1_501)).toMatchObject({
      first: 1_501,
      last: 2_500,
      next: undefined,
      seen: { lines: 2_500 },
      omitted: { lines: 1_500 },
    })
    expect(read(2_501)).toMatchObject({ text: '', isPastEnd: true, seen: { lines: 2_500 } })
  })
})
