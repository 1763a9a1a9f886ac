import { expect, test } from 'vitest'
import { TextRetainer, type TextRetainerOptions } from '../src/index.ts'

const line = '2026-01-01T00:00:00Z INFO worker-12 processed request id=abc123 in 34 ms status=200\n'
const budgets: [string, TextRetainerOptions][] = [
  ['bytes', { head: { bytes: 8_192 }, tail: { bytes: 8_192 } }],
  ['lines', { head: { lines: 100 }, tail: { lines: 100 } }],
  ['lines and bytes', { head: { lines: 100, bytes: 8_192 }, tail: { lines: 100, bytes: 8_192 } }],
  ['characters', { tail: { characters: 4_096 }, cut: 'graphemes' }],
]

function push(options: TextRetainerOptions, chunk: string | Uint8Array, times: number): void {
  const retainer = new TextRetainer(options)
  for (let at = 0; at < times; at++) retainer.push(chunk)
  retainer.finish()
}

/** Noise only ever adds, so the shortest of some runs counts. */
function shortest(run: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let at = 0; at < 5; at++) {
    const start = performance.now()
    run()
    best = Math.min(best, performance.now() - start)
  }
  return best
}

/** What looks bad is measured again: what really is bad looks so every time. */
function bestOf(ratio: () => number, isGood: (ratio: number) => boolean): number {
  let found = ratio()
  for (let tries = 0; tries < 5 && !isGood(found); tries++) found = ratio()
  return found
}

test.each(budgets)('chunks of 16 bytes cost the same however many came before: %s', (_, options) => {
  for (const chunk of [Buffer.from(line).subarray(0, 16), line.slice(68)]) {
    const ratio = (): number =>
      shortest(() => push(options, chunk, 80_000)) / shortest(() => push(options, chunk, 10_000))
    // Eight times the chunks: linear cost gives about 8, quadratic cost 64.
    expect(bestOf(ratio, (found) => found < 20)).toBeLessThan(20)
  }
})

test('large chunks of bytes pass at a speed that compares with copying them', () => {
  const chunk = Buffer.from(line.repeat(1_000)).subarray(0, 65_536)
  const sources = Array.from({ length: 512 }, () => Buffer.from(chunk))
  const target = Buffer.alloc(65_536)
  const options = { head: { bytes: 8_192 }, tail: { bytes: 8_192 } }
  const copy = (): void => {
    for (const source of sources) source.copy(target)
  }
  const retain = (): void => {
    const retainer = new TextRetainer(options)
    for (const source of sources) retainer.push(source)
    retainer.finish()
  }
  // benchmarks/ tells the ratio exactly, about a half; a walk over each byte would be at a twentieth.
  expect(
    bestOf(
      () => shortest(copy) / shortest(retain),
      (found) => found > 0.25,
    ),
  ).toBeGreaterThan(0.25)
})
