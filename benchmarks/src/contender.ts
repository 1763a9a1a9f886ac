import { type Body, type bodies, ran } from './work.ts'

/** What is measured: one operation each, timed by the slice. */
export const workloads = ['call', 'batch', 'sleep', 'text', 'rows', 'step 1,000', 'step 10,000'] as const
export type Workload = (typeof workloads)[number]

/** One way to run tool calls. */
export interface Contender {
  readonly id: string
  readonly label: string
  /** One call of `add`; what it gives is looked at by `textOf` only. */
  readonly call?: (signal?: AbortSignal) => Promise<unknown>
  /** The text for the model in what `call` gave. */
  readonly textOf?: (answer: unknown) => unknown
  /** `count` calls of one body, handed over together; gives how many results came back. */
  readonly batch?: (body: Body, count: number) => Promise<number>
  /** Large values: gives the length of what came out. */
  readonly text?: () => Promise<number>
  readonly rows?: () => Promise<number>
  /** Steps of many calls, which give how many results came back. */
  readonly step?: (count: number) => Promise<number>
}

/** One operation of a workload; `undefined` where the contender does not do that. */
export function operationOf(contender: Contender, workload: Workload): (() => Promise<unknown>) | undefined {
  const { call, batch, text, rows, step } = contender
  switch (workload) {
    case 'call':
      return call && (() => call())
    case 'batch':
      return batch && (() => batch('tick', 100))
    case 'sleep':
      return batch && (() => batch('sleep', 8))
    case 'text':
      return text
    case 'rows':
      return rows
    case 'step 1,000':
      return step && (() => step(1_000))
    case 'step 10,000':
      return step && (() => step(10_000))
  }
}

/** Runs what a contender does once and throws unless the bodies really ran and the right answers came out. */
export async function prove({ id, call, textOf, batch, step }: Contender): Promise<void> {
  const need = (what: string, got: unknown, wanted: unknown): void => {
    if (got !== wanted) throw new Error(`${id}: ${what} gave ${String(got).slice(0, 200)} instead of ${String(wanted)}`)
  }
  const before = { ...ran }
  if (call !== undefined) {
    const answer = await call()
    const text = textOf === undefined ? answer : textOf(answer)
    need('one call', typeof text === 'string' ? JSON.stringify(JSON.parse(text)) : JSON.stringify(text), '{"sum":5}')
    need('one call, bodies run', ran.add - before.add, 1)
  }
  if (batch !== undefined) {
    for (const [body, count] of [
      ['tick', 100],
      ['sleep', 8],
    ] as const satisfies readonly [keyof typeof bodies, number][]) {
      need(`${count} calls of ${body}`, await batch(body, count), count)
      need(`${count} calls of ${body}, bodies run`, ran[body] - before[body], count)
    }
  }
  if (step !== undefined) need('a step of 1,000 calls', await step(1_000), 1_000)
}
