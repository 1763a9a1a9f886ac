// What `npm test`, `npm run demo`, `npm run test:deep` and `npm run bench` call. It needs git, Node 20 and npm only:
// it brings the pinned pnpm, installs what the lock file says, builds, and then does the job.
// `node scripts/run.mjs <job> [arguments for vitest, the demo or the benchmarks]`
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const pnpm = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager
const [job, ...rest] = process.argv.slice(2)
const finished = []

// Of a program that is started, stdout is the program's alone: what it says there may be JSON.
const isProgram = job === 'demo' || job === 'bench'
const say = isProgram ? console.error : console.log
const aside = isProgram ? 2 : 'inherit'

const jobs = {
  setup: () => prepare(),
  test: () => test(),
  'test:deep': () => testDeep(),
  demo: () => startIn('@pawl/example-assistant-step', 'start'),
  bench: () => startIn('@pawl/benchmarks', 'bench'),
}

const nodeMajor = Number(process.versions.node.split('.')[0])
if (nodeMajor < 20)
  stop(`pawl needs Node 20 or newer, and this is Node ${process.versions.node}. Install a newer Node and try again.`)
if (!Object.hasOwn(jobs, job ?? '')) stop(`Unknown job "${job ?? ''}". There are: ${Object.keys(jobs).join(', ')}.`)
if (process.env.PAWL_PNPM !== pnpm) bringPnpm()
jobs[job]()

/** Starts this script again with the pinned pnpm first on the PATH, and ends as that run ends. */
function bringPnpm() {
  const env = { ...process.env, PAWL_PNPM: pnpm, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' }
  delete env.NODE_ENV // "production" would leave out what a build and a test need
  const args = ['-y', '-p', pnpm, '--', process.execPath, join('scripts', 'run.mjs'), job, ...rest]
  const { status, error } = spawnSync('npx', args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
  if (error) stop(`npx did not start: ${error.message}`)
  process.exit(status ?? 1)
}

function prepare() {
  step('install', 'pnpm', ['install', '--frozen-lockfile', '--reporter=append-only', '--loglevel=warn']) || giveUp()
  step('build', 'pnpm', ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only']) || giveUp()
}

function test() {
  prepare()
  step('typecheck', bin('tsc'), ['-p', 'tsconfig.json'])
  step('lint', bin('biome'), ['check', '.'])
  step('dependency directions', process.execPath, ['scripts/check-dependencies.mjs'])
  step('decision records', process.execPath, ['scripts/check-decisions.mjs'])
  step('published packages', process.execPath, ['scripts/check-packages.mjs'])
  conclude(vitest('tests'))
}

function testDeep() {
  prepare()
  conclude(vitest('deep tests', { PAWL_DEEP: '1' }))
}

function startIn(name, script) {
  prepare()
  const ok = step(script, 'pnpm', ['--silent', '--filter', name, 'run', script, ...rest], {}, 'inherit')
  process.exit(ok ? 0 : 1)
}

/** Runs every test and type test; returns vitest's own counts. Nothing run counts as a failure of the step. */
function vitest(title, env = {}) {
  const output = join(root, 'node_modules', '.cache', 'vitest-results.json')
  mkdirSync(dirname(output), { recursive: true })
  rmSync(output, { force: true })
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${output}`, ...rest]
  step(title, bin('vitest'), args, env)
  try {
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(output, 'utf8'))
    if (passed + failed === 0) finished.push({ title: 'at least one test ran', ok: false, seconds: '0.0' })
    return { passed, failed }
  } catch {
    return { passed: 0, failed: 0 }
  }
}

/** One command, with a line before it and one after; the job goes on after a failure so that one run shows all of them. */
function step(title, command, args, env = {}, stdout = aside) {
  say(`\n==> ${title}`)
  const started = Date.now()
  const stdio = ['ignore', stdout, 'inherit']
  const { status, signal, error } = spawnSync(command, args, { cwd: root, env: { ...process.env, ...env }, stdio })
  const ok = status === 0
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  finished.push({ title, ok, seconds })
  const reason = error?.message ?? (signal ? `ended by ${signal}` : `exit code ${status}`)
  say(`<== ${title}: ${ok ? 'ok' : `FAILED (${reason})`}, ${seconds} s`)
  return ok
}

function summary() {
  say('\nSummary')
  for (const { title, ok, seconds } of finished) say(`  ${ok ? 'ok    ' : 'FAILED'}  ${title} (${seconds} s)`)
  return finished.every(({ ok }) => ok)
}

function conclude({ passed, failed }) {
  const ok = summary() && failed === 0
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exit(ok ? 0 : 1)
}

function giveUp() {
  summary()
  stop(`\n${job} stopped: what follows needs the step that failed.`)
}

function bin(name) {
  return join(root, 'node_modules', '.bin', name)
}

function stop(reason) {
  console.error(reason)
  process.exit(1)
}
