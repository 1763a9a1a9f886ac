/** What a store is doing, each task with a signal of its own, so that closing can end all of them. */
export class UnderWay {
  readonly #tasks: Map<Promise<unknown>, AbortController> = new Map()
  #end: Promise<void> | undefined
  #closed: (() => Error) | undefined

  /** @throws the error that `end` was given, once it was called */
  check(): void {
    if (this.#closed !== undefined) throw this.#closed()
  }

  /** Runs a task whose signal aborts with the caller's, and when all ends. */
  async run<T>(signal: AbortSignal | undefined, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.check()
    const canceller = new AbortController()
    const onAbort = (): void => canceller.abort(signal?.reason)
    if (signal?.aborted) onAbort()
    signal?.addEventListener('abort', onAbort)
    const running = task(canceller.signal)
    this.#tasks.set(running, canceller)
    try {
      return await running
    } finally {
      this.#tasks.delete(running)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** Aborts everything, waits until it has settled, and then does what is last. Gives the same promise when called again. */
  end(closed: () => Error, last: () => Promise<void>): Promise<void> {
    this.#closed ??= closed
    this.#end ??= this.#settle(closed).then(last)
    return this.#end
  }

  async #settle(closed: () => Error): Promise<void> {
    for (const canceller of this.#tasks.values()) canceller.abort(closed())
    await Promise.allSettled(this.#tasks.keys())
  }
}
