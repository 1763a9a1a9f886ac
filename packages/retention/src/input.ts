import { need } from './check.ts'

/** UTF-16 code units that are encoded at once; each becomes three bytes at most. */
const piece = 16_384
const scratch = new Uint8Array(piece * 3)
const encoder = new TextEncoder()

/** Brings text to bytes, chunk by chunk; takes either strings or bytes, but not both. */
export class TextInput {
  readonly #who: string
  readonly #take: (bytes: Uint8Array) => void
  #kind: 'string' | 'bytes' | undefined
  /** The first half of a pair, whose second half the next chunk may begin with. */
  #half = ''
  #isEnded = false

  /** @param take gets bytes that are its own only until it returns */
  constructor(who: string, take: (bytes: Uint8Array) => void) {
    this.#who = who
    this.#take = take
  }

  /**
   * @throws TypeError if the chunk is neither a string nor a Uint8Array, or of the other kind than those before it
   * @throws Error if the input has ended
   */
  push(chunk: string | Uint8Array): void {
    if (this.#isEnded) throw new Error(`[pawl] ${this.#who}: finish() was called, so nothing can be pushed any more.`)
    const kind = typeof chunk === 'string' ? 'string' : 'bytes'
    if (kind !== this.#kind) this.#become(kind, chunk)
    if (typeof chunk === 'string') this.#pushString(chunk)
    else this.#take(chunk)
  }

  end(): void {
    this.#isEnded = true
    if (this.#half !== '') this.#encode(this.#half, 0, 1)
    this.#half = ''
  }

  #become(kind: 'string' | 'bytes', chunk: unknown): void {
    const isChunk = kind === 'string' || Object.prototype.toString.call(chunk) === '[object Uint8Array]'
    need(isChunk, this.#who, 'a chunk', 'a string or a Uint8Array', chunk)
    if (this.#kind !== undefined) {
      throw new TypeError(
        `[pawl] ${this.#who}: strings and bytes can not be mixed, since a character may be split over two chunks. ` +
          'Decode the bytes with one streaming TextDecoder, or encode the strings.',
      )
    }
    this.#kind = kind
  }

  #pushString(chunk: string): void {
    if (chunk === '') return
    let from = 0
    if (this.#half !== '') {
      const isPair = isSecondHalf(chunk.charCodeAt(0))
      const first = isPair ? this.#half + chunk[0] : this.#half
      this.#half = ''
      this.#encode(first, 0, first.length)
      if (isPair) from = 1
    }
    let to = chunk.length
    if (to > from && isFirstHalf(chunk.charCodeAt(to - 1))) this.#half = chunk[--to] as string
    this.#encode(chunk, from, to)
  }

  #encode(text: string, from: number, to: number): void {
    for (let at = from; at < to; ) {
      let end = Math.min(to, at + piece)
      if (end < to && isFirstHalf(text.charCodeAt(end - 1))) end--
      // Halves that have no other become U+FFFD here, as everywhere that text becomes UTF-8.
      const { written } = encoder.encodeInto(text.slice(at, end), scratch)
      this.#take(scratch.subarray(0, written))
      at = end
    }
  }
}

function isFirstHalf(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800
}

function isSecondHalf(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00
}
