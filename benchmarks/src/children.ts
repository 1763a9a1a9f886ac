import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { MemoryReport } from './memory.ts'
import { quantile } from './statistics.ts'

const run = promisify(execFile)
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

async function json(args: readonly string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, args)
  return JSON.parse(stdout)
}

/** What many calls of a contender on one signal leave behind. */
export async function measureMemory(id: string, calls: number): Promise<MemoryReport> {
  return (await json(['--expose-gc', here('./memory.js'), id, String(calls)])) as MemoryReport
}

export interface Startup {
  /** Median ms of fresh processes. */
  readonly ajv: number
  readonly pawl: number
}

/** Times importing ajv, and importing pawl with a runtime of 1,000 tools, in fresh processes that take turns. */
export async function measureStartup(times: number): Promise<Startup> {
  const taken: { [what in keyof Startup]: number[] } = { ajv: [], pawl: [] }
  for (let at = 0; at < times; at++)
    for (const what of ['ajv', 'pawl'] as const) taken[what].push(Number(await json([here('./startup.js'), what])))
  return { ajv: quantile(taken.ajv, 0.5), pawl: quantile(taken.pawl, 0.5) }
}
