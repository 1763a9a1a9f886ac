import type { Content } from '@pawl/core'
import { expect, test } from 'vitest'
import { countingStore, follow, readableWorld } from '../support/world.ts'

const textOfFirst = ([block]: readonly Content[]): string => (block?.type === 'text' ? block.text : '')

test.each(['head', 'tail', 'headTail'] as const)('U1: %s keeps whole characters at every budget', async (preview) => {
  const text = 'aé漢😀z'.repeat(100)
  for (let maxInlineBytes = 256; maxInlineBytes < 272; maxInlineBytes++) {
    const world = readableWorld([{ type: 'text', text }], countingStore(), { maxInlineBytes, preview })
    const { content, trace } = await world.run()
    const shown = textOfFirst(content)
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(maxInlineBytes)
    const [head = '', tail = ''] = shown.split(/\n?\(.*\)\n?/s)
    expect([text.startsWith(head), text.endsWith(tail)]).toEqual([true, true])
    const kept = Buffer.byteLength(head) + Buffer.byteLength(tail)
    expect(trace.spill).toMatchObject({ omittedBytes: 1_100 - kept })
    expect(shown).toContain(`(${(1_100 - kept).toLocaleString('en-US')} of 1,100 bytes`)
  }
})

test('U2: of 2,500 rows the last are shown, and all can be read, also from row 1,501 on and not past the end', async () => {
  const text = Array.from({ length: 2_500 }, (_, at) => `row ${at + 1}\n`).join('')
  const world = readableWorld([{ type: 'text', text }], countingStore(), { maxInlineBytes: 10_000, preview: 'tail' })
  const { content, trace } = await world.run('a')
  expect(textOfFirst(content)).toMatch(/^\(.*\)\n.*row 2499\nrow 2500\n$/s)
  expect(await follow(world, textOfFirst(content), 'a')).toBe(text)
  const { locator } = trace.spill as { locator: string }
  const read = (line: number) =>
    world.runtime.execute({ name: 'read_spill', arguments: { locator, line } }, { session: 'a' })
  expect(textOfFirst((await read(1_501)).content)).toMatch(/^row 1501\n.*row 2500\n$/s)
  expect(textOfFirst((await read(2_501)).content)).toContain('past the end')
})
