import { createToolRuntime, type ToolRuntime } from '@pawl/core'
import { spill } from '@pawl/plugin-spill'
import { memorySpillStore, type SpillStore } from '@pawl/spill'
import { spillFs } from '@pawl/spill-fs'
import { timeSlice } from './slice.ts'
import { quartilesOf, ratiosInRounds, shuffled } from './statistics.ts'

/*
 * `node dist/spill.js [rounds]`: a call whose result has 10 MB of text, with the spill plugin, beside what its store takes to save
 * the same text. All take turns in one process; ratios are taken inside a round.
 */

const bytes = 10_000_000
/** In a row: collecting what a saving leaves behind costs as much as the saving, and should fall to whom it belongs. */
const runs = 10
const log = '2026-01-01T00:00:00Z INFO worker-12 processed request id=abc123 in 34 ms status=200 path=/v1/x\n'
const loads = { 'ASCII log': log, 'Japanese text': 'これは日本語の文章です。😀\n' }

interface Contender {
  readonly label: string
  run(): Promise<unknown>
}

function runtimeOf(text: string, store?: SpillStore): ToolRuntime {
  const report = {
    name: 'report',
    description: 'Gives a long text.',
    parameters: {},
    output: { schema: { type: 'string' } },
    execute: () => text,
  } as const
  return createToolRuntime({ tools: [report], plugins: store === undefined ? [] : [spill({ store })] })
}

function contendersOf(text: string, store: SpillStore): readonly [Contender, ...Contender[]] {
  const spilled = runtimeOf(text, store)
  const plain = runtimeOf(text)
  return [
    { label: 'the store alone', run: () => store.saveText({ session: 'a', text }) },
    { label: 'a call, spilled', run: () => spilled.execute({ name: 'report' }, { session: 'a' }) },
    { label: 'a call, whole', run: () => plain.execute({ name: 'report' }, { session: 'a' }) },
  ]
}

async function measure(title: string, line: string, store: SpillStore, rounds: number): Promise<void> {
  const text = line.repeat(bytes / Buffer.byteLength(line))
  const contenders = contendersOf(text, store)
  const samples = new Map<Contender, number[]>(contenders.map((one) => [one, []]))
  for (const one of contenders) await one.run()
  for (let round = 0; round < rounds; round++) {
    for (const one of shuffled(contenders)) {
      samples.get(one)?.push((await timeSlice(() => one.run(), runs)) / 1e6)
    }
  }
  const taken = (one: Contender): readonly number[] => samples.get(one) ?? []
  for (const one of contenders) {
    const { low, median, high } = quartilesOf(ratiosInRounds(taken(one), taken(contenders[0])))
    const ratio = `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`
    console.log(`| ${title} | ${one.label} | ${quartilesOf(taken(one)).median.toFixed(2)} | ${ratio} |`)
  }
}

const rounds = Number(process.argv[2] ?? 20)
console.log('| 10 MB of | contender | ms, median | ÷ the store alone (quartiles) |\n|---|---|--:|--:|')
for (const [title, line] of Object.entries(loads)) {
  const stores = { memory: memorySpillStore(), files: spillFs({ quotaBytes: 20 * bytes }) }
  for (const [where, store] of Object.entries(stores)) {
    await measure(`${title}, ${where}`, line, store, rounds)
    await store.close()
  }
}
