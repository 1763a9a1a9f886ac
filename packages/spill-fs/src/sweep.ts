import { unlink } from 'node:fs/promises'
import { unless } from './failures.ts'
import { listed, removeEmptyFolders } from './listing.ts'
import { isArtefact, isUnfinished } from './names.ts'

/** A writer that has written nothing for an hour is taken for dead, and what it left behind is removed. */
const abandonedAfterMs = 3_600_000
const sweepEveryMs = 60_000

/** Removes what has expired, what dead writers left, and folders that are empty: now and then, beside savings, never in their way. */
export class Sweeper {
  readonly #expiresAfterMs: number
  #sweeping: Promise<void> | undefined
  #sweptAt = Number.NEGATIVE_INFINITY
  #isOver = false

  constructor(expiresAfterMs: number) {
    this.#expiresAfterMs = expiresAfterMs
  }

  /** Begins to sweep, unless that was not long ago. */
  sometimes(root: string): void {
    if (this.#isOver || this.#sweeping !== undefined || performance.now() - this.#sweptAt < sweepEveryMs) return
    this.#sweptAt = performance.now()
    // What could not be removed is not read either, and is tried again next time.
    const over = (): void => {
      this.#sweeping = undefined
    }
    this.#sweeping = this.#sweep(root).then(over, over)
  }

  /** Stops. Never rejects. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#sweeping
  }

  async #sweep(root: string): Promise<void> {
    for await (const { name, path, changedAt } of listed(root)) {
      if (this.#isOver) return
      const age = Date.now() - changedAt
      const isDead = isUnfinished(name) && age >= abandonedAfterMs
      const isExpired = isArtefact(name) && age >= this.#expiresAfterMs
      if (isDead || isExpired) await unless(['ENOENT', 'EPERM', 'EBUSY'], () => unlink(path))
    }
    await removeEmptyFolders(root, abandonedAfterMs)
  }
}
