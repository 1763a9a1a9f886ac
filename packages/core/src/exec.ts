import type { Call } from './call.ts'
import { ToolError } from './errors.ts'
import type { BodyRun } from './execute.ts'
import { authoredFailure, gateValue } from './gate-value.ts'
import type { Json } from './json.ts'
import { disown } from './maybe.ts'
import { Nest } from './nested.ts'
import { isGone } from './onion.ts'
import type { Outcome } from './outcome.ts'
import type { Session } from './plugin.ts'
import type { SignalNode } from './signal.ts'
import type { ToolInfo } from './tool.ts'

/** How far a body has come. */
export interface Progress {
  /** Done so far, in whatever unit `total` has. */
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** What `exec.fail` takes. */
export interface FailOptions {
  readonly code: string
  readonly message: string
  readonly retryable?: boolean
  readonly details?: unknown
}

/**
 * What plugins and bodies see of a call: read-only. Below a layer that hands down a signal it is a fresh object, so
 * correlate by `executionId`. Its members may be destructured.
 */
export interface Exec<Args = { readonly [member: string]: Json }> {
  readonly executionId: string
  readonly callId: string
  /** Position in the step, or in the parent's lane for a nested call. */
  readonly index: number
  readonly stepId: string
  readonly name: string
  /** Parsed, validated, frozen. */
  readonly arguments: Args
  /** Cancels the work: the caller's own signal where no layer above handed one down. Forward it to the I/O below. */
  readonly signal: AbortSignal
  readonly session: Session | undefined
  /** The `executionId` of the call that this one is nested in. */
  readonly parent: string | undefined
  /** What the deployment knows of the tool. For a name that no tool has: that name alone. */
  readonly tool: ToolInfo
  /** Calls another tool through the same pipeline. Gives its canonical value or throws a `ToolError` with the same code. */
  readonly invoke: (name: string, args?: unknown) => Promise<Json>
  /** Tells a listener of `runtime.stream` how far the work is. Nothing happens once the call has settled. */
  readonly progress: (progress: Progress) => void
  /** Text for the model, to follow the results of the step. */
  readonly deferContext: (text: string) => void
  /** A success; its value passes the same gate as one from the body. */
  readonly succeed: (value: unknown) => Outcome
  /** A failure. A body that returns one can not claim a reserved code. */
  readonly fail: (error: FailOptions) => Outcome
  /** Adds to the result's trace: `cache`, `spill` and members of your own. What a failed attempt noted is dropped with it. */
  readonly note: (notes: { readonly [note: string]: unknown }) => void
}

/**
 * The read-only face of a `Call` below one signal; a body has a face of its own, which falls silent when its run is over.
 * Methods are getters that bind on demand: they may be destructured, and a face that nobody asks costs next to nothing.
 */
export class ExecFace implements Exec {
  readonly #call: Call
  readonly #node: SignalNode
  readonly #run: BodyRun | undefined
  /** The calls nested in this one that were made below this face's signal. */
  #nest: Nest | undefined

  constructor(call: Call, node: SignalNode, run?: BodyRun) {
    this.#call = call
    this.#node = node
    this.#run = run
  }

  get executionId(): string {
    return this.#call.executionId
  }
  get callId(): string {
    return this.#call.callId
  }
  get index(): number {
    return this.#call.index
  }
  get stepId(): string {
    return this.#call.stepId
  }
  get name(): string {
    return this.#call.name
  }
  get arguments(): { readonly [member: string]: Json } {
    return this.#call.arguments
  }
  get signal(): AbortSignal {
    return this.#node.signal
  }
  get session(): Session | undefined {
    return this.#call.lane.step.session
  }
  get parent(): string | undefined {
    return this.#call.lane.parent?.executionId
  }
  get tool(): ToolInfo {
    return this.#call.info
  }

  get invoke(): Exec['invoke'] {
    return (name, args) => {
      const answer = this.#invoke(name, args)
      disown(answer) // who does not wait for it finds it in the journal
      return answer
    }
  }
  get progress(): Exec['progress'] {
    return (progress) => {
      if (!this.#over) this.#call.progressed(progress)
    }
  }
  get deferContext(): Exec['deferContext'] {
    return (text) => {
      if (!this.#over) this.#call.defer(text, this.#run)
    }
  }
  get note(): Exec['note'] {
    return (notes) => {
      if (!this.#over) this.#call.note(notes, this.#run)
    }
  }
  get succeed(): Exec['succeed'] {
    return (value) => Object.freeze(gateValue(this.#call, value))
  }
  get fail(): Exec['fail'] {
    return (error) => authoredFailure(this.#call, error)
  }

  async #invoke(name: string, args: unknown): Promise<Json> {
    const call = this.#call
    // What an earlier stage left behind still winds up, and may be exclusive.
    for (const nest of call.aside?.nests ?? []) if (nest.isClosed) await nest.isOver
    if (this.#over || call.settling) {
      throw new ToolError('ABORTED_BEFORE_DISPATCH', `${name} was not called: ${call.name} has already settled.`)
    }
    if (this.#nest === undefined || this.#nest.isClosed) {
      this.#nest = new Nest(call, this.#node, this.deferContext)
      if (this.#run !== undefined) this.#run.nest = this.#nest
    }
    return this.#nest.invoke(name, args)
  }

  get #over(): boolean {
    if (this.#run === undefined) return this.#call.published
    return this.#run.over || isGone(this.#call, this.#run.outer)
  }
}
