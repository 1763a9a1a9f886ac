import type { Chain, Linked } from './chain.ts'

/** What a bounded wait ends with. */
export interface Ends<T, R> {
  value(value: T): R | Promise<R>
  thrown(thrown: unknown): R | Promise<R>
  /** It did not settle within `ms` of its own time. */
  late(ms: number): R | Promise<R>
  /** The call has its outcome without it. */
  gone(): R | Promise<R>
}

/** A watch, whatever it waits for. */
export interface Waiting extends Linked<Waiting> {
  /** How deep in the onion the one is that is waited for; what no layer is stands innermost. */
  readonly depth: number
  /** The time is up. */
  late(): void
  /** Ends the wait, if it has not ended; whatever is still done is ignored. */
  giveUp(): void
}

/**
 * Bounds the time that a plugin or a journal keeps a call waiting by itself: pause it while a plugin waits for what is inside
 * its `next()`. No timer is left once the wait has ended, and a call ends its watches when it settles. The timer is set when the
 * wait outlives this turn of the event loop: most do not, and a timer costs as much as the rest of a layer.
 */
export class Watch<T, R> implements Waiting {
  readonly depth: number
  before: Waiting | undefined
  after: Waiting | undefined
  readonly #chain: Chain<Waiting>
  readonly #ms: number
  /** What is left of it, ms, and when the timer was set. */
  #left: number
  #since = 0
  readonly #ends: Ends<T, R>
  #paused = false
  #over = false
  #resolve: ((result: R | Promise<R>) => void) | undefined
  #soon: NodeJS.Immediate | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(ms: number, depth: number, chain: Chain<Waiting>, ends: Ends<T, R>) {
    this.#ms = this.#left = ms
    this.depth = depth
    this.#chain = chain
    chain.add(this)
    this.#ends = ends
  }

  /** Waits for `promised`; resolves, never rejects, to what the one end that comes first gives. */
  wait(promised: PromiseLike<T>): Promise<R> {
    const answer = new Promise<R>((resolve) => {
      this.#resolve = resolve
    })
    try {
      promised.then(
        (value) => {
          if (this.#end()) this.#resolve?.(this.#ends.value(value))
        },
        (thrown) => this.#threw(thrown),
      )
    } catch (thrown) {
      this.#threw(thrown) // a foreign thenable
    }
    if (!this.#paused) this.run()
    return answer
  }

  run(): void {
    this.#paused = false
    if (this.#over || this.#resolve === undefined) return
    this.#soon ??= setImmediate(outlived, this)
  }

  pause(): void {
    this.#paused = true
    if (this.#soon === undefined) return
    clearImmediate(this.#soon)
    if (this.#timer !== undefined) this.#stop(this.#timer)
    this.#soon = this.#timer = undefined
  }

  outlived(): void {
    this.#since = performance.now()
    this.#timer = setTimeout(late, this.#left, this)
  }

  /** The time that was used up does not come back with the next run. */
  #stop(timer: NodeJS.Timeout): void {
    clearTimeout(timer)
    this.#left = Math.max(1, this.#left - (performance.now() - this.#since))
  }

  late(): void {
    if (this.#end()) this.#resolve?.(this.#ends.late(this.#ms))
  }

  giveUp(): void {
    if (this.#resolve !== undefined && this.#end()) this.#resolve(this.#ends.gone())
  }

  #threw(thrown: unknown): void {
    if (this.#end()) this.#resolve?.(this.#ends.thrown(thrown))
  }

  /** Whether this end is the first. The wait is over before what follows from it is worked out, which may come back here. */
  #end(): boolean {
    if (this.#over) return false
    this.#over = true
    this.#chain.remove(this)
    this.pause()
    return true
  }
}

function outlived(watch: { outlived(): void }): void {
  watch.outlived()
}

function late(watch: Waiting): void {
  watch.late()
}
