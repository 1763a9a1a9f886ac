import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel'
import type { Call } from './call.ts'
import type { Stage } from './errors.ts'

/** What subscribers of a stage's channel get: the same object at `start` and `end`. */
export interface StageMessage {
  readonly stage: Stage
  readonly executionId: string
  readonly stepId: string
  readonly callId: string
  readonly name: string
}

/**
 * The tracing channel of all stages: `tracing:pawl:stage:start` and `:end`, the latter when the stage has settled, which may be
 * later in time. Who subscribes hears of the steps that begin from then on; nothing is made while nobody listens.
 */
const channel: TracingChannel<unknown, StageMessage> = tracingChannel('pawl:stage')

interface OpenStage {
  readonly since: number
  readonly message: StageMessage
}

/** Keeps the time of a call's stages, by a monotonic clock, and tells their channel. */
export class StageClock {
  readonly timings: { [S in Stage]?: number } = {}
  readonly #open = new Map<Stage, OpenStage>()

  enter(call: Call, stage: Stage): void {
    const { executionId, callId, name } = call
    const message: StageMessage = { stage, executionId, stepId: call.lane.step.id, callId, name }
    this.#open.set(stage, { since: performance.now(), message })
    channel.start.publish(message)
  }

  leave(stage: Stage): void {
    const open = this.#open.get(stage)
    if (open === undefined) return
    this.#open.delete(stage)
    this.timings[stage] = (this.timings[stage] ?? 0) + performance.now() - open.since
    channel.end.publish(open.message)
  }
}

/** Whether anybody listens to the stages. */
export function isTraced(): boolean {
  return channel.start.hasSubscribers || channel.end.hasSubscribers
}
