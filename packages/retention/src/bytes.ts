/** Bytes that grow at their end, and can be dropped at their beginning or beyond a limit: a ring. */
export class Bytes {
  readonly #limit: number
  #ring: Uint8Array = new Uint8Array(0)
  #start = 0
  length = 0

  /** Holds the last `limit` bytes. */
  constructor(limit: number = Number.POSITIVE_INFINITY) {
    this.#limit = limit
  }

  /** Copies: what becomes of `bytes` later changes nothing here. */
  append(bytes: Uint8Array): void {
    if (bytes.length >= this.#limit) {
      this.clear()
      this.#write(bytes.subarray(bytes.length - this.#limit))
      return
    }
    this.drop(Math.max(0, this.length + bytes.length - this.#limit))
    this.#write(bytes)
  }

  /** Forgets the first `count` bytes. */
  drop(count: number): void {
    if (count === 0) return
    this.#start = (this.#start + count) % this.#ring.length
    this.length -= count
  }

  clear(): void {
    this.#start = 0
    this.length = 0
  }

  /** Where this byte stands for the first time, not before `from`; -1 if it does not. */
  indexOf(byte: number, from: number): number {
    const size = this.#ring.length
    const untilWrap = Math.min(this.length, size - this.#start)
    if (from < untilWrap) {
      const found = this.#ring.indexOf(byte, this.#start + from)
      if (found >= 0 && found - this.#start < untilWrap) return found - this.#start
    }
    const wrapped = this.length - untilWrap
    if (wrapped <= 0) return -1
    const found = this.#ring.indexOf(byte, Math.max(0, from - untilWrap))
    return found >= 0 && found < wrapped ? untilWrap + found : -1
  }

  /** A copy, in order. */
  toArray(): Uint8Array {
    const copy = new Uint8Array(this.length)
    this.#copyTo(copy)
    return copy
  }

  #copyTo(target: Uint8Array): void {
    const untilWrap = Math.min(this.length, this.#ring.length - this.#start)
    target.set(this.#ring.subarray(this.#start, this.#start + untilWrap))
    target.set(this.#ring.subarray(0, this.length - untilWrap), untilWrap)
  }

  #write(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.#ring.length) this.#grow(this.length + bytes.length)
    const size = this.#ring.length
    let at = this.#start + this.length
    if (at >= size) at -= size
    const untilWrap = size - at
    if (bytes.length <= untilWrap) this.#ring.set(bytes, at)
    else {
      this.#ring.set(bytes.subarray(0, untilWrap), at)
      this.#ring.set(bytes.subarray(untilWrap), 0)
    }
    this.length += bytes.length
  }

  #grow(needed: number): void {
    const grown = new Uint8Array(Math.min(this.#limit, Math.max(needed, this.#ring.length * 2, 64)))
    this.#copyTo(grown)
    this.#ring = grown
    this.#start = 0
  }
}
