import type { Call } from './call.ts'
import { ToolError } from './errors.ts'
import type { Exec } from './exec.ts'
import type { Json } from './json.ts'
import { parseArguments } from './parse.ts'
import { recordCall } from './record.ts'
import type { ToolResult } from './result.ts'
import { Lane, type LaneOwner } from './scheduler.ts'
import type { SignalNode } from './signal.ts'

/** How deep calls may nest in calls. */
const maxDepth = 8

/** The calls nested in one run of a body, or in the plugins around it: a lane of their own, through the same scheduler. */
export class Nest implements LaneOwner {
  readonly #parent: Call
  readonly #lane: Lane
  readonly #defer: Exec['deferContext']
  readonly #deaf: () => void
  readonly #answers = new Map<Call, (result: ToolResult) => void>()
  /** Resolves when all calls have ended and no more come. */
  readonly isOver: Promise<void>
  #resolve: () => void = () => {}
  /** No more calls are taken. */
  isClosed = false

  /**
   * @param node where the calls are made: its abort cancels them
   * @param defer takes what the nested calls tell the model, as long as whoever makes them may say something
   */
  constructor(parent: Call, node: SignalNode, defer: Exec['deferContext']) {
    this.#parent = parent
    this.#defer = defer
    this.#lane = new Lane(parent.lane.step, parent, undefined, node, 0, this)
    this.#deaf = node.onAbort((reason) => this.#lane.signal.abort(reason))
    this.isOver = new Promise((resolve) => {
      this.#resolve = resolve
    })
    parent.beside().nests.add(this)
  }

  /** Gives the canonical value, or throws a `ToolError` with the code of the call's failure. */
  async invoke(name: string, args: unknown): Promise<Json> {
    const parent = this.#parent
    if (parent.lane.depth >= maxDepth) {
      const message = `${name} was not called: calls may nest ${maxDepth} deep, and ${parent.name} is that deep already.`
      throw new ToolError('DENIED', message, { details: { depth: maxDepth } })
    }
    const index = parent.beside().nested++
    const parsed = parseArguments(args, parent.host.options.limits)
    const call = this.#lane.add(index, `${parent.callId}/${index}`, String(name), parsed)
    recordCall(call)
    const result = await new Promise<ToolResult>((resolve) => {
      this.#answers.set(call, resolve)
      this.#lane.turn()
    })
    for (const text of result.context ?? []) this.#defer(text)
    if (!result.isError) return result.value
    const { code, message, retryable, details } = result.error
    throw new ToolError(code, message, { retryable, details })
  }

  published(call: Call, result: ToolResult): void {
    this.#answers.get(call)?.(result)
    this.#answers.delete(call)
  }

  ended(): void {
    this.#parent.aside?.nests.delete(this)
    this.#resolve()
  }

  /** Cancels what has not ended and waits for it, no longer than the grace. */
  close(reason: string): Promise<void> {
    if (!this.isClosed) {
      this.isClosed = true
      this.#deaf()
      this.#lane.signal.abort(new Error(reason))
      this.#lane.end()
    }
    return this.isOver
  }

  /** Cancels what has not ended, and gives up what runs at once: its parent was given up, and had its grace. */
  giveUp(reason: string): void {
    void this.close(reason)
    this.#lane.giveUp()
  }
}
