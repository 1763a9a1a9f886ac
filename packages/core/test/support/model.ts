/*
 * A pure model of the scheduler: lanes of calls in the model's order, each parallel, exclusive or refused at its gate, run in a
 * rolling pool with a cap, published in order; nested lanes share one first-come lock for their exclusive calls. It has no
 * promises and no time: a body ends when the script says so. Written from the rules, not from the code.
 */

export interface Plan {
  /** `parallel` and `exclusive` run; the refused ones are denied, the first of them having said that it may overlap. */
  readonly kind: 'parallel' | 'exclusive' | 'refused parallel' | 'refused'
  /** Ends at once, without having to be let go. */
  readonly isQuick: boolean
  readonly nested: readonly Plan[]
  /** Makes its nested calls all at once, or one after another. */
  readonly together: boolean
}

export type Happened = { readonly kind: 'start' | 'publish'; readonly id: string; readonly code?: string | undefined }

interface Call {
  readonly id: string
  readonly plan: Plan
  readonly lane: Lane
  state: 'waiting' | 'locking' | 'running' | 'settled' | 'published'
  /** The body's own waiting is over; it ends once its nested calls have. */
  isLetGo: boolean
  asked: number
  lanes: Lane[]
  code: string | undefined
}

interface Lane {
  readonly parent: Call | undefined
  readonly calls: Call[]
  isAborted: boolean
}

/** One step. `letGo` and `abort` give what happens at once because of them. */
export class Model {
  readonly #cap: number
  readonly #top: Lane = { parent: undefined, calls: [], isAborted: false }
  readonly #holders: Call[] = []
  #queue: Call[] = []
  #log: Happened[] = []

  constructor(plans: readonly Plan[], cap: number) {
    this.#cap = cap
    for (const [index, plan] of plans.entries()) this.#top.calls.push(newCall(`${index}`, plan, this.#top))
  }

  begin(): Happened[] {
    this.#settle()
    return this.#drain()
  }

  /** Those that run and wait to be let go. */
  get letGoable(): string[] {
    return this.#all().flatMap((call) =>
      call.state === 'running' && !call.isLetGo && this.#isAtItsEnd(call) ? [call.id] : [],
    )
  }

  get isOver(): boolean {
    return this.#top.calls.every(({ state }) => state === 'published')
  }

  letGo(id: string): Happened[] {
    const call = this.#all().find((other) => other.id === id)
    if (call !== undefined) call.isLetGo = true
    this.#settle()
    return this.#drain()
  }

  abort(): Happened[] {
    const visit = (lane: Lane): void => {
      lane.isAborted = true
      for (const call of lane.calls) for (const nested of call.lanes) visit(nested)
    }
    visit(this.#top)
    this.#settle()
    return this.#drain()
  }

  #drain(): Happened[] {
    const log = this.#log
    this.#log = []
    return log
  }

  #all(): Call[] {
    const within = (lane: Lane): Call[] => lane.calls.flatMap((call) => [call, ...call.lanes.flatMap(within)])
    return within(this.#top)
  }

  /** Has made all its nested calls, and they are published. */
  #isAtItsEnd(call: Call): boolean {
    return (
      call.asked === call.plan.nested.length &&
      call.lanes.every((lane) => lane.calls.every(({ state }) => state === 'published'))
    )
  }

  /** Until nothing moves any more: every rule that can fire does. */
  #settle(): void {
    let moved = true
    while (moved) {
      moved = false
      for (const lane of this.#lanes()) {
        if (lane.isAborted) moved = this.#cancel(lane) || moved
        else moved = this.#startIn(lane) || moved
        moved = this.#publishIn(lane) || moved
      }
      for (const call of this.#all()) if (call.state === 'running') moved = this.#goOn(call) || moved
    }
  }

  #lanes(): Lane[] {
    return [this.#top, ...this.#all().flatMap(({ lanes }) => lanes)]
  }

  #cancel(lane: Lane): boolean {
    let moved = false
    for (const call of lane.calls) {
      if (call.state !== 'waiting' && call.state !== 'locking') continue
      this.#queue = this.#queue.filter((other) => other !== call)
      this.#end(call, 'ABORTED_BEFORE_DISPATCH')
      moved = true
    }
    return moved
  }

  #startIn(lane: Lane): boolean {
    const next = lane.calls.find(({ state }) => state === 'waiting')
    if (next === undefined) return false
    const before = lane.calls.slice(0, lane.calls.indexOf(next))
    // A barrier: whatever is not exactly parallel is published before anything behind it begins.
    const isBarred = before.some(({ plan, state }) => !plan.kind.endsWith('parallel') && state !== 'published')
    const running = lane.calls.filter(({ state }) => state === 'running').length
    if (isBarred || running >= this.#cap) return false
    if (next.plan.kind.startsWith('refused')) {
      this.#end(next, 'DENIED')
      return true
    }
    if (next.plan.kind === 'parallel') {
      this.#run(next)
      return true
    }
    if (before.some(({ state }) => state !== 'published')) return false
    if (lane.parent === undefined) this.#run(next)
    else {
      next.state = 'locking'
      this.#queue.push(next)
      this.#unlock()
    }
    return true
  }

  #run(call: Call): void {
    call.state = 'running'
    this.#log.push({ kind: 'start', id: call.id })
    if (call.plan.nested.length === 0 && call.plan.isQuick) this.#end(call, call.lane.isAborted ? 'ABORTED' : undefined)
    else if (this.#goOn(call)) {
      // What it calls at once begins at once.
      const [lane] = call.lanes
      while (lane !== undefined && (this.#startIn(lane) || this.#publishIn(lane)));
    }
  }

  /** A running body: makes its next nested calls, and ends when it may. */
  #goOn(call: Call): boolean {
    const { nested, together, isQuick } = call.plan
    const [lane = this.#openLane(call)] = call.lanes
    const last = lane.calls.at(-1)
    if (call.asked < nested.length && (together || last === undefined || last.state === 'published')) {
      for (const plan of together ? nested : nested.slice(call.asked, call.asked + 1)) {
        lane.calls.push(newCall(`${call.id}/${call.asked++}`, plan, lane))
      }
      return true
    }
    if (!this.#isAtItsEnd(call) || !(isQuick || call.isLetGo)) return false
    this.#end(call, call.lane.isAborted ? 'ABORTED' : undefined)
    return true
  }

  #openLane(parent: Call): Lane {
    const lane: Lane = { parent, calls: [], isAborted: parent.lane.isAborted }
    parent.lanes.push(lane)
    return lane
  }

  #end(call: Call, code: string | undefined): void {
    call.state = 'settled'
    call.code = code
    const held = this.#holders.indexOf(call)
    if (held === -1) return
    this.#holders.splice(held, 1)
    this.#unlock()
  }

  #unlock(): void {
    const at = this.#queue.findIndex((call) => this.#holders.every((holder) => isAbove(holder, call)))
    if (at === -1) return
    const [call] = this.#queue.splice(at, 1)
    if (call === undefined) return
    this.#holders.push(call)
    this.#run(call)
  }

  #publishIn(lane: Lane): boolean {
    let moved = false
    for (const call of lane.calls) {
      if (call.state === 'published') continue
      if (call.state !== 'settled') break
      call.state = 'published'
      this.#log.push({ kind: 'publish', id: call.id, code: call.code })
      moved = true
    }
    return moved
  }
}

function newCall(id: string, plan: Plan, lane: Lane): Call {
  return { id, plan, lane, state: 'waiting', isLetGo: false, asked: 0, lanes: [], code: undefined }
}

function isAbove(ancestor: Call, call: Call): boolean {
  for (let above = call.lane.parent; above !== undefined; above = above.lane.parent) if (above === ancestor) return true
  return false
}
