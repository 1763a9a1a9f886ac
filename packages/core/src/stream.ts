import type { Progress } from './exec.ts'
import type { ToolResult } from './result.ts'

/** What can happen to a call, as a listener is told. */
export type Happening =
  | { readonly type: 'started' }
  | ({ readonly type: 'progress' } & Progress)
  | { readonly type: 'result'; readonly result: ToolResult }

/** What `runtime.stream` tells: results in call order, the rest as it happens. Nested calls are not told. */
export type ToolEvent = {
  readonly index: number
  readonly callId: string
  readonly executionId: string
  readonly name: string
} & Happening

/** Turns events that come by themselves into an iterator that is asked for them. What is not yet asked for waits here. */
export class EventQueue {
  readonly #events: ToolEvent[] = []
  #isEnded = false
  #wake: (() => void) | undefined

  push(event: ToolEvent): void {
    this.#events.push(event)
    this.#wake?.()
  }

  end(): void {
    this.#isEnded = true
    this.#wake?.()
  }

  async *drain(): AsyncGenerator<ToolEvent, void, undefined> {
    for (;;) {
      yield* this.#events.splice(0)
      if (this.#events.length > 0) continue
      if (this.#isEnded) return
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      this.#wake = undefined
    }
  }
}
