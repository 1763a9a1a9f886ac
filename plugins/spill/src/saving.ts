import type { Session } from '@pawl/core'
import type { SpillRef, SpillStore } from '@pawl/spill'
import { type Blob, decoded } from './blobs.ts'

/** Characters of a store's complaint that go into the trace. */
const longestComplaint = 500

/** The savings of all calls that are under way. */
export type Savings = Set<Saving>

/** Whose it is, as the store is told. */
export interface Owner {
  readonly session: Session | undefined
  readonly name: string
}

/**
 * What is saved of one result. All of it has one deadline, and the store is not waited for after it, whether or not it hears its
 * signal. Nothing that a store does is thrown on: what could not be saved is `undefined`, and `failures` says why.
 */
export class Saving {
  readonly failures: string[] = []
  readonly #store: SpillStore | undefined
  readonly #owner: Owner
  readonly #running: Savings
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout

  constructor(store: SpillStore | undefined, owner: Owner, ms: number, running: Savings) {
    this.#store = store
    this.#owner = owner
    this.#running = running
    this.#timer = setTimeout(() => this.giveUp(`the store did not settle within ${ms} ms`), ms)
    running.add(this)
  }

  text(text: string): Promise<SpillRef | undefined> {
    return this.#save(
      () => Buffer.byteLength(text),
      (store, request) => store.saveText({ ...request, text }),
    )
  }

  blob(blob: Blob): Promise<SpillRef | undefined> {
    let bytes = 0
    return this.#save(
      () => bytes,
      (store, request) => {
        if (store.saveBlob === undefined) throw new Error('the store takes text only')
        const data = decoded(blob)
        bytes = data.length
        return store.saveBlob({ ...request, data, mediaType: blob.mediaType })
      },
    )
  }

  giveUp(why: string): void {
    this.#controller.abort(new Error(why))
  }

  /** Leaves no timer. */
  close(): void {
    clearTimeout(this.#timer)
    this.#running.delete(this)
  }

  /** @param sizeOf counts what is saved, while the store is at work */
  async #save(
    sizeOf: () => number,
    save: (store: SpillStore, request: Owner & { readonly signal: AbortSignal }) => Promise<SpillRef>,
  ): Promise<SpillRef | undefined> {
    try {
      const store = this.#store
      if (store === undefined) throw new Error('there is no store')
      const { signal } = this.#controller
      const answer = this.#inTime(async () => save(store, { ...this.#owner, signal }))
      const bytes = sizeOf()
      return checked(await answer, bytes)
    } catch (failure) {
      this.failures.push(wordsOf(failure))
      return undefined
    }
  }

  #inTime(save: () => Promise<SpillRef>): Promise<SpillRef> {
    const { signal } = this.#controller
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      // The signal is this object's own and goes with it.
      signal.addEventListener('abort', () => reject(signal.reason))
      save().then(resolve, reject)
    })
  }
}

/** What can be printed and relied on: a store that says that it holds something else does not hold all of it. */
function checked(ref: SpillRef, saved: number): SpillRef {
  const { locator, bytes, retrievalHint } = ref
  if (typeof locator !== 'string' || typeof retrievalHint !== 'string')
    throw new Error('the store gave no locator and hint')
  if (bytes !== saved) throw new Error(`the store was given ${saved} bytes and says that it holds ${bytes}`)
  return { locator, bytes, retrievalHint }
}

function wordsOf(failure: unknown): string {
  try {
    return String(failure instanceof Error ? failure.message : failure).slice(0, longestComplaint)
  } catch {
    return 'the store threw what has no words'
  }
}
