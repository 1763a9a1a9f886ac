import type { Call } from './call.ts'
import type { Host } from './host.ts'
import { ExclusiveLock } from './lock.ts'
import type { ParsedArguments } from './parse.ts'
import type { Session } from './plugin.ts'
import type { Happening, ToolEvent } from './stream.ts'
import { isTraced } from './tracing.ts'

/** A call as it was handed in, each member read once, its arguments parsed. */
export interface Requested {
  readonly callId: string
  readonly name: string
  readonly parsed: ParsedArguments
  /** The model's output was cut off in the middle of this call. */
  readonly truncated: boolean
}

/** What the calls of one step share, nested ones included. */
export class Step {
  readonly host: Host
  readonly id: string
  readonly session: Session | undefined
  /** Whether the time of its stages is kept: it was asked for, or somebody listens to their channel. */
  readonly timed: boolean
  readonly #listener: ((event: ToolEvent) => void) | undefined
  #lock: ExclusiveLock | undefined

  constructor(host: Host, id: string, session: Session | undefined, listener?: (event: ToolEvent) => void) {
    this.host = host
    this.id = id
    this.session = session
    this.timed = host.options.timings || isTraced()
    this.#listener = listener
  }

  /** What the exclusive nested calls of the step share. */
  get lock(): ExclusiveLock {
    this.#lock ??= new ExclusiveLock()
    return this.#lock
  }

  /** Tells the listener of a stream, if there is one, what happened to a call. Nested calls are not told. */
  tell(call: Call, happening: Happening): void {
    if (this.#listener === undefined || call.lane.parent !== undefined) return
    const { index, callId, executionId, name } = call
    this.#listener(Object.freeze({ index, callId, executionId, name, ...happening }))
  }
}
