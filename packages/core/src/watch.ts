/** What a bounded wait ends with. */
export interface Ends<T, R> {
  value(value: T): R | Promise<R>
  thrown(thrown: unknown): R | Promise<R>
  /** It did not settle within `ms` of its own time. */
  late(ms: number): R | Promise<R>
  /** The call has its outcome without it. */
  gone(): R | Promise<R>
}

/**
 * Bounds the time that a plugin or a journal keeps a call waiting by itself: pause it while a plugin waits for what is inside
 * its `next()`. No timer is left once the wait has ended, and a call ends its watches when it settles.
 */
export class Watch {
  /** How deep in the onion the one is that is waited for; what no layer is stands innermost. */
  readonly depth: number
  readonly #ms: number
  #paused = false
  #over = false
  #late: (() => void) | undefined
  #gone: (() => void) | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(ms: number, depth: number) {
    this.depth = depth
    this.#ms = ms
  }

  /** Waits for `promised`; resolves, never rejects, to what the one end that comes first gives. */
  wait<T, R>(promised: PromiseLike<T>, ends: Ends<T, R>): Promise<R> {
    return new Promise((resolve) => {
      const end = (result: () => R | Promise<R>): void => {
        if (this.#over) return
        this.#over = true
        this.pause()
        resolve(result())
      }
      this.#late = () => end(() => ends.late(this.#ms))
      this.#gone = () => end(() => ends.gone())
      try {
        promised.then(
          (value) => end(() => ends.value(value)),
          (thrown) => end(() => ends.thrown(thrown)),
        )
      } catch (thrown) {
        end(() => ends.thrown(thrown)) // a foreign thenable
      }
      if (!this.#paused) this.run()
    })
  }

  run(): void {
    this.#paused = false
    if (this.#over || this.#late === undefined) return
    this.#timer ??= setTimeout(this.#late, this.#ms)
  }

  pause(): void {
    this.#paused = true
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Ends the wait, if it has not ended; whatever is still done is ignored. */
  giveUp(): void {
    this.#gone?.()
  }
}
