import { getEventListeners } from 'node:events'
import { vi } from 'vitest'
import type { Exec, JournalEntry, ToolResult } from '../../src/index.ts'
import { Clockwork } from './clockwork.ts'
import { type Node, nodesOf, type World } from './world.ts'

/** What can be observed from outside. Stages are seen through hooks, the journal, the approver and the bodies. */
export type Kind =
  | JournalEntry['type']
  | 'taken'
  | 'onCall'
  | 'onResult'
  | 'classify'
  | 'waterfall'
  | 'pre'
  | 'guard'
  | 'ask'
  | 'answer'
  | 'execute'
  | 'settled'
  | 'wrap'
  | 'body'
  | 'body end'
  | 'next'
  | 'invoked'
  | 'render'
  | 'fold'
  | 'post'
  | 'finalize'
  | 'abort'

export interface Event {
  readonly kind: Kind
  /** The call's number in the world. */
  readonly n: number
  /** The turn of the clockwork: what has the same one happened without anything of the world's schedule in between. */
  readonly turn: number
  readonly by?: string | undefined
  readonly detail?: unknown
}

/** What a run of a world left behind. */
export interface History {
  readonly world: World
  readonly nodes: readonly Node[]
  readonly results: readonly ToolResult[]
  readonly events: readonly Event[]
  readonly warnings: readonly string[]
  readonly unhandled: readonly unknown[]
  /** Turns and virtual ms until the results were there. */
  readonly turns: number
  readonly elapsed: number
  /** What pawl left behind when everything had ended. */
  readonly timersLeft: number
  readonly listenersLeft: number
}

const reasonOfAbort: Error = new Error('the caller has had enough')

const unhandled: unknown[] = []
process.on('unhandledRejection', (thrown) => unhandled.push(thrown))

/** One world while it runs: the clockwork and the recorder. */
export class Stage {
  readonly world: World
  readonly nodes: readonly Node[]
  readonly clock: Clockwork
  readonly events: Event[] = []
  readonly warnings: string[] = []
  readonly controller: AbortController = new AbortController()
  /** How many bodies listen to the caller's signal themselves; one that hangs for ever does so for ever. */
  listening = 0
  readonly #numbers = new Map<string, number>()
  #isOver = false

  constructor(world: World) {
    this.world = world
    this.nodes = nodesOf(world)
    this.clock = new Clockwork(world.picks)
  }

  note(kind: Kind, n: number, by?: string, detail?: unknown): void {
    const { abort } = this.world
    const count = this.events.push({ kind, n, turn: this.clock.turn, by, detail })
    if (abort?.at === 'event' && abort.n === count - 1 && !this.#isOver) this.abort()
  }

  abort(): void {
    if (this.controller.signal.aborted) return
    this.events.push({ kind: 'abort', n: -1, turn: this.clock.turn })
    this.controller.abort(reasonOfAbort)
  }

  /** The number of the call that a plugin, a guard or a body sees. */
  numberOf(exec: Exec): number {
    const n = exec.parent === undefined ? exec.index : Number(exec.arguments.n)
    this.#numbers.set(exec.executionId, n)
    return n
  }

  numberOfEntry(entry: JournalEntry): number {
    if (entry.parent === undefined) return entry.index
    const known = this.#numbers.get(entry.executionId)
    if (known !== undefined) return known
    const n = entry.type === 'tool/call' ? Number((entry.arguments as { n?: unknown }).n ?? -1) : -1
    this.#numbers.set(entry.executionId, n)
    return n
  }

  numberOfResult({ executionId, callId }: { readonly executionId: string; readonly callId: string }): number {
    return this.#numbers.get(executionId) ?? Number(/^c(\d+)$/.exec(callId)?.[1] ?? -1)
  }

  /** Runs `dispatch` to its end, then everything that is late. */
  async run(dispatch: () => Promise<readonly ToolResult[]>): Promise<History> {
    const { world, clock, events, nodes, warnings } = this
    const before = unhandled.length
    let results: readonly ToolResult[] | undefined
    let rejection: { readonly thrown: unknown } | undefined
    if (world.abort?.at === 'before') this.abort()
    dispatch().then(
      (settled) => {
        results = settled
      },
      (thrown: unknown) => {
        rejection = { thrown }
      },
    )
    await clock.drive(
      () => results !== undefined || rejection !== undefined,
      () => {
        if (world.abort?.at === 'turn' && clock.turn >= world.abort.n) this.abort()
      },
      () => this.#unhang(),
    )
    const [turns, elapsed] = [clock.turn, clock.elapsed]
    this.#isOver = true
    await clock.finish()
    if (rejection !== undefined) throw new Error('dispatch rejected', { cause: rejection.thrown })
    return {
      world,
      nodes,
      results: results ?? [],
      events,
      warnings,
      unhandled: unhandled.slice(before),
      turns,
      elapsed,
      timersLeft: vi.getTimerCount(),
      listenersLeft: Math.max(0, getEventListeners(this.controller.signal, 'abort').length - this.listening),
    }
  }

  /** A body that hangs is waited for until the caller aborts, so a caller who is stuck does that. */
  #unhang(): boolean {
    const hangs = this.events.some(({ kind, n }) => kind === 'body' && this.nodes[n]?.call.body.end.kind === 'hang')
    if (!hangs || this.controller.signal.aborted) return false
    this.abort()
    return true
  }
}

export const of = ({ events }: History, n: number, ...kinds: readonly Kind[]): readonly Event[] =>
  events.filter((event) => event.n === n && (kinds.length === 0 || kinds.includes(event.kind)))

export const count = (history: History, n: number, ...kinds: readonly Kind[]): number => of(history, n, ...kinds).length

/** The place of the first event of this kind, or -1. */
export const at = ({ events }: History, n: number, kind: Kind): number =>
  events.findIndex((event) => event.n === n && event.kind === kind)

/** The results of all calls, nested ones included, as the observer saw them. */
export function resultsByNumber({ events }: History): ReadonlyMap<number, ToolResult> {
  return new Map(
    events.filter(({ kind }) => kind === 'onResult').map(({ n, detail }) => [n, detail as ToolResult] as const),
  )
}
