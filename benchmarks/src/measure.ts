import { type Workload, workloads } from './contender.ts'
import { Hand } from './hand.ts'
import { type Quartiles, quartilesOf, ratiosInRounds } from './statistics.ts'
import { takeTurns } from './turns.ts'

export interface MeasureOptions {
  /** Rounds of each workload in one generation. */
  readonly rounds: number
  /** How often all processes are started anew: what the engine makes of the same code differs from process to process. */
  readonly generations: number
  readonly warmMs: number
  readonly say: (line: string) => void
}

/** One contender at one workload. */
export interface Measured {
  readonly label: string
  /** ns for each operation, round by round over all generations. */
  readonly samples: readonly number[]
}

/** What was measured, and who could not be. */
export class Measurements {
  readonly failed: Map<string, string> = new Map()
  readonly #byWorkload = new Map<Workload, Map<string, Measured>>(workloads.map((workload) => [workload, new Map()]))

  add(workload: Workload, id: string, label: string, samples: readonly number[]): void {
    const before = this.#byWorkload.get(workload)?.get(id)?.samples ?? []
    this.#byWorkload.get(workload)?.set(id, { label, samples: [...before, ...samples] })
  }

  of(workload: Workload): ReadonlyMap<string, Measured> {
    return this.#byWorkload.get(workload) ?? new Map()
  }

  /** Median ns for each operation; `undefined` if it was not measured. */
  ns(workload: Workload, id: string): number | undefined {
    const samples = this.of(workload).get(id)?.samples
    return samples === undefined ? undefined : quartilesOf(samples).median
  }

  /** One contender over another in the same rounds; `undefined` if one of them was not measured. */
  ratio(workload: Workload, id: string, other: string): Quartiles | undefined {
    return this.#ratio(this.of(workload).get(id), this.of(workload).get(other))
  }

  /** One workload over another of the same contender. */
  growth(id: string, workload: Workload, smaller: Workload): Quartiles | undefined {
    return this.#ratio(this.of(workload).get(id), this.of(smaller).get(id))
  }

  #ratio(one: Measured | undefined, other: Measured | undefined): Quartiles | undefined {
    return one && other && quartilesOf(ratiosInRounds(one.samples, other.samples))
  }
}

/** ms that one slice should take: short, so that a round is over before the machine has changed. */
const sliceMs = 15
/** Those that take long, or a fixed time, need fewer rounds. */
const share: { readonly [W in Workload]?: number } = {
  sleep: 0.3,
  text: 0.4,
  rows: 0.3,
  'step 10,000': 0.5,
  'step 1,000': 0.5,
}

/** Starts all contenders, has them take turns at every workload, and stops them; as often as there are generations. */
export async function measure(ids: readonly string[], options: MeasureOptions): Promise<Measurements> {
  const measurements = new Measurements()
  for (let generation = 1; generation <= options.generations; generation++) {
    const hands = await startAll(ids, measurements, options)
    try {
      for (const workload of workloads) await measureOne(workload, hands, measurements, options, generation)
    } finally {
      for (const hand of hands) hand.stop()
    }
  }
  return measurements
}

async function startAll(ids: readonly string[], { failed }: Measurements, { say }: MeasureOptions): Promise<Hand[]> {
  const hands: Hand[] = []
  for (const id of ids) {
    if (failed.has(id)) continue
    try {
      hands.push(await Hand.start(id))
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown)
      failed.set(id, why)
      say(`  ${id} is left out: ${why}`)
    }
  }
  return hands
}

async function measureOne(
  workload: Workload,
  hands: readonly Hand[],
  measurements: Measurements,
  { rounds, generations, warmMs, say }: MeasureOptions,
  generation: number,
): Promise<void> {
  const able = hands.filter((hand) => hand.workloads.includes(workload))
  if (able.length === 0) return
  say(`  ${generation}/${generations} ${workload}: ${able.length} contenders`)
  const turns = Math.max(1, Math.round(rounds * (share[workload] ?? 1)))
  const isFixed = workload === 'sleep'
  const samples = await takeTurns(able, workload, {
    rounds: turns,
    sliceMs: isFixed ? 1 : sliceMs,
    warmMs: isFixed ? 1 : warmMs,
  })
  for (const { id, label } of able) measurements.add(workload, id, label, samples.get(id) ?? [])
}
