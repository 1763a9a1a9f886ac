import { PassThrough, Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { describe, expect, test } from 'vitest'
import { ItemRetainer, retainStream, type StreamSource, TextRetainer } from '../src/index.ts'

const retainer = (): TextRetainer => new TextRetainer({ head: { bytes: 100 } })
const encoded = ['one ', 'two\n'].map((text) => new TextEncoder().encode(text))

const sources: [string, () => StreamSource<string | Uint8Array>][] = [
  ['a Web Stream', () => ReadableStream.from(encoded)],
  ['a Web Stream that can not be iterated', () => ({ getReader: () => ReadableStream.from(encoded).getReader() })],
  ['a Node stream', () => Readable.from(encoded)],
  ['a Node stream of strings', () => Readable.from(encoded).setEncoding('utf8')],
  [
    'an async generator',
    async function* () {
      yield* encoded
    },
  ],
]

test.each(sources)('%s is read to its end', async (_, source) => {
  const { retained, end } = await retainStream(source(), retainer())
  expect(retained).toMatchObject({ truncated: false, text: 'one two\n', seen: { bytes: 8 } })
  expect(end).toEqual({ kind: 'ended' })
})

test('items are streamed the same way', async () => {
  const rows = new ItemRetainer<{ id: number }>({ head: { items: 1 } })
  const { retained } = await retainStream(Readable.from([{ id: 1 }, { id: 2 }]), rows)
  expect(retained).toMatchObject({ truncated: true, head: [{ id: 1 }], omitted: { items: 1 } })
})

describe('a source that fails', () => {
  const failure = new Error('the disk is gone')

  test('is no rejection: what came before is there, and that it is not all is said apart from `truncated`', async () => {
    async function* broken() {
      yield 'one '
      throw failure
    }
    for (const source of [broken(), ReadableStream.from(broken()), Readable.from(broken())]) {
      const { retained, end } = await retainStream<string, unknown>(source, retainer())
      expect(retained).toMatchObject({ truncated: false, text: 'one ' })
      expect(end).toEqual({ kind: 'failed', error: failure })
    }
  })

  test('a Node stream that is destroyed has failed too', async () => {
    const source = new PassThrough()
    source.write('one ')
    setTimeout(() => source.destroy(), 5)
    const { end } = await retainStream(source, retainer())
    expect(end).toMatchObject({ kind: 'failed', error: { code: 'ERR_STREAM_PREMATURE_CLOSE' } })
  })
})

describe('an abort', () => {
  const reason = new Error('enough')

  test('ends the reading while a chunk is awaited, closes the source and leaves no listener', async () => {
    const node = new PassThrough()
    node.write('one ')
    let cancelled: unknown
    const web = new ReadableStream<string>({
      start: (controller) => controller.enqueue('one '),
      cancel: (why) => {
        cancelled = why
      },
    })
    for (const source of [node, web] as StreamSource<string>[]) {
      const controller = new AbortController()
      let listeners = 0
      const { signal } = controller
      const add = signal.addEventListener.bind(signal)
      const remove = signal.removeEventListener.bind(signal)
      signal.addEventListener = (...args: Parameters<typeof add>) => {
        listeners++
        add(...args)
      }
      signal.removeEventListener = (...args: Parameters<typeof remove>) => {
        listeners--
        remove(...args)
      }
      setTimeout(() => controller.abort(reason), 5)
      const { retained, end } = await retainStream(source, retainer(), { signal })
      expect(retained).toMatchObject({ truncated: false, text: 'one ' })
      expect(end).toEqual({ kind: 'aborted', reason })
      expect(listeners).toBe(0)
    }
    await new Promise((done) => setTimeout(done))
    expect(node.destroyed).toBe(true)
    expect(cancelled).toBe(reason)
    expect(web.locked).toBe(false)
  })

  test('before the first chunk reads nothing', async () => {
    let pulled = 0
    const source = new ReadableStream<string>({ pull: () => void pulled++ }, { highWaterMark: 0 })
    const { retained, end } = await retainStream(source, retainer(), { signal: AbortSignal.abort(reason) })
    expect(retained.seen.bytes).toBe(0)
    expect(end).toEqual({ kind: 'aborted', reason })
    expect(pulled).toBe(0)
  })

  test('that makes the source fail is an abort', async () => {
    const controller = new AbortController()
    async function* source() {
      yield 'one '
      controller.abort(reason)
      throw new DOMException('The operation was aborted', 'AbortError')
    }
    const { end } = await retainStream(source(), retainer(), { signal: controller.signal })
    expect(end).toEqual({ kind: 'aborted', reason })
  })
})

test('no chunk is read before the last one was taken', async () => {
  let ahead = 0
  async function* source() {
    for (let at = 0; at < 100; at++) {
      ahead++
      yield 'x'
    }
  }
  const slow = { push: () => expect(--ahead).toBe(0), finish: () => 'done' }
  expect(await retainStream(source(), slow)).toEqual({ retained: 'done', end: { kind: 'ended' } })
})

test('a chunk that is refused is a rejection, and the source is closed', async () => {
  let isClosed = false
  async function* source() {
    try {
      yield 'text'
      yield 1 as unknown as string
    } finally {
      isClosed = true
    }
  }
  await expect(retainStream(source(), retainer())).rejects.toThrow(
    'a chunk has to be a string or a Uint8Array. It is 1.',
  )
  await new Promise((done) => setTimeout(done))
  expect(isClosed).toBe(true)
})

test('what can not be read is a TypeError', async () => {
  await expect(retainStream(['a'] as never, retainer())).rejects.toThrow(
    new TypeError(
      '[pawl] retainStream: the source has to be a ReadableStream, a Node stream or an async iterable. It is an array.',
    ),
  )
})
