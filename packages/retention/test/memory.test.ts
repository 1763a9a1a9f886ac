import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { ItemRetainer, LineWindow, TextRetainer } from '../src/index.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes of buffers that are still reachable. What a collection finds may be counted off only a moment later. */
async function buffersHeld(): Promise<number> {
  for (let at = 0; at < 3; at++) {
    collect()
    await new Promise((done) => setTimeout(done, 1))
  }
  return process.memoryUsage().arrayBuffers
}

const line = 'the quick brown fox jumps over the lazy dog\n'
const budget = 16_384
const cases = {
  head: { head: { bytes: budget } },
  tail: { tail: { bytes: budget } },
  headTail: { head: { bytes: budget }, tail: { bytes: budget, lines: undefined } },
  'lines and bytes': { head: { bytes: budget, lines: 10 }, tail: { bytes: budget, lines: 10 } },
  'tail of lines': { tail: { lines: Math.floor(budget / line.length) } },
  characters: { head: { characters: budget / 4 }, tail: { characters: budget / 4 } },
}

test.each(Object.entries(cases))('RET-6 memory stays within the budgets plus one chunk: %s', async (_, options) => {
  const chunks = [Buffer.from(line.repeat(1_500)), line, Buffer.from(line), line.repeat(1_500)]
  for (const chunk of chunks) {
    const before = await buffersHeld()
    const retainer = new TextRetainer(options)
    for (let at = 0; at < 2_000; at++) retainer.push(chunk)
    // 4 KiB for what is known around a cut, and for others in this process.
    expect((await buffersHeld()) - before).toBeLessThanOrEqual(2 * budget + chunk.length + 4_096)
    retainer.finish()
    expect((await buffersHeld()) - before).toBeLessThanOrEqual(4_096)
  }
})

test('RET-6 a small piece of a large buffer does not keep the buffer', async () => {
  const retainer = new TextRetainer({ tail: { bytes: budget } })
  const before = await buffersHeld()
  for (let at = 0; at < 50; at++) retainer.push(new Uint8Array(1_000_000).subarray(0, 100))
  expect((await buffersHeld()) - before).toBeLessThanOrEqual(budget + 4_096)
  expect(retainer.finish().kept.bytes).toBe(5_000)
})

test('RET-6 a window of lines holds no more than its bytes', async () => {
  const before = await buffersHeld()
  const window = new LineWindow({ offset: 2, limit: 1_000_000, bytes: budget })
  for (let at = 0; at < 20_000; at++) window.push(line)
  expect((await buffersHeld()) - before).toBeLessThanOrEqual(budget + 4_096)
  expect(window.finish().seen.lines).toBe(20_000)
})

test('RET-6 items that were left out are let go', async () => {
  const retainer = new ItemRetainer<object>({ head: { items: 3 }, tail: { items: 3 } })
  const pushed = Array.from({ length: 1_000 }, () => {
    const item = { text: line }
    retainer.push(item)
    return new WeakRef(item)
  })
  await buffersHeld()
  expect(pushed.filter((item) => item.deref() !== undefined)).toHaveLength(6)
  expect(retainer.finish().kept.items).toBe(6)
})
