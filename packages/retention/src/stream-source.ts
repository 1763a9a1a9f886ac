import { need } from './check.ts'

/** What a Web Stream's reader has to have. */
export interface WebReader<Chunk> {
  read(): Promise<{ readonly done: boolean; readonly value?: Chunk | undefined }>
  cancel(reason?: unknown): Promise<unknown>
  releaseLock(): void
}

/** A `ReadableStream`, a Node `Readable`, or any async iterable. */
export type StreamSource<Chunk> = AsyncIterable<Chunk> | { getReader(): WebReader<Chunk> }

/** One way to read all of them. */
export interface ChunkReader<Chunk> {
  read(): Promise<IteratorResult<Chunk, unknown>>
  /** Tells the source that no more is wanted. Waits for nothing, and what goes wrong then is nobody's concern. */
  close(reason: unknown): void
  /** Lets go of a source that has come to its end. */
  release(): void
}

/** @throws TypeError if the source can not be read, as one that somebody else reads already */
export function readerOf<Chunk>(who: string, source: StreamSource<Chunk>): ChunkReader<Chunk> {
  const candidate = source as Partial<AsyncIterable<Chunk> & { getReader(): WebReader<Chunk> }> | null | undefined
  // Not every browser lets a ReadableStream be iterated.
  if (typeof candidate?.getReader === 'function') return webReader(candidate.getReader())
  const iterate = candidate?.[Symbol.asyncIterator]
  need(typeof iterate === 'function', who, 'the source', 'a ReadableStream, a Node stream or an async iterable', source)
  return iterableReader(source as AsyncIterable<Chunk>)
}

function webReader<Chunk>(reader: WebReader<Chunk>): ChunkReader<Chunk> {
  return {
    read: () => reader.read() as Promise<IteratorResult<Chunk, unknown>>,
    close(reason) {
      quietly(() => reader.cancel(reason))
      reader.releaseLock()
    },
    release: () => reader.releaseLock(),
  }
}

function iterableReader<Chunk>(source: AsyncIterable<Chunk> & { destroy?(): unknown }): ChunkReader<Chunk> {
  const iterator = source[Symbol.asyncIterator]()
  return {
    read: async () => iterator.next(),
    close() {
      // The iterator of a Node stream closes only after the chunk that it waits for, and that may never come.
      if (typeof source.destroy === 'function') quietly(() => source.destroy?.())
      quietly(() => iterator.return?.())
    },
    release() {},
  }
}

function quietly(close: () => unknown): void {
  const closed = async (): Promise<unknown> => close()
  closed().catch(() => {})
}
