import type { Workload } from './contender.ts'
import { shuffled } from './statistics.ts'

/** Who can be asked for a slice of work. */
export interface Runner {
  readonly id: string
  slice(workload: Workload, count: number): Promise<number>
}

export interface TurnOptions {
  readonly rounds: number
  /** How long one slice should take, ms. */
  readonly sliceMs: number
  /** How long each contender warms up, ms. */
  readonly warmMs: number
  /** Told after each round. */
  readonly onRound?: (round: number) => void
}

/**
 * Has the runners take turns: each round asks every one of them for a short slice, in a fresh order, so that a slow moment of the
 * machine hits all alike.
 * @returns by id, ns for each operation in every round
 */
export async function takeTurns(
  runners: readonly Runner[],
  workload: Workload,
  { rounds, sliceMs, warmMs, onRound }: TurnOptions,
): Promise<Map<string, number[]>> {
  const sizes = new Map<Runner, number>()
  for (const runner of runners) sizes.set(runner, await warm(runner, workload, sliceMs, warmMs))
  const samples = new Map<string, number[]>(runners.map(({ id }) => [id, []]))
  for (let round = 0; round < rounds; round++) {
    for (const runner of shuffled(runners))
      samples.get(runner.id)?.push(await runner.slice(workload, sizes.get(runner) ?? 1))
    onRound?.(round)
  }
  return samples
}

/** Runs until the engine has had its time to optimise; gives how many operations make a slice. */
async function warm(runner: Runner, workload: Workload, sliceMs: number, warmMs: number): Promise<number> {
  const sizeFor = (ns: number): number => Math.max(1, Math.min(100_000, Math.round((sliceMs * 1e6) / ns)))
  let ns = await runner.slice(workload, 1)
  const end = performance.now() + warmMs
  while (performance.now() < end) ns = await runner.slice(workload, sizeFor(ns))
  return sizeFor(ns)
}
