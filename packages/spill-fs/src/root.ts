import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { attempt } from './failures.ts'
import { makeRoot } from './private-folder.ts'

/** The folder of a store, made when it is first needed. */
export class Root {
  /** What was asked for; `undefined`: a temporary folder, which goes with the store. */
  readonly #asked: string | undefined
  #opening: Promise<string> | undefined

  constructor(asked: string | undefined) {
    this.#asked = asked
  }

  /** Its path. Where that fails, the next one tries again. */
  open(): Promise<string> {
    this.#opening ??= this.#make().catch((failure: unknown) => {
      this.#opening = undefined
      throw failure
    })
    return this.#opening
  }

  /** Its path if there is something to read in it. */
  async existing(): Promise<string | undefined> {
    return this.#asked === undefined ? this.#opening : this.open()
  }

  /** Removes a temporary folder, with all that is in it. */
  async close(): Promise<void> {
    if (this.#asked !== undefined || this.#opening === undefined) return
    const path = await this.#opening
    await attempt('removing what was saved', path, () => rm(path, { recursive: true, force: true, maxRetries: 3 }))
  }

  async #make(): Promise<string> {
    const asked = this.#asked
    if (asked === undefined)
      return attempt('making a temporary folder', tmpdir(), () => mkdtemp(join(tmpdir(), 'pawl-spill-')))
    await attempt('making the folder', asked, () => makeRoot(asked))
    return asked
  }
}
