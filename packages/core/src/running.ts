import type { Lane } from './scheduler.ts'

/** The steps that a runtime has under way. A step knows its own place, which is cheaper than any map. */
export class Running {
  readonly #lanes: Lane[] = []

  add(lane: Lane): void {
    lane.place = this.#lanes.push(lane) - 1
  }

  remove(lane: Lane): void {
    const last = this.#lanes.pop() as Lane
    if (last === lane) return
    this.#lanes[lane.place] = last
    last.place = lane.place
  }

  all(): readonly Lane[] {
    return [...this.#lanes]
  }
}
