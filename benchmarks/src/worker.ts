import { makeContender } from './catalogue.ts'
import { operationOf, prove, type Workload, workloads } from './contender.ts'
import { timeSlice } from './slice.ts'

/*
 * One contender in a process of its own, so that nobody pays for the async hooks, the polluted caches or the garbage of a rival.
 * It proves that it does the work, and is then asked for one slice at a time.
 */

/** The worker's first message: what it can do, or why it can do nothing. */
export type Hello = { readonly label: string; readonly workloads: readonly Workload[] } | { readonly failed: string }

export interface SliceRequest {
  readonly workload: Workload
  readonly count: number
}

/** ns for each operation, or why there are none. */
export type SliceAnswer = { readonly ns: number } | { readonly failed: string }

const say = (message: Hello | SliceAnswer): void => {
  process.send?.(message)
}
const wordsOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, 500)

process.on('disconnect', () => process.exit(0))
try {
  const contender = await makeContender(process.argv[2] ?? '')
  await prove(contender)
  process.on('message', ({ workload, count }: SliceRequest) => {
    const operation = operationOf(contender, workload)
    const timed = async (): Promise<number> => {
      if (operation === undefined) throw new Error(`${contender.id} does not do ${workload}`)
      // Untimed: the others had the core, and their code and data are in its caches.
      if (count > 4) await timeSlice(operation, Math.ceil(count / 5))
      return timeSlice(operation, count)
    }
    timed().then(
      (ns) => say({ ns }),
      (thrown) => say({ failed: wordsOf(thrown) }),
    )
  })
  const can = workloads.filter((workload) => operationOf(contender, workload) !== undefined)
  say({ label: contender.label, workloads: can })
} catch (thrown) {
  say({ failed: wordsOf(thrown) })
}
