// Packs every publishable package as it would be published, and lets publint and "are the types wrong" judge the result.
// Needs a build before it, and pnpm on the PATH. `node scripts/check-packages.mjs [package name …]`
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publishablePackages, repositoryRoot } from './workspace.mjs'

const bin = (name) => join(repositoryRoot, 'node_modules', '.bin', name)
const wanted = process.argv.slice(2)
const queue = publishablePackages().filter(({ manifest }) => wanted.length === 0 || wanted.includes(manifest.name))
const scratch = mkdtempSync(join(tmpdir(), 'pawl-pack-'))
let failures = 0

/** Runs to the end; resolves to the exit code and all that was printed. */
function run(command, args, cwd) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks = []
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.on('error', (error) => resolve({ code: 1, output: error.message }))
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString() }))
  })
}

async function check({ folder, manifest }) {
  const target = join(scratch, folder.replaceAll('/', '-'))
  const packed = await run('pnpm', ['pack', '--pack-destination', target], join(repositoryRoot, folder))
  const tarball = packed.code === 0 ? readdirSync(target).find((file) => file.endsWith('.tgz')) : undefined
  if (tarball === undefined) return report(manifest.name, [['pnpm pack', { code: 1, output: packed.output }]])
  const path = join(target, tarball)
  report(manifest.name, [
    ['publint', await run(bin('publint'), ['--strict', path], repositoryRoot)],
    ['attw', await run(bin('attw'), [path, '--profile', 'esm-only'], repositoryRoot)],
  ])
}

function report(name, results) {
  const failed = results.filter(([, { code }]) => code !== 0)
  failures += failed.length > 0 ? 1 : 0
  console.log(`${failed.length > 0 ? 'FAIL' : 'ok  '} ${name}  ${results.map(([tool]) => tool).join(', ')}`)
  for (const [tool, { output }] of failed) console.log(`--- ${tool}\n${output.trim()}\n`)
}

async function worker() {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) await check(next)
}

try {
  await Promise.all([worker(), worker()])
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
process.exit(failures > 0 ? 1 : 0)
