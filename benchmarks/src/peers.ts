import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../peers/', import.meta.url))

/** Installs the peers if they are not there. @returns why they can not be had, or `undefined` */
export function installPeers(say: (line: string) => void): string | undefined {
  if (existsSync(`${folder}node_modules`)) return undefined
  say('installing the peers, some 400 MB, into benchmarks/peers')
  const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  try {
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    return undefined
  } catch (thrown) {
    const { stderr, message } = thrown as Error & { stderr?: Buffer }
    return (stderr?.toString().trim() || message).slice(0, 500)
  }
}

/** The versions of the peers, as pinned. */
export function peerVersions(): ReadonlyMap<string, string> {
  const { dependencies } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8')) as {
    dependencies: Record<string, string>
  }
  return new Map(Object.entries(dependencies))
}
