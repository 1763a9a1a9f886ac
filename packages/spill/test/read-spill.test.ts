import { createToolRuntime, errorCodes, type Json, type Plugin, type ToolResult, textOf } from '@pawl/core'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { memorySpillStore, readSpill, readSpillErrorCodes, type SpillReader } from '../src/index.ts'
import { property } from './support/property.ts'
import { texts } from './support/saved.ts'

type Arguments = { readonly [member: string]: unknown }

function runtimeOf(reader: SpillReader, pageBytes = 16_384, plugins: Plugin[] = []) {
  const runtime = createToolRuntime({ tools: [readSpill(reader, { pageBytes })], plugins })
  return (args: Arguments, options: { readonly session?: string } = { session: 'a' }): Promise<ToolResult> =>
    runtime.execute({ id: 'c', name: 'read_spill', arguments: args as Json }, options)
}

/** The words of the hint or of a page that say what to call the tool with. */
function callIn(words: string): Arguments | undefined {
  const found = /\{"locator":.*\}/.exec(words)
  return found === null ? undefined : JSON.parse(found[0])
}

const last = (result: ToolResult): string => {
  const block = result.content.at(-1)
  return block?.type === 'text' ? block.text : ''
}

property(
  'Z1 SPP-4: from the hint on, each page says how to go on; pages are bounded, and joined they are the text',
  fc.record({
    text: fc.oneof(
      texts,
      fc.tuple(texts, fc.integer({ min: 1, max: 100 })).map(([text, times]) => text.repeat(times)),
    ),
    start: fc.constantFrom({}, { byte: 0 }, { line: 1, limit: 7 }),
  }),
  async ({ text, start }, witness) => {
    const store = memorySpillStore()
    const { retrievalHint } = await store.saveText({ session: 'a', text })
    const read = runtimeOf(store, 512)
    const pages: string[] = []
    for (let call: Arguments | undefined = { ...callIn(retrievalHint), ...start }; call !== undefined; ) {
      const result = await read(call)
      expect(result.isError).toBe(false)
      const shown = result.content.length === 2 ? textOf(result.content.slice(0, 1)) : ''
      expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(512)
      expect(Buffer.byteLength(last(result))).toBeLessThanOrEqual(256)
      pages.push(shown)
      call = callIn(last(result))
    }
    expect(pages.join('')).toBe(text)
    if (pages.length > 2) witness()
  },
  300,
)

test('a page of lines and one of bytes, in words', async () => {
  const store = memorySpillStore()
  const { locator } = await store.saveText({ session: 'a', text: 'one\ntwo\nthree\n' })
  const read = runtimeOf(store)
  const lines = await read({ locator, line: 2, limit: 1 })
  expect(lines).toMatchObject({
    value: { kind: 'text', text: 'two\n', first: 2, last: 2, from: 4, to: 8, bytes: 14, next: { line: 3 } },
  })
  expect(textOf(lines.content)).toBe(
    `two\n\n(Line 2, bytes 4 to 8 of 14. Go on with {"locator":"${locator}","line":3})`,
  )
  const bytes = await read({ locator, byte: 9 })
  expect(textOf(bytes.content)).toBe('hree\n\n(Bytes 9 to 14 of 14. Nothing follows.)')
})

test('searching: where it stands, and how to go on', async () => {
  const store = memorySpillStore()
  const { locator } = await store.saveText({ session: 'a', text: 'ok\nan error here\nok\nerror again\n' })
  const read = runtimeOf(store)
  const found = await read({ locator, search: 'error', limit: 1 })
  expect(textOf(found.content)).toBe(
    `line 2, byte 6: an error here\n(1 match for "error" in 32 bytes. Go on with {"locator":"${locator}","search":"error","byte":20})`,
  )
  const rest = await read(callIn(last(found))!)
  expect(rest).toMatchObject({ value: { kind: 'matches', matches: [{ line: 4, byte: 20, excerpt: 'error again' }] } })
  expect(textOf((await read({ locator, search: 'fatal' })).content)).toBe(
    '(No match for "fatal" in 32 bytes. Nothing follows.)',
  )
})

test('a page of matches is bounded too, also where there is nothing to see of them', async () => {
  const store = memorySpillStore()
  const read = runtimeOf(store, 512)
  for (const text of ['\n'.repeat(10_000), `${'x'.repeat(400)}needle\n`.repeat(1_000)]) {
    const { locator } = await store.saveText({ session: 'a', text })
    const search = text.startsWith('\n') ? '\n' : 'needle'
    const result = await read({ locator, search, limit: 1_000_000 })
    expect(Buffer.byteLength(textOf(result.content.slice(0, 1)))).toBeLessThanOrEqual(512)
    expect(callIn(last(result))).toMatchObject({ locator, search })
  }
})

test.each([
  ['', {}, '(It is empty. Nothing follows.)'],
  ['text', { line: 9 }, '(That is past the end: it has 4 bytes. Nothing follows.)'],
  ['text', { byte: 4 }, '(That is past the end: it has 4 bytes. Nothing follows.)'],
])('of %j with %j there is nothing to show', async (text, start, words) => {
  const store = memorySpillStore()
  const { locator } = await store.saveText({ session: 'a', text })
  expect(textOf((await runtimeOf(store)({ locator, ...start })).content)).toBe(words)
})

test('SPS-3 a locator works in its own session only, and what is missing is said in words, never an empty success', async () => {
  const store = memorySpillStore()
  const { locator } = await store.saveText({ session: 'a', text: 'secret' })
  const read = runtimeOf(store)
  for (const result of [
    await read({ locator }, { session: 'b' }),
    await read({ locator }, {}),
    await read({ locator: 'x' }),
  ]) {
    expect(result).toMatchObject({ isError: true, error: { code: 'SPILL_NOT_FOUND' } })
    expect(textOf(result.content)).toContain('Expired or not found')
    expect(JSON.stringify(result)).not.toContain('secret')
  }
})

test('a picture and a sound come back as what they are, anything else and what is too large not', async () => {
  const store = memorySpillStore()
  const read = runtimeOf(store)
  const data = Uint8Array.of(1, 2, 3)
  for (const [mediaType, type] of [
    ['image/png', 'image'],
    ['audio/wav', 'audio'],
  ]) {
    const { locator } = await store.saveBlob({ session: 'a', data, mediaType: mediaType! })
    const { content } = await read({ locator })
    expect(content).toEqual([{ type, data: 'AQID', mimeType: mediaType }])
  }
  for (const [mediaType, blob] of [
    ['application/pdf', data],
    ['image/png', new Uint8Array(4_194_305)],
  ] as const) {
    const { locator } = await store.saveBlob({ session: 'a', data: blob, mediaType })
    const details = { mediaType, bytes: blob.length }
    expect(await read({ locator })).toMatchObject({ error: { code: 'SPILL_NOT_SHOWN', details } })
  }
})

test('arguments that do not go together, and wrong ones, read nothing', async () => {
  const asked: unknown[] = []
  const read = runtimeOf({
    async read(request) {
      asked.push(request)
      return undefined
    },
  })
  for (const start of [
    { line: 1, byte: 1 },
    { line: 1, search: 'x' },
  ])
    expect(await read({ locator: 'x', ...start })).toMatchObject({ error: { code: 'SPILL_BAD_RANGE' } })
  for (const wrong of [{ line: 0 }, { byte: -1 }, { limit: 0 }, { search: '' }, { line: 1.5 }, { session: 'b' }])
    expect(await read({ locator: 'x', ...wrong })).toMatchObject({ error: { code: 'INVALID_ARGS' } })
  expect(asked).toEqual([])
})

test('what a failing store says stays out of the model’s sight, and is in the trace', async () => {
  const read = runtimeOf({ read: () => Promise.reject(new Error('EIO: /home/someone/spill')) })
  const result = await read({ locator: 'x' })
  expect(result).toMatchObject({
    error: { code: 'SPILL_UNREADABLE', retryable: true },
    trace: { spill: { failure: 'Error: EIO: /home/someone/spill' } },
  })
  expect(JSON.stringify([result.content, result.isError && result.error])).not.toContain('/home')
})

test('an abort reaches the store, and is the pipeline’s to tell', async () => {
  const runtime = createToolRuntime({
    tools: [
      readSpill({
        read: ({ signal }) =>
          new Promise((_, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason))
          }),
      }),
    ],
  })
  const stop = new AbortController()
  const running = runtime.execute({ id: 'c', name: 'read_spill', arguments: { locator: 'x' } }, { signal: stop.signal })
  setTimeout(() => stop.abort(new Error('enough')), 5)
  const result = await running
  expect(result.isError && result.error.code).not.toBe('SPILL_UNREADABLE')
  expect(result.isError).toBe(true)
})

test('SPP-4 the mark that its results are not to be spilled again is seen by plugins, also under another name', async () => {
  const seen: unknown[] = []
  const plugin: Plugin = {
    name: 'looker',
    postExecute(exec, _result, next) {
      seen.push([exec.name, (exec.tool.annotations as { readsSpill?: boolean }).readsSpill])
      return next()
    },
  }
  const tools = [readSpill(memorySpillStore()), { ...readSpill(memorySpillStore()), name: 'fetch_output' }]
  const runtime = createToolRuntime({ tools, plugins: [plugin] })
  for (const name of ['read_spill', 'fetch_output'])
    await runtime.execute({ id: 'c', name, arguments: { locator: 'x' } })
  expect(seen).toEqual([
    ['read_spill', true],
    ['fetch_output', true],
  ])
})

test('what is built wrongly is refused with a way out', () => {
  expect(() => readSpill({} as never)).toThrow('a store that can read back')
  expect(() => readSpill(memorySpillStore(), { pageBytes: 10 })).toThrow(
    '`pageBytes` has to be a whole number of bytes',
  )
  expect(() => readSpill(memorySpillStore(), { page: 10 } as never)).toThrow('unknown option `page`')
  expect(() => memorySpillStore({ quotaBytes: 0 })).toThrow('`quotaBytes` has to be a whole number of bytes from 1 on')
  expect(() => memorySpillStore({ quota: 1 } as never)).toThrow('unknown option `quota`')
})

test('its codes are none of the pipeline’s own, so that no result of another stage is taken for one of them', () => {
  expect(Object.keys(readSpillErrorCodes).filter((code) => code in errorCodes)).toEqual([])
})
