import { need, needMembers } from './check.ts'
import { type ChunkReader, readerOf, type StreamSource } from './stream-source.ts'

/** What can be fed: a `TextRetainer`, an `ItemRetainer`, a `LineWindow`, or one of your own. */
export interface Retainer<Chunk, Result> {
  push(chunk: Chunk): void
  finish(): Result
}

/** What `retainStream` takes. */
export interface RetainStreamOptions {
  /** Stops the reading, also while a chunk is awaited, and closes the source. What was read until then is retained. */
  readonly signal?: AbortSignal
}

/** How the reading ended. */
export type StreamEnd =
  /** The source said that this was all. */
  | { readonly kind: 'ended' }
  /** The source failed: there would have been more. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The signal was aborted: there may have been more. */
  | { readonly kind: 'aborted'; readonly reason: unknown }

/** What was read, and whether it was all. */
export interface RetainedStream<Result> {
  /** What the retainer came to, from what was read. */
  readonly retained: Result
  readonly end: StreamEnd
}

const who = 'retainStream'

/**
 * Reads a Web Stream, a Node stream or any async iterable into a retainer, one chunk at a time, and finishes it. A source that
 * fails is no rejection: what came before is retained, and `end` says why it is not all.
 * @throws TypeError (as a rejection) if the source can not be read
 * @throws whatever the retainer throws on a chunk (as a rejection); the source is closed then
 */
export async function retainStream<Chunk, Result>(
  // What is retained says what may come, and not the other way round: the platform's streams are typed in more than one way.
  source: StreamSource<NoInfer<Chunk>>,
  retainer: Retainer<Chunk, Result>,
  options: RetainStreamOptions = {},
): Promise<RetainedStream<Result>> {
  needMembers(options, who, 'its third argument', ['signal'])
  const { signal } = options
  need(signal === undefined || typeof signal?.aborted === 'boolean', who, '`signal`', 'an AbortSignal', signal)
  const end = await readAll(readerOf(who, source), (chunk) => retainer.push(chunk), signal)
  return { retained: retainer.finish(), end }
}

async function readAll<Chunk>(
  reader: ChunkReader<Chunk>,
  push: (chunk: Chunk) => void,
  signal: AbortSignal | undefined,
): Promise<StreamEnd> {
  let interrupt: (() => void) | undefined
  const onAbort = (): void => interrupt?.()
  // One promise for each read: racing each against one long promise would pile up its reactions.
  const read = (): Promise<IteratorResult<Chunk, unknown> | 'aborted'> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return resolve('aborted')
      interrupt = () => resolve('aborted')
      reader.read().then(resolve, reject)
    })
  const nextChunk = async (): Promise<StreamEnd | { readonly kind: 'chunk'; readonly chunk: Chunk }> => {
    try {
      const result = await read()
      if (result === 'aborted') return { kind: 'aborted', reason: signal?.reason }
      return result.done ? { kind: 'ended' } : { kind: 'chunk', chunk: result.value }
    } catch (error) {
      // A source that was given the same signal fails because of it.
      return signal?.aborted ? { kind: 'aborted', reason: signal.reason } : { kind: 'failed', error }
    }
  }

  let isOpen = true
  signal?.addEventListener('abort', onAbort)
  try {
    for (;;) {
      const next = await nextChunk()
      if (next.kind === 'chunk') push(next.chunk)
      else {
        isOpen = next.kind === 'aborted'
        return next
      }
    }
  } finally {
    signal?.removeEventListener('abort', onAbort)
    if (isOpen) reader.close(signal?.reason)
    else reader.release()
  }
}
