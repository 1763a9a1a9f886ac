import type { Content } from '@pawl/core'
import { memorySpillStore, type SpillStore } from '@pawl/spill'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { bounds, contents, sizesOf } from '../test/support/content.ts'
import { property } from '../test/support/property.ts'
import { anonymous, bothWays, storeThat, toolOf, worldOf } from '../test/support/world.ts'
import { type SpillOptions, spill } from './index.ts'

const wordless: unknown = Object.create(null)
const half = { locator: 'half', bytes: 1, retrievalHint: 'Read it.' }

/** Everything that a store has been seen to do instead of saving. */
const broken: { readonly [how: string]: SpillStore | undefined } = {
  'is missing': undefined,
  throws: storeThat(() => {
    throw new Error('ENOSPC: no space left on device')
  }),
  'rejects after half of it': storeThat(async () => {
    await null
    throw new Error('EIO')
  }),
  'rejects with nothing': storeThat(() => Promise.reject(undefined)),
  'rejects with what has no words': storeThat(() => Promise.reject(wordless)),
  'never settles': storeThat(() => new Promise(() => {})),
  'settles too late': storeThat(() => new Promise((resolve) => setTimeout(resolve, 5, half))),
  'fails too late': storeThat(() => new Promise((_, reject) => setTimeout(reject, 5, new Error('late')))),
  'gives nothing': storeThat(() => undefined),
  'gives no hint': storeThat(async () => ({ locator: 'a', bytes: 5 })),
  'says that it holds less': storeThat(async () => half),
  'can not be looked at': storeThat(async () => Proxy.revocable({}, {}).proxy),
  'has a hint that throws': storeThat(async () => ({
    ...half,
    get retrievalHint() {
      throw new Error('no')
    },
  })),
}

describe('SPP-3: a missing or failing store leaves the result as it was', () => {
  property(
    'whatever it does',
    fc.tuple(contents, bounds, fc.constantFrom(...Object.keys(broken)), fc.boolean()),
    async ([content, bound, how, fails], witness) => {
      const execute = fails ? { execute: () => Promise.reject(new Error('x'.repeat(2_000))) } : {}
      const [spilled, plain] = await bothWays(
        content,
        { store: broken[how], saveTimeoutMs: 1, ...bound },
        execute as never,
      )
      expect(spilled).toEqual({
        ...plain,
        trace: { ...plain.trace, ...(spilled.trace.spill && { spill: spilled.trace.spill }) },
      })
      if (spilled.trace.spill === undefined) return
      witness()
      expect(spilled.trace.spill).toEqual({ failure: expect.stringMatching(/\S/) })
    },
  )

  const long: Content[] = [{ type: 'text', text: 'x'.repeat(100_000) }]
  const failureOf = async (store: SpillStore | undefined): Promise<unknown> => {
    const [{ trace }] = await bothWays(long, { store, saveTimeoutMs: 1 })
    return (trace.spill as { failure: unknown }).failure
  }

  test('the trace says what the store said', async () => {
    expect(await failureOf(broken.throws)).toBe('ENOSPC: no space left on device')
    expect(await failureOf(broken['never settles'])).toBe('the store did not settle within 1 ms')
    expect(await failureOf(broken['says that it holds less'])).toBe(
      'the store was given 100000 bytes and says that it holds 1',
    )
    expect(await failureOf(undefined)).toBe('there is no store')
    expect(await failureOf(memorySpillStore({ quotaBytes: 50_000 }))).toContain('quota of 50000 bytes')
    expect(await failureOf(storeThat(() => Promise.reject(new Error('x'.repeat(10_000)))))).toBe('x'.repeat(500))
  })

  test('a hint that does not fit into the budget is no use, however well the text was saved', async () => {
    const store = storeThat(async () => ({ locator: 'a', bytes: 100_000, retrievalHint: 'Read it. '.repeat(100) }))
    const [spilled, plain] = await bothWays(long, { store, maxInlineBytes: 256 })
    expect(spilled.content).toEqual(plain.content)
    expect(await bothWays(long, { store, maxInlineBytes: 2_000 })).toMatchObject([
      { trace: { spill: { locator: 'a' } } },
      {},
    ])
  })

  const data = Buffer.alloc(3_000, 'png').toString('base64')
  const image: Content = { type: 'image', data, mimeType: 'image/png' }

  test('what can be saved goes, and what can not stays', async () => {
    const store: SpillStore = memorySpillStore()
    const [{ content, trace }] = await bothWays([image, ...long], {
      store: { saveText: store.saveText },
      maxBlobBytes: 0,
    })
    expect(content).toMatchObject([image, { text: expect.stringContaining('All of it was saved.') }])
    expect(trace.spill).toMatchObject({ locator: expect.any(String), failure: 'the store takes text only' })
  })

  test('what is no base64 would not come back as it was, and stays', async () => {
    const content: Content[] = [
      { ...image, data: `data:image/png;base64,${data}` },
      { ...image, data: `${data}\n` },
    ]
    const [spilled] = await bothWays(content, { store: memorySpillStore(), maxBlobBytes: 0 })
    expect(spilled.content).toMatchObject([content[0], { type: 'text' }])
    expect(spilled.trace.spill).toMatchObject({ failure: 'image (image/png) is no base64', blobs: [{ bytes: 3_000 }] })
  })

  test("the tool's own last word finds what it would have found without the plugin", async () => {
    const finalizeContent = (): never => {
      throw new Error('no')
    }
    const [spilled, plain] = await bothWays(long, { store: undefined }, { finalizeContent } as never)
    expect(spilled.content).toEqual(plain.content)
    expect(spilled.content).toEqual([{ type: 'text', text: 'the value' }])
  })

  test('without a store the logger is told once', async () => {
    expect(worldOf(toolOf(long), [spill({ store: undefined })]).warnings).toEqual([
      '[pawl] spill: there is no `store`, so no result can be saved.',
    ])
  })
})

describe("with `ifUnsaved: 'cut'` the bounds hold all the same, and the notice says what became of the rest", () => {
  property(
    'whatever the store does',
    fc.tuple(contents, bounds, fc.constantFrom(...Object.keys(broken))),
    async ([content, bound, how], witness) => {
      const options: SpillOptions = { store: broken[how], saveTimeoutMs: 1, ifUnsaved: 'cut', ...bound }
      const [spilled, plain] = await bothWays(content, options)
      expect(spilled.isError).toBe(false)
      if (spilled.trace.spill === undefined) return expect(spilled).toEqual(plain)
      witness()
      const { text, blobs } = sizesOf(spilled.content)
      expect(text).toBeLessThanOrEqual(bound.maxInlineBytes)
      expect(blobs).toBeLessThanOrEqual(bound.maxBlobBytes)
      expect(JSON.stringify(spilled.content)).toMatch(/left out\. (They|It) could not be kept\.\)/)
      expect(JSON.stringify(spilled.content)).not.toMatch(/was saved|Read it/)
    },
  )
})

describe('ONI-7, ONI-8: disposed of during a call it holds no timer, and what is not saved by then stays whole', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  const long: Content[] = [{ type: 'text', text: 'x'.repeat(100_000) }]
  const hangs = (): { readonly store: SpillStore; readonly signals: AbortSignal[] } => {
    const signals: AbortSignal[] = []
    const store = storeThat((signal) => {
      signals.push(signal)
      return new Promise(() => {})
    })
    return { store, signals }
  }

  test('the store is told to stop', async () => {
    const { store, signals } = hangs()
    const world = worldOf(toolOf(long), [])
    const dispose = world.runtime.use(spill({ store }))
    const result = world.run()
    await vi.advanceTimersByTimeAsync(10)
    expect(signals).toMatchObject([{ aborted: false }])
    await dispose()
    expect(await result).toMatchObject({ isError: false, content: long })
    expect(signals).toMatchObject([{ aborted: true }])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('what has been saved is not told to stop', async () => {
    const signals: AbortSignal[] = []
    const store = storeThat(async (signal) => {
      signals.push(signal)
      return { locator: 'a', bytes: 100_000, retrievalHint: 'Read it.' }
    })
    const world = worldOf(toolOf(long), [spill({ store })])
    expect(await world.run()).toMatchObject({ trace: { spill: { locator: 'a' } } })
    await world.close()
    expect(signals).toMatchObject([{ aborted: false }])
  })

  test('a call that was admitted with it is left alone afterwards', async () => {
    const { store, signals } = hangs()
    let end = (_value: string): void => {}
    const late = new Promise<string>((resolve) => {
      end = resolve
    })
    const world = worldOf(toolOf(long, { execute: () => late } as never), [])
    const dispose = world.runtime.use(spill({ store }))
    const result = world.run()
    await vi.advanceTimersByTimeAsync(10)
    await dispose()
    end('done')
    expect(await result).toMatchObject({ isError: false, content: long })
    expect(signals).toEqual([])
  })

  test('one instance in two runtimes lasts as long as one of them', async () => {
    const plugin = spill({ store: memorySpillStore() })
    const [one, other] = [worldOf(toolOf(long), [plugin]), worldOf(toolOf(long), [plugin])]
    await one.close()
    expect(await other.run()).toMatchObject({ trace: { spill: { bytes: 100_000 } } })
    await other.close()
    const again = worldOf(toolOf(long), [plugin])
    expect(await again.run()).toMatchObject({ trace: { spill: { bytes: 100_000 } } })
  })

  test.each([5, 30_000, 2 ** 31 - 1])(
    'after %i ms it gives up on the store, before the pipeline gives up on it',
    async (saveTimeoutMs) => {
      const { store } = hangs()
      const world = worldOf(toolOf(long), [spill({ store, saveTimeoutMs })])
      const result = world.run()
      await vi.advanceTimersByTimeAsync(saveTimeoutMs)
      expect(await result).toMatchObject({ isError: false, content: long, trace: { faults: [] } })
      expect(vi.getTimerCount()).toBe(0)
    },
  )

  test('an abort of the caller does not lose what is being saved', async () => {
    const caller = new AbortController()
    const memory = memorySpillStore()
    const store: SpillStore = {
      async saveText(request) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        return memory.saveText(request)
      },
    }
    const world = worldOf(toolOf(long), [spill({ store })])
    const result = world.runtime.execute({ name: 'work' }, { signal: caller.signal })
    await vi.advanceTimersByTimeAsync(10)
    caller.abort()
    await vi.advanceTimersByTimeAsync(50)
    expect(await result).toMatchObject({ isError: false, trace: { spill: { bytes: 100_000 } } })
  })
})

test('ONI-7: a hundred calls at once are spilled each by itself', async () => {
  const store = memorySpillStore()
  const execute = ({ at }: { at: number }): string => `${at} `.repeat(10_000)
  const tool = toolOf([], { output: { schema: {} }, execute, isConcurrencySafe: () => true } as never)
  const world = worldOf(tool, [spill({ store })])
  const calls = Array.from({ length: 100 }, (_, at) => ({ id: `c${at}`, name: 'work', arguments: { at } }))
  const results = await world.runtime.dispatch(calls, { session: 'a' })
  for (const [at, { trace }] of results.entries()) {
    const { locator } = trace.spill as { locator: string }
    const range = await store.read({ session: 'a', locator, offset: 0, limit: 1_000_000 })
    expect(Buffer.from(range?.data ?? []).toString()).toBe(`${at} `.repeat(10_000))
  }
})

test('ONI-6: within the bounds results are the same, whatever the plugin could do', async () => {
  const content: Content[] = [{ type: 'text', text: 'x'.repeat(16_384) }]
  const [spilled, plain] = await bothWays(content, { store: storeThat(() => expect.unreachable()) })
  expect(anonymous(spilled)).toEqual(anonymous(plain))
})
