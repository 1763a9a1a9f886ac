import { mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Content } from '@pawl/core'
import { type MemorySpillStore, memorySpillStore, readSpill, type SpillStore } from '@pawl/spill'
import { spillFs } from '@pawl/spill-fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { spill } from '../../src/index.ts'
import { countingStore, follow, readableWorld, toolOf, worldOf } from '../support/world.ts'

const textOfFirst = ([block]: readonly Content[]): string => (block?.type === 'text' ? block.text : '')

describe('Z1: 100,000 bytes with room for 10,000', () => {
  const output = Array.from({ length: 10_000 }, (_, at) => `${String(at).padStart(9, '0')}\n`).join('')
  const content: Content[] = [{ type: 'text', text: output }]

  test('are saved once; read back whole three times, they are the same and are not saved again', async () => {
    const store = countingStore()
    const world = readableWorld(content, store, { maxInlineBytes: 10_000 })
    const { content: left } = await world.run('a')
    for (let time = 0; time < 3; time++) expect(await follow(world, textOfFirst(left), 'a')).toBe(output)
    expect(store.saves()).toBe(1)
  })

  test('are read in pages with the size of the whole and where to go on', async () => {
    const store = countingStore()
    const world = readableWorld(content, store, { maxInlineBytes: 10_000 })
    const { trace } = await world.run('a')
    const { locator } = trace.spill as { locator: string }
    const page = await world.runtime.execute({ name: 'read_spill', arguments: { locator } }, { session: 'a' })
    expect(page).toMatchObject({ isError: false, value: { bytes: 100_000, next: { line: 1_639 } } })
    expect(Buffer.byteLength(textOfFirst(page.content))).toBeLessThanOrEqual(16_384)
  })

  test('a small output is not saved at all', async () => {
    const store = countingStore()
    const small: Content[] = [{ type: 'text', text: output.slice(0, 10_000) }]
    const { content: left } = await readableWorld(small, store, { maxInlineBytes: 10_000 }).run('a')
    expect([left, store.saves()]).toEqual([small, 0])
  })
})

describe('Z3: 200 kB of a call that succeeded, and a store that', () => {
  const content: Content[] = [{ type: 'text', text: 'y'.repeat(200_000) }]
  const memory = memorySpillStore()
  const full = async (): Promise<never> => Promise.reject(new Error('ENOSPC: no space left on device, write'))
  const stores: { readonly [what: string]: () => SpillStore['saveText'] } = {
    'throws as its disk is full': () => () => {
      throw new Error('ENOSPC: no space left on device, write')
    },
    'fails when half is written': () => async (request) => {
      await memory.saveText({ ...request, text: 'y'.repeat(100_000) })
      return full()
    },
    'never settles': () => () => new Promise(() => {}),
  }

  test.each(Object.keys(stores))(
    '%s: the call stays a success without a reference, whole or, on request, cut',
    async (what) => {
      vi.useFakeTimers()
      const saveText = (stores[what] as () => SpillStore['saveText'])()
      for (const ifUnsaved of ['whole', 'cut'] as const) {
        const running = worldOf(toolOf(content), [spill({ store: { saveText }, ifUnsaved })]).run()
        await vi.advanceTimersByTimeAsync(10_000)
        const { isError, content: left, trace } = await running
        expect(isError).toBe(false)
        expect(trace).toMatchObject({ spill: { failure: expect.any(String) }, faults: [] })
        expect(JSON.stringify(left)).not.toContain('spill_')
        if (ifUnsaved === 'whole') expect(left).toEqual(content)
        else expect(textOfFirst(left)).toMatch(/\(18\d,\d\d\d of 200,000 bytes left out\. They could not be kept\.\)/)
      }
      vi.useRealTimers()
    },
  )

  test('has lost it later: reading says so and is no empty success', async () => {
    const store: MemorySpillStore = { ...memory, read: async () => undefined }
    const world = worldOf([toolOf(content), readSpill(store)], [spill({ store })])
    const { trace } = await world.run('a')
    const { locator } = trace.spill as { locator: string }
    expect(await world.runtime.execute({ name: 'read_spill', arguments: { locator } }, { session: 'a' })).toMatchObject(
      {
        isError: true,
        error: { code: 'SPILL_NOT_FOUND', message: expect.stringContaining('Expired or not found') },
      },
    )
  })
})

describe('Z2: files whose folder is a link to another one', () => {
  const content: Content[] = [{ type: 'text', text: 'y'.repeat(100_000) }]
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pawl-plugin-spill-test-'))
    await mkdir(join(folder, 'elsewhere'))
    await symlink(join(folder, 'elsewhere'), join(folder, 'planted'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test.each(['whole', 'cut'] as const)('are refused, and the result is %s without a reference', async (ifUnsaved) => {
    const store = spillFs({ root: join(folder, 'planted') })
    const { isError, content: left, trace } = await worldOf(toolOf(content), [spill({ store, ifUnsaved })]).run()
    expect(isError).toBe(false)
    expect(trace.spill).toEqual({ failure: expect.stringMatching(/link/) })
    if (ifUnsaved === 'whole') expect(left).toEqual(content)
    else expect(Buffer.byteLength(textOfFirst(left))).toBeLessThanOrEqual(16_384)
    expect(await readdir(join(folder, 'elsewhere'))).toEqual([])
    await store.close()
  })

  test('a folder of ones own is private, and what is in it is read back', async () => {
    const root = join(folder, 'own')
    const store = spillFs({ root })
    const world = worldOf([toolOf(content), readSpill(store)], [spill({ store })])
    const { content: left } = await world.run('a')
    expect(await follow(world, textOfFirst(left), 'a')).toBe('y'.repeat(100_000))
    expect(textOfFirst(left)).not.toContain(folder)
    expect((await stat(root)).mode & 0o777).toBe(0o700)
    await store.close()
  })
})
