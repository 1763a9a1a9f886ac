import type { Exec, Next, Outcome } from '@pawl/core'

/** The deadlines of the calls that are under way. */
export class Deadlines {
  readonly #running: Deadline[] = []

  add(deadline: Deadline): void {
    deadline.at = this.#running.push(deadline) - 1
  }

  /** The last takes its place: a `Set` that runs empty with every call would make itself anew each time. */
  remove(deadline: Deadline): void {
    const last = this.#running.pop() as Deadline
    if (last === deadline) return
    this.#running[deadline.at] = last
    last.at = deadline.at
  }

  /** No timer is left behind. */
  releaseAll(): void {
    for (const deadline of [...this.#running]) deadline.release()
  }
}

/** One passage through the layer: it holds its timer no longer than `next()`, which settles whatever happens. */
export class Deadline {
  /** Its place among the deadlines that are under way. */
  at = 0
  readonly #ms: number
  readonly #graceMs: number
  readonly #exec: Exec
  readonly #running: Deadlines
  readonly #controller = new AbortController()
  /** Tells whose deadline it was: no other one, whatever it looks like, sets it. */
  #passed = false
  #timer: NodeJS.Timeout
  #resolve: ((outcome: Outcome) => void) | undefined

  constructor(ms: number, graceMs: number, exec: Exec, running: Deadlines) {
    this.#ms = ms
    this.#graceMs = graceMs
    this.#exec = exec
    this.#running = running
    this.#timer = setTimeout(pass, ms, this)
    running.add(this)
  }

  around(next: Next): Promise<Outcome> {
    return new Promise((resolve) => {
      this.#resolve = resolve
      next({ signal: this.#controller }).then((outcome) =>
        this.#leave(this.#passed ? this.#timedOut(outcome) : outcome),
      )
    })
  }

  pass(): void {
    const { name, signal } = this.#exec
    if (signal.aborted) return // the caller or an enclosing deadline was first
    this.#passed = true
    this.#timer = setTimeout(giveUp, this.#graceMs, this)
    this.#controller.abort(new DOMException(`${name} has used up its ${this.#ms} ms`, 'TimeoutError'))
  }

  giveUp(): void {
    this.#leave(this.#timedOut())
  }

  /** Takes the timer off although `next()` has not settled. */
  release(): void {
    if (this.#passed) this.giveUp()
    else clearTimeout(this.#timer)
  }

  #leave(outcome: Outcome): void {
    if (this.#resolve === undefined) return
    clearTimeout(this.#timer)
    this.#running.remove(this)
    this.#resolve(outcome)
    this.#resolve = undefined
  }

  /**
   * The failure of this deadline. `ended` is what the inside came to all the same; without it, something there still runs, and
   * may not be started once more beside itself: no further try is worth it.
   */
  #timedOut(ended?: Outcome): Outcome {
    const { name } = this.#exec
    const timeoutMs = this.#ms
    const failure = (message: string): Outcome =>
      this.#exec.fail({ code: 'TOOL_TIMEOUT', message, retryable: ended !== undefined, details: { timeoutMs } })
    // Only the pipeline knows whether a body began; it says so in the failures that it makes.
    const outcome = failure(`${name} did not begin within ${timeoutMs} ms; nothing ran.`)
    if (outcome.error?.sideEffects === 'none') return outcome
    const stopped = ended === undefined ? 'has not stopped since' : 'was stopped'
    return failure(`${name} did not finish within ${timeoutMs} ms and ${stopped}; it may have taken effect.`)
  }
}

function pass(deadline: Deadline): void {
  deadline.pass()
}

function giveUp(deadline: Deadline): void {
  deadline.giveUp()
}
