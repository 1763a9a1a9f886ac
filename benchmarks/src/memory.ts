import { getEventListeners } from 'node:events'
import { makeContender } from './catalogue.ts'

/*
 * `node --expose-gc memory.js <contender> <calls>`: what is left of many calls that share one signal. Prints JSON.
 */

/** What the process prints. */
export interface MemoryReport {
  readonly calls: number
  /** Bytes of heap, after full collections, more than before the calls. */
  readonly growth: number
  readonly growthInFirstHalf: number
  readonly listeners: number
}

const [, , id = '', many = '200000'] = process.argv
const { call } = await makeContender(id)
const collect = (globalThis as { gc?: () => void }).gc
if (call === undefined || collect === undefined)
  throw new Error('memory.js needs --expose-gc and a contender with calls.')

const { signal } = new AbortController()
async function heap(): Promise<number> {
  for (let times = 0; times < 4; times++) {
    collect?.()
    await new Promise((done) => setImmediate(done))
  }
  return process.memoryUsage().heapUsed
}
async function run(count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    await call?.(signal)
    if (at % 500 === 0) await new Promise((done) => setImmediate(done)) // as a live process gives timers and finalizers their turn
  }
}

const calls = Number(many)
await run(5_000)
const before = await heap()
await run(calls / 2)
const half = await heap()
await run(calls / 2)
const after = await heap()
const report: MemoryReport = {
  calls,
  growth: after - before,
  growthInFirstHalf: half - before,
  listeners: getEventListeners(signal, 'abort').length,
}
console.log(JSON.stringify(report))
