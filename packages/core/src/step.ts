import type { Call } from './call.ts'
import type { Host } from './host.ts'
import { ExclusiveLock } from './lock.ts'
import type { Session } from './plugin.ts'
import { type FinishReason, readCalls, type ToolCall } from './requests.ts'
import type { ToolResult } from './result.ts'
import { Lane, type LaneOwner } from './scheduler.ts'
import type { Happening, ToolEvent } from './stream.ts'
import { refuseUnknownMembers } from './take-in.ts'
import { isTraced } from './tracing.ts'

/** Options of one step. */
export interface DispatchOptions {
  /** Cancels the step. */
  readonly signal?: AbortSignal | undefined
  /** Whose step it is; see `Session`. */
  readonly session?: Session | undefined
  /** Why the model stopped: with `length` or `max_tokens` the step's last call may be cut off and is not run. */
  readonly finishReason?: FinishReason | undefined
}

const members = ['signal', 'session', 'finishReason']

/**
 * The options, each read once.
 * @throws TypeError if they are no object or the signal is none; ConfigError if one is not known
 */
export function readOptions(given: DispatchOptions): DispatchOptions {
  if (given === null || typeof given !== 'object' || Array.isArray(given) || given instanceof AbortSignal) {
    throw new TypeError('[pawl] the options of a step have to be an object such as { signal, session }.')
  }
  refuseUnknownMembers(given, members, 'the options of a step')
  const { signal, session, finishReason } = given
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    const wayOut = (signal as unknown) instanceof AbortController ? ' Hand in the `signal` of the controller.' : ''
    throw new TypeError(`[pawl] \`signal\` has to be an AbortSignal.${wayOut}`)
  }
  if (session !== undefined && !isSession(session)) {
    throw new TypeError('[pawl] `session` has to be a string, or an object { id, principal } of strings.')
  }
  return { signal, session, finishReason }
}

function isSession(session: Session): boolean {
  if (typeof session !== 'object' || session === null) return typeof session === 'string'
  const { id, principal } = session
  return typeof id === 'string' && (principal === undefined || typeof principal === 'string')
}

/** What the calls of one step share, nested ones included. */
export class Step implements LaneOwner {
  readonly host: Host
  readonly id: string
  readonly session: Session | undefined
  /** Whether the time of its stages is kept: it was asked for, or somebody listens to their channel. */
  readonly timed: boolean
  /** In the order of the calls; complete once `done` has resolved. */
  readonly results: ToolResult[]
  /** Resolves, never rejects, to `answer(step)`. */
  readonly done: Promise<unknown>
  /** Its neighbours among the steps that are under way. */
  before: Step | undefined
  after: Step | undefined
  readonly #lane: Lane
  readonly #listener: ((event: ToolEvent) => void) | undefined
  readonly #answer: (step: Step) => unknown
  readonly #resolve: (answer: unknown) => void
  #lock: ExclusiveLock | undefined

  /** @throws TypeError if a call is no object, and nothing has begun then */
  constructor(
    host: Host,
    calls: readonly ToolCall[],
    { signal, session, finishReason }: DispatchOptions,
    answer: (step: Step) => unknown,
    listener: ((event: ToolEvent) => void) | undefined,
  ) {
    const { length } = calls
    this.host = host
    this.id = host.ids.next()
    this.session = session
    this.results = new Array(length)
    this.timed = host.options.timings || isTraced()
    this.done = new Promise(keepResolve)
    this.#resolve = resolveKept
    this.#listener = listener
    this.#answer = answer
    this.#lane = new Lane(this, undefined, signal, undefined, length, this)
    readCalls(this.#lane, calls, length, finishReason)
  }

  /** No policy and no body of the step runs before the journal has all its calls (JRN-1). */
  begin(): void {
    this.host.running.add(this)
    const recorded = this.#open()
    if (recorded === undefined) this.#lane.end()
    else this.#endWhen(recorded)
  }

  /** What fails before it has begun leaves nothing behind. */
  #open(): Promise<unknown> | undefined {
    try {
      return this.#lane.open()
    } catch (fault) {
      this.#lane.signal.release()
      this.host.running.remove(this)
      throw fault
    }
  }

  #endWhen(recorded: Promise<unknown>): void {
    recorded.then(() => this.#lane.end())
  }

  /** Cancels what has not ended and waits for it, no longer than the grace. */
  close(reason: Error): Promise<unknown> {
    this.#lane.signal.abort(reason)
    this.#lane.end()
    return this.done
  }

  /** What the exclusive nested calls of the step share. */
  get lock(): ExclusiveLock {
    this.#lock ??= new ExclusiveLock()
    return this.#lock
  }

  published(call: Call, result: ToolResult): void {
    this.results[call.index] = result
    if (this.#listener !== undefined) this.tell(call, { type: 'result', result })
  }

  ended(): void {
    this.host.running.remove(this)
    this.#resolve(this.#answer(this))
  }

  /** Tells the listener of a stream, if there is one, what happened to a call. Nested calls are not told. */
  tell(call: Call, happening: Happening): void {
    if (this.#listener === undefined || call.lane.parent !== undefined) return
    const { index, callId, executionId, name } = call
    this.#listener(Object.freeze({ index, callId, executionId, name, ...happening }))
  }
}

/** One executor for the promises of all steps: a closure for each would cost more than its promise. */
let resolveKept: (answer: unknown) => void
function keepResolve(resolve: (answer: unknown) => void): void {
  resolveKept = resolve
}
