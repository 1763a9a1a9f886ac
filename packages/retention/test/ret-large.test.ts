import * as fc from 'fast-check'
import { expect } from 'vitest'
import { chunksOf, splits } from './support/arbitraries.ts'
import { property } from './support/property.ts'
import { retain } from './support/retain.ts'

// Beyond 64 bytes another counter is at work, which looks at 64 bytes at a time and takes 64 KiB at most.
const words = ['plain ascii words, ', 'größer\n', '漢字', '😀', '\n', 'a'.repeat(64), 'é'.repeat(40), '\ufeff', '\0']
const breaks: readonly (readonly number[])[] = [
  [],
  [],
  [],
  [0xff],
  [0xe2, 0x82],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0x80, 0x80],
]

const long = fc
  .record({
    parts: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 }),
    broken: fc.constantFrom(...breaks),
    size: fc.oneof(fc.integer({ min: 60, max: 600 }), fc.integer({ min: 65_500, max: 66_000 })),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ parts, broken, size, at }) => {
    const unit = new TextEncoder().encode(parts.join(''))
    const bytes = new Uint8Array(size)
    for (let from = 0; from < size; from++) bytes[from] = unit[from % unit.length] as number
    bytes.set(broken, Math.floor(at * (size - broken.length)))
    return bytes
  })

property(
  'RET-1 RET-2 large chunks are counted as exactly as small ones',
  fc.record({ input: long, shares: splits }),
  ({ input, shares }, witness) => {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(input)
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
    const result = retain({ head: { bytes: 40 }, tail: { bytes: 40 } }, ...chunksOf(input, shares))
    expect(result.seen).toEqual({ bytes: input.length, characters: [...text].length, lines })
    if (!result.truncated) return
    expect(text.startsWith(result.head) && text.endsWith(result.tail)).toBe(true)
    witness()
  },
)
