import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SpillFsOptions } from '../../src/index.ts'

/** One line of what a writer tells. */
interface Told {
  readonly locator?: string
  readonly bytes?: number
  readonly text?: string
  readonly grownBy?: number
  readonly failure?: string
}

/** A writer that runs. */
export interface Running {
  readonly child: ChildProcess
  /** So far; a line that was cut off by the end of the process is left out. */
  readonly told: Told[]
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>
}

const writer = fileURLToPath(new URL('writer.mjs', import.meta.url))

/** Starts a writer below a shell that limits it first, as with `umask 000` or `ulimit -f 100`. */
export function start(
  folder: string,
  what: string,
  options: SpillFsOptions,
  { times = 1, limit = ':' }: { readonly times?: number; readonly limit?: string } = {},
): Running {
  const args = [process.execPath, writer, join(folder, 'index.js'), what, JSON.stringify(options), `${times}`]
  const child = spawn('sh', ['-c', `${limit} && exec "$@"`, 'sh', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const told: Told[] = []
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    told.push(...lines.map((line) => JSON.parse(line) as Told))
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  return { child, told, ended }
}
