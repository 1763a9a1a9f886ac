import { randomBytes } from 'node:crypto'

/**
 * Ids of steps: unique over all processes that share a journal. They count in blocks of 256, since the text of a small number
 * is at hand while that of a large one is made anew each time.
 */
export class StepIds {
  readonly #runtime = randomBytes(9).toString('base64url')
  #blocks = 0
  #block = ''
  #count = 256

  next(): string {
    if (this.#count === 256) {
      this.#count = 0
      this.#block = `${this.#runtime}-${this.#blocks++}-`
    }
    return this.#block + this.#count++
  }
}
