import { vi } from 'vitest'

/** Two turns of the event loop: what outlives the first may start a timer or a listener at its end. */
const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

/** The schedule of a world: which of the things that wait goes on next. `time` lets the next timer fire instead. */
export type Pick = number | 'time'

/**
 * A deterministic scheduler of promises: whatever a world makes wait, waits here, and goes on one at a time in an order that the
 * world states. Between two picks everything that can happen by itself happens. Time is vitest's, and moves only if nothing
 * waits, or if the schedule says so.
 */
export class Clockwork {
  /** How many picks there were. */
  turn = 0
  /** Virtual ms since the start. */
  readonly #since = vi.getMockedSystemTime()?.getTime() ?? 0
  readonly #waiting: { readonly label: string; readonly promise: Promise<void>; readonly resolve: () => void }[] = []
  readonly #picks: readonly Pick[]

  constructor(picks: readonly Pick[]) {
    this.#picks = picks
  }

  get waiting(): readonly string[] {
    return this.#waiting.map(({ label }) => label)
  }

  get elapsed(): number {
    return (vi.getMockedSystemTime()?.getTime() ?? 0) - this.#since
  }

  wait(label: string): Promise<void> {
    let go = (): void => {}
    const promise = new Promise<void>((resolve) => {
      go = resolve
    })
    this.#waiting.push({ label, promise, resolve: go })
    return promise
  }

  /** Whoever waited for this does so no longer. */
  forget(promise: Promise<void>): void {
    const at = this.#waiting.findIndex((waiting) => waiting.promise === promise)
    if (at !== -1) this.#waiting.splice(at, 1)
  }

  /** Lets go of the first thing with this label; whether there was one. */
  release(label: string): boolean {
    const at = this.#waiting.findIndex((waiting) => waiting.label === label)
    if (at === -1) return false
    this.#waiting.splice(at, 1)[0]?.resolve()
    return true
  }

  /** Everything that can happen by itself has happened. */
  quiet(): Promise<void> {
    return macrotask()
  }

  /**
   * @param each called once a turn, when everything is quiet
   * @param unstick called when nothing waits and no timer runs; whether it changed that
   * @throws if `done` can never come about
   */
  async drive(done: () => boolean, each: () => void = () => {}, unstick: () => boolean = () => false): Promise<void> {
    for (;;) {
      await macrotask()
      each()
      if (done()) return
      if (this.turn > 2_000) throw new Error('the world does not come to an end')
      const pick = this.#picks[this.turn % Math.max(1, this.#picks.length)] ?? 0
      this.turn++
      const timers = vi.getTimerCount()
      if (timers > 0 && (this.#waiting.length === 0 || pick === 'time')) vi.advanceTimersToNextTimer()
      else if (this.#waiting.length > 0) {
        const at = (pick === 'time' ? 0 : pick) % this.#waiting.length
        this.#waiting.splice(at, 1)[0]?.resolve()
      } else {
        await macrotask()
        if (done()) return
        if (unstick()) continue
        throw new Error('stuck: nothing waits, no timer runs, and the results are not there')
      }
    }
  }

  /** Lets everything that still waits go on, and every timer fire. */
  async finish(): Promise<void> {
    await this.drive(() => this.#waiting.length === 0 && vi.getTimerCount() === 0)
  }
}
