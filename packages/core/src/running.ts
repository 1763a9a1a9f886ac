import type { Step } from './step.ts'

/** The steps that a runtime has under way: a chain through the steps themselves, which is cheaper than any set of them. */
export class Running {
  #last: Step | undefined

  add(step: Step): void {
    step.before = this.#last
    if (this.#last !== undefined) this.#last.after = step
    this.#last = step
  }

  remove({ before, after }: Step): void {
    if (before !== undefined) before.after = after
    if (after !== undefined) after.before = before
    else this.#last = before
  }

  all(): readonly Step[] {
    const steps: Step[] = []
    for (let step = this.#last; step !== undefined; step = step.before) steps.push(step)
    return steps
  }
}
