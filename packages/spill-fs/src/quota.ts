import { unlink } from 'node:fs/promises'
import { attempt, unless } from './failures.ts'
import { listed } from './listing.ts'
import { isArtefact } from './names.ts'

/** How old may be what is known of other processes' artefacts, ms. */
const knownForMs = 5_000

/** Keeps what is in a folder within a number of bytes. */
export class Quota {
  readonly #most: number
  readonly #root: string
  /** Bytes by path, the oldest first. */
  #known: Map<string, number> = new Map()
  #held = 0
  #knownAt = Number.NEGATIVE_INFINITY
  /** One after the other: two that make room at once would both take the same. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(root: string, most: number) {
    this.#root = root
    this.#most = most
  }

  /** Removes the oldest artefacts until there is room for one of `bytes`, and lets `publish` put it there. */
  publish(path: string, bytes: number, publish: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(async () => {
      await attempt('making room', this.#root, () => this.#makeRoom(bytes))
      await publish()
      this.#known.set(path, bytes)
      this.#held += bytes
    })
    this.#last = turn.catch(() => {})
    return turn
  }

  async #makeRoom(bytes: number): Promise<void> {
    if (performance.now() - this.#knownAt >= knownForMs) await this.#look()
    for (const [oldest, size] of this.#known) {
      if (this.#held + bytes <= this.#most) break
      // On Windows what is being read can not be removed; it is found again when the folder is next looked through.
      await unless(['ENOENT', 'EPERM', 'EBUSY'], () => unlink(oldest))
      this.#known.delete(oldest)
      this.#held -= size
    }
  }

  async #look(): Promise<void> {
    const found: { path: string; bytes: number; changedAt: number }[] = []
    for await (const file of listed(this.#root)) if (isArtefact(file.name)) found.push(file)
    // The clock of a disk is coarse: what is of one moment stays in the order in which it came.
    const order = new Map([...this.#known.keys()].map((path, at) => [path, at]))
    const orderOf = ({ path }: { path: string }): number => order.get(path) ?? -1
    found.sort((a, b) => a.changedAt - b.changedAt || orderOf(a) - orderOf(b))
    this.#known = new Map(found.map(({ path, bytes }) => [path, bytes]))
    this.#held = found.reduce((sum, { bytes }) => sum + bytes, 0)
    this.#knownAt = performance.now()
  }
}
