import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readText } from '../src/index.ts'
import { property } from './support/property.ts'
import { saved, texts } from './support/saved.ts'

property(
  'SPS-1 ranges of whole characters that each begin where the last one ended, joined, are the text',
  fc.tuple(texts, fc.integer({ min: 1, max: 12 })),
  async ([text, limit], witness) => {
    const { reader, place, bytes } = await saved(text)
    const pages: string[] = []
    for (let offset = 0; offset < bytes.length; ) {
      const page = await readText(reader, { ...place, offset, limit })
      expect(page).toMatchObject({ from: offset, bytes: bytes.length })
      expect(page!.to).toBeGreaterThan(offset)
      expect(Buffer.byteLength(page!.text)).toBe(page!.to - page!.from)
      expect(Buffer.byteLength(page!.text)).toBeLessThanOrEqual(Math.max(limit, 4))
      pages.push(page!.text)
      offset = page!.to
    }
    expect(pages.join('')).toBe(text)
    if (pages.length > 2 && bytes.length > text.length) witness()
  },
)

property(
  'SPS-1 an offset inside a character begins with that character; past the end there is nothing',
  fc.tuple(texts, fc.nat(100)),
  async ([text, offset], witness) => {
    const { reader, place, bytes } = await saved(text)
    const page = await readText(reader, { ...place, offset, limit: 1_000 })
    expect(page!.from).toBeLessThanOrEqual(Math.min(offset, bytes.length))
    expect(page!.text).toBe(
      new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes.subarray(page!.from)),
    )
    if (offset < bytes.length) expect(page!.from).toBeGreaterThan(offset - 4)
    else expect(page).toEqual({ text: '', from: bytes.length, to: bytes.length, bytes: bytes.length })
    if (page!.from < offset) witness()
  },
)

test('another session, or no such artefact: undefined', async () => {
  const { reader, place } = await saved('text')
  expect(await readText(reader, { ...place, session: 'b', offset: 0, limit: 9 })).toBeUndefined()
  expect(await readText(reader, { ...place, locator: 'spill_', offset: 0, limit: 9 })).toBeUndefined()
})
