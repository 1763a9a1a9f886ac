import type { Plugin } from '@pawl/core'

/** A moment at which a call's execute stage began or ended. */
export interface Tick {
  readonly executionId: string
  readonly kind: 'began' | 'ended'
  readonly atMs: number
}

/** When a call ran. `began` and `ended` count ticks of its step: the order of things, which a clock does not show. */
export interface Span {
  readonly began: number
  readonly ended: number
  readonly ms: number
}

/** Writes down when each call began and ended. It sees what the layers inside it, such as a timeout, make of the body. */
export function timeline(ticks: Tick[]): Plugin {
  return {
    name: 'timeline',
    role: 'metrics',
    async execute({ executionId }, next) {
      ticks.push({ executionId, kind: 'began', atMs: performance.now() })
      const outcome = await next()
      ticks.push({ executionId, kind: 'ended', atMs: performance.now() })
      return outcome
    },
  }
}

/** When the call ran, or `undefined` if it never did. */
export function spanOf(executionId: string, ticks: readonly Tick[]): Span | undefined {
  const position = (kind: Tick['kind']): number =>
    ticks.findIndex((tick) => tick.executionId === executionId && tick.kind === kind)
  const began = position('began')
  const ended = position('ended')
  const [first, last] = [ticks[began], ticks[ended]]
  return first && last && { began, ended, ms: last.atMs - first.atMs }
}

export function overlap(one: Span, other: Span): boolean {
  return one.began < other.ended && other.began < one.ended
}
