import { type AnyTool, type Content, createToolRuntime, type Plugin, textOf } from '@pawl/core'
import { memorySpillStore, readSpill, type SaveTextRequest, type SpillStore } from '@pawl/spill'
import { describe, expect, test } from 'vitest'
import { bothWays, countingStore, toolOf, worldOf } from '../test/support/world.ts'
import { spill } from './index.ts'

const rows = Array.from({ length: 5_000 }, (_, at) => `row ${at + 1}\n`).join('')
const long: Content[] = [{ type: 'text', text: rows }]

describe('what is shown', () => {
  const shownOf = async (preview: 'head' | 'tail' | 'headTail' | undefined): Promise<string> => {
    const [{ content }] = await bothWays(long, {
      store: memorySpillStore(),
      maxInlineBytes: 400,
      ...(preview && { preview }),
    })
    return textOf(content).replace(/spill_[0-9a-f]+/, '…')
  }
  const said = (left: string): string =>
    `(${left} of 43,893 bytes left out. All of it was saved. Read it with read_spill: {"locator":"…"})`

  test('the head, for a search', async () => {
    expect(await shownOf('head')).toMatch(/^row 1\nrow 2\n/)
    expect((await shownOf('head')).split('\n').at(-1)).toBe(said('43,628'))
  })

  test('the tail, for a shell', async () => {
    expect((await shownOf('tail')).split('\n')[0]).toBe(said('43,628'))
    expect(await shownOf('tail')).toMatch(/\nrow 4999\nrow 5000\n$/)
  })

  test('both, if nothing else is said', async () => {
    expect(await shownOf(undefined)).toMatch(/^row 1\n[^(]*\(.*\)\n[^(]*row 5000\n$/)
    expect(await shownOf(undefined)).toBe(await shownOf('headTail'))
  })

  test('a blob leaves a notice with its type and size, a resource also its address', async () => {
    const blob = Buffer.alloc(2_000).toString('base64')
    const content: Content[] = [
      { type: 'image', data: blob, mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'file:///a.pdf', mimeType: 'application/pdf', blob } },
      { type: 'resource', resource: { uri: `file:///${'a'.repeat(200)}`, blob } },
      { type: 'resource', resource: { uri: 'file:///log', mimeType: 'text/plain', text: rows } },
    ]
    const [spilled] = await bothWays(content, { store: memorySpillStore(), maxBlobBytes: 2_000, maxInlineBytes: 1_000 })
    const [text, ...others] = spilled.content
    expect(textOf([text as Content])).toMatch(
      /^\(image \(image\/png\) of 2,000 bytes left out\. It was saved\. Read it with read_spill: \{.*?\}\)\n\(file:\/\/\/a\.pdf \(application\/pdf\) of /,
    )
    expect(others).toEqual([
      content[2],
      { type: 'resource_link', uri: 'file:///log', name: 'file:///log', mimeType: 'text/plain' },
    ])
  })
})

describe('which results', () => {
  test('failures, too: the message is bounded for the model and stays whole in the error', async () => {
    const execute = (): never => {
      throw new Error(rows)
    }
    const [spilled, plain] = await bothWays([], { store: memorySpillStore() }, { execute } as Partial<AnyTool>)
    expect(Buffer.byteLength(textOf(spilled.content))).toBeLessThanOrEqual(16_384)
    expect(textOf(spilled.content)).toMatch(/^TOOL_ERROR: row 1\n/)
    expect({ ...spilled, content: [], trace: {} }).toEqual({ ...plain, content: [], trace: {} })
  })

  test('what a call inside of another one gives is left whole for it', async () => {
    const store = countingStore()
    const program = toolOf([{ type: 'text', text: 'short' }], {
      name: 'program',
      execute: async (_args: unknown, exec: { invoke(name: string): Promise<string> }) =>
        (await exec.invoke('work')).length,
    } as never)
    const inner = { output: { schema: { type: 'string' } }, execute: () => rows } as never
    const world = worldOf([program, toolOf([], inner)], [spill({ store })])
    expect(await world.runtime.execute({ name: 'program' })).toMatchObject({ value: rows.length })
    expect(store.saves()).toBe(0)
    expect(await world.run()).toMatchObject({ trace: { spill: { bytes: rows.length } } })
    expect(store.saves()).toBe(1)
  })

  test('bounds of a tool go before those of all, and `false` leaves it alone', async () => {
    const store = countingStore()
    const sizeFor = async (tools: NonNullable<Parameters<typeof spill>[0]['tools']>): Promise<number> => {
      const [{ content }] = await bothWays(long, { store, maxInlineBytes: 1_000, preview: 'tail', tools })
      return Buffer.byteLength(textOf(content))
    }
    expect(await sizeFor({ other: { maxInlineBytes: 300 } })).toBeGreaterThan(980)
    expect(await sizeFor({ work: { maxInlineBytes: 300 } })).toBeLessThanOrEqual(300)
    expect(await sizeFor({ work: { preview: 'head' } })).toBeGreaterThan(980)
    expect(await sizeFor({ work: { maxInlineBytes: 100_000 } })).toBe(rows.length)
    expect(store.saves()).toBe(3)
    expect(await sizeFor({ work: false })).toBe(rows.length)
  })

  test('what a policy inside has put in place of the content is what counts', async () => {
    const shortens: Plugin = {
      name: 'shortens',
      postExecute: () => ({ kind: 'accept', content: [{ type: 'text', text: 'short' }] }),
    }
    const store = countingStore()
    const world = worldOf(toolOf(long), [spill({ store }), shortens])
    expect(await world.run()).toMatchObject({ content: [{ text: 'short' }], trace: { faults: [] } })
    expect(store.saves()).toBe(0)
  })
})

test('the store is told whose it is and of which tool, and gets the text as the model would have', async () => {
  const requests: SaveTextRequest[] = []
  const store: SpillStore = {
    async saveText(request) {
      requests.push(request)
      return { locator: 'a', bytes: Buffer.byteLength(rows), retrievalHint: 'Ask for it.' }
    },
  }
  const session = { id: 'a', principal: 'b' }
  await worldOf(toolOf(long), [spill({ store })]).runtime.execute({ name: 'work' }, { session })
  expect(requests).toEqual([{ session, name: 'work', text: rows, signal: expect.any(AbortSignal) }])
})

test('what redacts has to stand inside, or the store would hold the secrets', () => {
  const redact: Plugin = { name: 'hide-keys', role: 'redact' }
  const plugin = spill({ store: memorySpillStore() })
  createToolRuntime({ plugins: [plugin, redact] })
  expect(() => createToolRuntime({ plugins: [redact, plugin] })).toThrow(
    'plugin "spill" says that it must stand outside "hide-keys" (role redact), but here it stands inside it. What spill saves would hold the secrets that redact takes out.',
  )
})

test('bounds for a tool that nobody has registered are told of, and so is that nothing reads back what is saved', () => {
  const store = memorySpillStore()
  const unknown = '[pawl] spill: `tools` has bounds for "wrok", and no tool of that name is registered so far.'
  const tools = { work: {}, wrok: {} }
  expect(worldOf([toolOf(long), readSpill(store)], [spill({ store, tools })]).warnings).toEqual([unknown])
  expect(worldOf(toolOf(long), [spill({ store, tools })]).warnings).toEqual([
    '[pawl] spill: no tool that reads back what is saved is registered so far, and the model will be told to use it: add readSpill(store).',
    unknown,
  ])
})
