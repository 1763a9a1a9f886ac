import { randomBytes } from 'node:crypto'
import type { SaveRequest, SpillReader, SpillRef, SpillStore } from './contract.ts'
import { ownerOf } from './owner.ts'
import { takeBytes, takeText } from './source.ts'

/** What `memorySpillStore` takes. */
export interface MemorySpillOptions {
  /**
   * Bytes that are held at most. The oldest artefacts make room for a new one; one that alone is larger is refused.
   * **Default:** 67,108,864 (64 MiB).
   */
  readonly quotaBytes?: number
}

/** A store in memory: it saves everything, and reads it back. */
export type MemorySpillStore = Required<SpillStore> & SpillReader

interface Artefact {
  readonly owner: string
  readonly data: Uint8Array
  readonly mediaType: string | undefined
}

/** Hands all pieces of what is saved to `take`. */
type Fill = (signal: AbortSignal, take: (piece: Uint8Array) => void) => Promise<void>

/**
 * A `SpillStore` that holds everything in this process: for tests, demos, and short runs. What it holds is gone when it is closed.
 * A saving that does not fit the quota, or is under way when the store is closed, rejects.
 * @throws TypeError if an option is unknown or no size
 * @example
 * const store = memorySpillStore()
 * const { locator, retrievalHint } = await store.saveText({ session: 'a', text: 'all of it' })
 */
export function memorySpillStore(options: MemorySpillOptions = {}): MemorySpillStore {
  const quotaBytes = readQuota(options)
  const artefacts = new Map<string, Artefact>()
  const saving = new Set<AbortController>()
  let held = 0
  let isClosed = false

  const save = async (request: SaveRequest, mediaType: string | undefined, fill: Fill): Promise<SpillRef> => {
    if (isClosed) throw closed()
    const { signal } = request
    const canceller = new AbortController()
    const onAbort = (): void => canceller.abort(signal?.reason)
    if (signal?.aborted) onAbort()
    signal?.addEventListener('abort', onAbort)
    saving.add(canceller)
    try {
      const data = await collect(fill, canceller.signal, quotaBytes)
      canceller.signal.throwIfAborted()
      return keep({ owner: ownerOf(request.session), data, mediaType })
    } finally {
      saving.delete(canceller)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  const keep = (artefact: Artefact): SpillRef => {
    const bytes = artefact.data.length
    for (const [oldest, { data }] of artefacts) {
      if (held + bytes <= quotaBytes) break
      artefacts.delete(oldest)
      held -= data.length
    }
    const locator = `spill_${randomBytes(16).toString('hex')}`
    artefacts.set(locator, artefact)
    held += bytes
    return { locator, bytes, retrievalHint: `Read it with read_spill: {"locator":"${locator}"}` }
  }

  return {
    saveText: (request) => save(request, undefined, (signal, take) => takeText(request.text, signal, take)),
    saveBlob: (request) => save(request, request.mediaType, (signal, take) => takeBytes(request.data, signal, take)),
    async read({ session, locator, offset, limit, signal }) {
      signal?.throwIfAborted()
      const artefact = artefacts.get(locator)
      if (artefact === undefined || artefact.owner !== ownerOf(session)) return undefined
      const { data, mediaType } = artefact
      return { data: data.slice(offset, offset + limit), bytes: data.length, mediaType }
    },
    async close() {
      isClosed = true
      for (const canceller of saving) canceller.abort(closed())
      artefacts.clear()
      held = 0
    },
  }
}

async function collect(fill: Fill, signal: AbortSignal, quotaBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  await fill(signal, (piece) => {
    bytes += piece.length
    if (bytes > quotaBytes)
      throw new Error(
        `[pawl] memorySpillStore: what is saved is larger than the whole quota of ${quotaBytes} bytes. Raise \`quotaBytes\`, or use a store on disk.`,
      )
    // A source may use its buffer again for the next piece.
    pieces.push(Uint8Array.from(piece))
  })
  const data = new Uint8Array(bytes)
  let at = 0
  for (const piece of pieces) {
    data.set(piece, at)
    at += piece.length
  }
  return data
}

function closed(): Error {
  return new Error('[pawl] memorySpillStore: the store is closed. Make a new one.')
}

function readQuota(options: MemorySpillOptions): number {
  for (const member of Object.keys(options)) {
    if (member !== 'quotaBytes')
      throw new TypeError(`[pawl] memorySpillStore: unknown option \`${member}\`. Known is: quotaBytes.`)
  }
  const { quotaBytes = 67_108_864 } = options
  if (!Number.isSafeInteger(quotaBytes) || quotaBytes <= 0)
    throw new TypeError(
      `[pawl] memorySpillStore: \`quotaBytes\` has to be a whole number of bytes from 1 on. It is ${String(quotaBytes)}.`,
    )
  return quotaBytes
}
