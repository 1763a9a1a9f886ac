import { TextRetainer } from '@pawl/retention'
import { quartilesOf, ratiosInRounds, shuffled } from './statistics.ts'

/*
 * `node dist/retention.js [rounds]`: how fast text goes through a `TextRetainer` that keeps 8 KiB at either end, beside
 * `Buffer.copy` over the same bytes and beside keeping everything and slicing at the end. All take turns in one process; ratios
 * are taken inside a round.
 */

const mebibyte = 1_048_576
const kept = { head: { bytes: 8_192 }, tail: { bytes: 8_192 } }

interface Load {
  readonly title: string
  readonly line: string
  readonly mebibytes: number
  /** Bytes of a chunk. */
  readonly chunk: number
}

const log = '2026-01-01T00:00:00Z INFO worker-12 processed request id=abc123 in 34 ms status=200 path=/v1/x\n'
const loads: readonly Load[] = [
  { title: 'ASCII log', line: log, mebibytes: 64, chunk: 65_536 },
  {
    title: 'German text',
    line: 'Übermorgen wäre es schön, größere Äpfel zu pflücken.\n',
    mebibytes: 64,
    chunk: 65_536,
  },
  { title: 'Japanese text', line: 'これは日本語の文章です。😀\n', mebibytes: 64, chunk: 65_536 },
  { title: 'ASCII log, 4 KiB chunks', line: log, mebibytes: 64, chunk: 4_096 },
  { title: 'ASCII log, 16 byte chunks', line: log, mebibytes: 4, chunk: 16 },
]

interface Contender {
  readonly label: string
  run(chunks: readonly Buffer[], texts: readonly string[]): unknown
}

const target = Buffer.alloc(65_536)
const copy: Contender = {
  label: 'Buffer.copy',
  run(chunks) {
    for (const chunk of chunks) chunk.copy(target)
  },
}
const contenders: readonly Contender[] = [
  copy,
  { label: 'headTail, bytes', run: (chunks) => retain(chunks) },
  { label: 'headTail, strings', run: (_, texts) => retain(texts) },
  {
    label: 'naive: concatenate, decode, slice',
    run(chunks) {
      const text = Buffer.concat(chunks).toString()
      return text.slice(0, kept.head.bytes) + text.slice(-kept.tail.bytes)
    },
  },
]

function retain(chunks: readonly (string | Uint8Array)[]): unknown {
  const retainer = new TextRetainer(kept)
  for (const chunk of chunks) retainer.push(chunk)
  return retainer.finish()
}

function measure({ title, line, mebibytes, chunk }: Load, rounds: number): void {
  const bytes = Buffer.alloc(mebibytes * mebibyte, line)
  const chunks = Array.from({ length: bytes.length / chunk }, (_, at) => bytes.subarray(at * chunk, (at + 1) * chunk))
  const texts = chunks.map((piece) => piece.toString())
  const samples = new Map<Contender, number[]>(contenders.map((one) => [one, []]))
  for (const one of contenders) one.run(chunks, texts)
  for (let round = 0; round < rounds; round++) {
    for (const one of shuffled(contenders)) {
      const start = performance.now()
      one.run(chunks, texts)
      samples.get(one)?.push(performance.now() - start)
    }
  }
  const taken = (one: Contender): readonly number[] => samples.get(one) ?? []
  for (const one of contenders) {
    const speed = bytes.length / quartilesOf(taken(one)).median / 1e6
    const { low, median, high } = quartilesOf(ratiosInRounds(taken(copy), taken(one)))
    const ratio = `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`
    console.log(`| ${title} | ${one.label} | ${speed.toFixed(2)} | ${ratio} |`)
  }
}

const rounds = Number(process.argv[2] ?? 20)
console.log('| load | contender | GB/s, median | speed ÷ Buffer.copy (quartiles) |\n|---|---|--:|--:|')
for (const load of loads) measure(load, rounds)
