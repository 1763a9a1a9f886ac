import { describe, expect, test } from 'vitest'
import { TextRetainer, type TextRetainerOptions } from '../src/index.ts'
import { keptText, retain } from './support/retain.ts'

describe('budgets, by example', () => {
  test('what is within head and tail together is kept whole, also a character that stands across their border', () => {
    expect(retain({ head: { bytes: 4 }, tail: { bytes: 4 } }, 'abcéxyz')).toMatchObject({
      truncated: false,
      text: 'abcéxyz',
    })
  })

  test('several units hold at once', () => {
    const tail = { lines: 2, bytes: 9 }
    expect(keptText(retain({ tail }, 'one\ntwo\nthree\n'))).toBe('wo\nthree\n')
    expect(keptText(retain({ tail }, '1\n2\n3\n'))).toBe('2\n3\n')
  })

  test('a line counts as kept if all of it is there', () => {
    const result = retain({ head: { bytes: 6 }, tail: { bytes: 6 } }, 'one\ntwo\nthree\nfour\n')
    expect(result).toMatchObject({ head: 'one\ntw', tail: '\nfour\n', kept: { lines: 2 }, omitted: { lines: 2 } })
  })

  test('bytes are those of the input: what is no UTF-8 may be longer as text', () => {
    const result = retain({ head: { bytes: 2 } }, Uint8Array.of(0xff, 0xff, 0xff))
    expect(result).toMatchObject({ head: '\ufffd\ufffd', kept: { bytes: 2 }, omitted: { bytes: 1, characters: 1 } })
  })
})

describe('cuts between graphemes', () => {
  const family = '👨‍👩‍👧'

  test('nothing that a reader sees as one is torn', () => {
    const text = `ab${family}cd`
    expect(retain({ head: { characters: 4 } }, text)).toMatchObject({ head: 'ab👨‍' })
    expect(retain({ head: { characters: 4 }, cut: 'graphemes' }, text)).toMatchObject({
      head: 'ab',
      omitted: { characters: 7 },
    })
    expect(retain({ tail: { characters: 4 }, cut: 'graphemes' }, text)).toMatchObject({ tail: 'cd' })
    expect(retain({ head: { bytes: 2 }, cut: 'graphemes' }, 'a\r\nb')).toMatchObject({ head: 'a' })
    expect(retain({ tail: { bytes: 2 }, cut: 'graphemes' }, 'a\r\nb')).toMatchObject({ tail: 'b' })
  })

  test.each([3, 15, 16, 17, 100, 1_000])('of %i flags in a row none is torn at the tail', (count) => {
    for (const characters of [2, 3, 40, 41]) {
      const { truncated, ...result } = retain({ tail: { characters }, cut: 'graphemes' }, '🇩🇪'.repeat(count))
      if (truncated) expect('tail' in result && result.tail).toMatch(/^(🇩🇪)*$/u)
    }
  })
})

describe('what is refused', () => {
  test('strings and bytes together', () => {
    const retainer = new TextRetainer({ head: { bytes: 1 } })
    retainer.push('')
    expect(() => retainer.push(new Uint8Array(0))).toThrow(TypeError)
    expect(() => retainer.push(new Uint8Array(0))).toThrow('[pawl] TextRetainer: strings and bytes can not be mixed')
    retainer.push('still a string')
    expect(retainer.finish().seen.bytes).toBe(14)
  })

  test.each([[1], [null], [undefined], [[1]], [new Uint16Array(1)], [new DataView(new ArrayBuffer(1))]])(
    '%j as a chunk',
    (chunk) => {
      const retainer = new TextRetainer({ head: { bytes: 1 } })
      expect(() => retainer.push(chunk as never)).toThrow('a chunk has to be a string or a Uint8Array')
    },
  )

  test('a push after finish(), which gives the same object again', () => {
    const retainer = new TextRetainer({ head: { bytes: 1 } })
    const result = retainer.finish()
    expect(() => retainer.push('late')).toThrow('finish() was called, so nothing can be pushed any more.')
    expect(retainer.finish()).toBe(result)
  })

  test.each([
    [{}, 'what it takes has to be told what to keep: `head`, `tail` or both'],
    [{ head: {} }, '`head` has to be a budget in at least one of bytes, characters, lines'],
    [{ head: { bytes: -1 } }, '`head.bytes` has to be a whole number from 0 on. It is -1.'],
    [{ head: { bytes: 1.5 } }, '`head.bytes` has to be a whole number from 0 on. It is 1.5.'],
    [{ tail: { lines: '9' } }, '`tail.lines` has to be a whole number from 0 on. It is "9".'],
    [{ tail: { byte: 9 } }, '`tail` has no `byte`. Known are: bytes, characters, lines.'],
    [
      { head: { bytes: 1 }, tail: { lines: 1 } },
      '`tail` has to be a budget in the same units as `head` (bytes). It is "lines".',
    ],
    [{ head: { bytes: 1 }, cut: 'words' }, "`cut` has to be 'characters' or 'graphemes'. It is \"words\"."],
    [{ heads: { bytes: 1 } }, 'what it takes has no `heads`. Known are: head, tail, cut.'],
    [null, 'what it takes has to be an object'],
  ])('%j as options', (options, message) => {
    expect(() => new TextRetainer(options as TextRetainerOptions)).toThrow(`[pawl] TextRetainer: ${message}`)
    expect(() => new TextRetainer(options as TextRetainerOptions)).toThrow(TypeError)
  })
})
