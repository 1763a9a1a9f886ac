import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { own, peers } from './catalogue.ts'
import { measureMemory, measureStartup } from './children.ts'
import { measure } from './measure.ts'
import type { MemoryReport } from './memory.ts'
import { type BenchOptions, help, readOptions } from './options.ts'
import { installPeers, peerVersions } from './peers.ts'
import { reportOf } from './report.ts'
import { targetsOf } from './targets.ts'

const results = fileURLToPath(new URL('../RESULTS.md', import.meta.url))
const say = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

try {
  const options = readOptions(process.argv.slice(2))
  if (options.help) console.log(help)
  else await main(options)
} catch (thrown) {
  say(thrown instanceof Error ? thrown.message : String(thrown))
  say('See --help.')
  process.exitCode = 1
}

async function main(options: BenchOptions): Promise<void> {
  const started = Date.now()
  const { rounds, generations, isQuick } = options
  const missing = options.withPeers ? installPeers(say) : undefined
  if (missing !== undefined) say(`the peers are left out: ${missing}`)
  const withPeers = options.withPeers && missing === undefined

  say('speed')
  const ids = [...Object.keys(own), ...(withPeers ? Object.keys(peers) : [])].filter((id) => isWanted(id, options.only))
  const measurements = await measure(ids, { rounds, generations, warmMs: isQuick ? 50 : 400, say })
  say('memory')
  const memory = new Map<string, MemoryReport>()
  for (const id of ['pawl', 'pawl signal'].filter((id) => isWanted(id, options.only)))
    memory.set(id, await measureMemory(id, isQuick ? 20_000 : 200_000))
  say('startup')
  const startup = await measureStartup(isQuick ? 3 : 15)

  const targets = targetsOf({ measurements, memory, startup })
  const report = reportOf(targets, measurements, {
    date: new Date().toISOString().slice(0, 10),
    command: ['npm run bench', ...process.argv.slice(2).map((arg, at) => (at === 0 ? `-- ${arg}` : arg))].join(' '),
    node: process.version,
    cores: availableParallelism(),
    minutes: (Date.now() - started) / 60_000,
    versions: versions(withPeers),
  })
  console.log(
    options.asJson ? JSON.stringify({ targets, memory: Object.fromEntries(memory), startup }, null, 2) : report,
  )
  if (options.write) writeFileSync(results, `# Results\n\n${report}\n${notes()}`)
  if (Object.keys(own).some((id) => measurements.failed.has(id))) process.exitCode = 1
}

function isWanted(id: string, only: string | undefined): boolean {
  return only === undefined || id === 'F1' || id === 'F4' || id.includes(only)
}

function versions(withPeers: boolean): ReadonlyMap<string, string> {
  const version = (name: string): string =>
    (
      JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8')) as {
        version: string
      }
    ).version
  const mine = ['@pawl/core', 'ajv', 'koa-compose'].map((name): [string, string] => [name, version(name)])
  return new Map([...mine, ...(withPeers ? peerVersions() : [])])
}

/** What a person has written below the last report: it stays. */
function notes(): string {
  try {
    const text = readFileSync(results, 'utf8')
    const start = text.indexOf('\n## Notes')
    return start === -1 ? '' : text.slice(start)
  } catch {
    return '' // there is none yet
  }
}
