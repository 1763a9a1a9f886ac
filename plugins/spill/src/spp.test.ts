import type { Content } from '@pawl/core'
import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { blobOfBlock, bounds, contents, sizesOf, textContents, textOfBlock } from '../test/support/content.ts'
import { property } from '../test/support/property.ts'
import { anonymous, bothWays, countingStore, follow, readableWorld, toolOf, worldOf } from '../test/support/world.ts'
import { spill } from './index.ts'

const notice = /\(([\d,]+) of ([\d,]+) bytes left out\. All of it was saved\. .*?\}\)/

/** What of the saved text is shown before and after the notice; a line break before it may be the notice's own. */
function shownOf(
  text: string,
  saved: string,
): { readonly omitted: number; readonly said: number; readonly all: number } {
  const [words = '', omitted = '', all = ''] = notice.exec(text) ?? []
  const at = text.indexOf(words)
  const before = text.slice(0, at)
  const after = text.slice(at + words.length).replace(/^\n/, '')
  const said = plain(omitted)
  const heads = [before, before.replace(/\n$/, '')].filter((head) => saved.startsWith(head))
  expect(saved.endsWith(after), 'the end is an end').toBe(true)
  const omissions = heads.map((head) => Buffer.byteLength(saved) - Buffer.byteLength(head) - Buffer.byteLength(after))
  return { omitted: omissions.find((count) => count === said) ?? Number.NaN, said, all: plain(all) }
}

function plain(count: string): number {
  return Number(count.replaceAll(',', ''))
}

describe('SPP-1: within the budget content is untouched; beyond it the replacement fits to the byte and names what is left out', () => {
  property('of blocks of every kind', fc.tuple(contents, bounds), async ([content, bound], witness) => {
    const store = countingStore()
    const [spilled, plain] = await bothWays(content, { store, ...bound })
    const sizes = sizesOf(content)
    if (sizes.text <= bound.maxInlineBytes && sizes.blobs <= bound.maxBlobBytes) {
      expect(spilled).toEqual(plain)
      expect(store.saves()).toBe(0)
      return
    }
    witness()
    const left = sizesOf(spilled.content)
    expect(left.text).toBeLessThanOrEqual(bound.maxInlineBytes)
    expect(left.blobs).toBeLessThanOrEqual(bound.maxBlobBytes)
    expect({ ...spilled, content: [], trace: {} }).toEqual({ ...plain, content: [], trace: {} })
  })

  property(
    'the number is exact, and no room is wasted',
    fc.tuple(textContents, bounds),
    async ([content, bound], witness) => {
      const [spilled] = await bothWays(content, { store: countingStore(), ...bound })
      if (sizesOf(content).text <= bound.maxInlineBytes) return
      witness()
      const saved = content.map(textOfBlock).join('\n')
      expect(spilled.content).toHaveLength(1)
      const text = textOfBlock(spilled.content[0] as Content) as string
      const { omitted, said, all } = shownOf(text, saved)
      expect({ omitted, all }).toEqual({ omitted: said, all: Buffer.byteLength(saved) })
      expect(spilled.trace.spill).toMatchObject({ bytes: all, omittedBytes: said })
      // Characters that are not torn, line breaks that were not needed, digits that the number did not have.
      expect(Buffer.byteLength(text)).toBeGreaterThan(bound.maxInlineBytes - 14)
    },
  )

  property(
    'blocks that are no text and not too large stay, in their order',
    fc.tuple(contents, bounds),
    async ([content, bound], witness) => {
      const [spilled] = await bothWays(content, { store: countingStore(), ...bound, maxBlobBytes: 1_000_000 })
      if (sizesOf(content).text <= bound.maxInlineBytes) return
      const others = content.filter((block) => textOfBlock(block) === undefined)
      if (others.length > 0) witness()
      const left = spilled.content.filter((block) => textOfBlock(block) === undefined)
      const added = left.filter((block) => block.type === 'resource_link' && block.name === block.uri)
      expect(left.filter((block) => !added.includes(block))).toEqual(others)
      const resources = content.filter((block) => block.type === 'resource' && textOfBlock(block) !== undefined)
      expect(added).toHaveLength(resources.length)
    },
  )

  property(
    'the largest blobs go, and no more than have to',
    fc.tuple(contents, bounds),
    async ([content, bound], witness) => {
      const [spilled] = await bothWays(content, { store: countingStore(), ...bound, maxInlineBytes: 1_000_000 })
      const sizes = content.flatMap((block) => blobOfBlock(block)?.length ?? [])
      const left = spilled.content.flatMap((block) => blobOfBlock(block)?.length ?? [])
      const gone = [...sizes]
      for (const size of left) gone.splice(gone.indexOf(size), 1)
      if (gone.length === 0) return
      witness()
      expect(Math.min(...gone)).toBeGreaterThanOrEqual(Math.max(0, ...left))
      const inline = left.reduce((sum, size) => sum + size, 0)
      expect(inline + Math.min(...gone)).toBeGreaterThan(bound.maxBlobBytes)
    },
  )
})

describe('SPP-2: the whole is in the store before the preview replaces it', () => {
  property(
    'following the hint, at the moment that the result is there',
    fc.tuple(contents, bounds),
    async ([content, bound], witness) => {
      const store = countingStore()
      const world = readableWorld(content, store, bound)
      const { content: left, trace } = await world.run('a')
      const { locator, blobs = [] } = (trace.spill ?? {}) as { locator?: string; blobs?: { locator: string }[] }
      if (locator !== undefined) {
        witness()
        const shown = left.map(textOfBlock).find((text) => text !== undefined && notice.test(text))
        const read = await follow(world, notice.exec(shown as string)?.[0] as string, 'a')
        const texts = content.map(textOfBlock).filter((text) => text !== undefined)
        if (blobs.length === 0) expect(read).toBe(texts.join('\n'))
        for (const text of texts) expect(read).toContain(text)
        for (const blob of blobs) expect(read).toContain(JSON.stringify(blob.locator))
      }
      const bytesOf = async ({ locator }: { readonly locator: string }): Promise<string> =>
        Buffer.from((await store.read({ session: 'a', locator, offset: 0, limit: 1_000 }))?.data ?? []).toString('hex')
      const saved = await Promise.all(blobs.map(bytesOf))
      const all = content.flatMap((block) => blobOfBlock(block)?.toString('hex') ?? [])
      const kept = left.flatMap((block) => blobOfBlock(block)?.toString('hex') ?? [])
      expect([...kept, ...saved].sort()).toEqual(all.sort())
      await world.close()
    },
  )
})

describe('SPP-4: what was spilled is read without being spilled again, and the value stays whole', () => {
  property(
    'whatever the bounds, the pages and the name of the tool that reads',
    fc.tuple(textContents, bounds),
    async ([content, bound], witness) => {
      const store = countingStore()
      const world = readableWorld(content, store, { ...bound, maxInlineBytes: 256 })
      const { trace } = await world.run('a')
      if (trace.spill === undefined) return
      witness()
      const { locator } = trace.spill as { locator: string }
      const reads = world.runtime.tools.get('read_spill')
      world.runtime.tools.register({ ...(reads as object), name: 'fetch_output' } as never)
      const page = await world.runtime.execute(
        { id: 'r', name: 'fetch_output', arguments: { locator } },
        { session: 'a' },
      )
      expect(page).toMatchObject({ isError: false, trace: { faults: [] } })
      expect(page.trace.spill).toBeUndefined()
      expect(store.saves()).toBe(1)
      await world.close()
    },
  )

  property(
    'a value is what it is without the plugin',
    fc.tuple(fc.jsonValue(), bounds),
    async ([value, bound], witness) => {
      const tool = toolOf([], {
        output: { schema: {} },
        execute: () => ({ value, filler: 'x'.repeat(2_000) }),
      } as never)
      const [spilled, whole] = [
        worldOf(tool, [spill({ store: countingStore(), ...bound, maxInlineBytes: 256 })]),
        worldOf(tool, []),
      ]
      const results = [await spilled.run(), await whole.run()].map(anonymous)
      witness()
      expect(results[0]?.trace.spill).toBeDefined()
      expect({ ...results[0], content: [], trace: {} }).toEqual({ ...results[1], content: [], trace: {} })
    },
  )
})
