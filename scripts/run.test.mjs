import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
let bin

beforeAll(() => {
  bin = mkdtempSync(join(tmpdir(), 'pawl-run-test-'))
  const pnpm = `#!/bin/sh
case "$*" in
  *"run start --json"*) echo '{"ok":true}' ;;
  *FAIL*) exit 3 ;;
  *) echo "noise of $1" ;;
esac`
  writeFileSync(join(bin, 'pnpm'), pnpm, { mode: 0o755 })
})
afterAll(() => rmSync(bin, { recursive: true }))

/** Runs a job with a pnpm that does nothing but speak. */
function run(...args) {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const env = { ...process.env, PAWL_PNPM: packageManager, PATH: `${bin}${delimiter}${process.env.PATH}` }
  return spawnSync(process.execPath, [join(root, 'scripts', 'run.mjs'), ...args], { env, encoding: 'utf8' })
}

test.skipIf(process.platform === 'win32')('what the demo says is alone on stdout', () => {
  const { status, stdout, stderr } = run('demo', '--json')
  expect(JSON.parse(stdout)).toEqual({ ok: true })
  expect(stderr).toMatch(/==> install\nnoise of install\n.*==> build\nnoise of exec\n.*<== start: ok/s)
  expect(status).toBe(0)
})

test.skipIf(process.platform === 'win32')('a demo that fails makes the exit code 1', () => {
  const { status, stderr } = run('demo', 'FAIL')
  expect(stderr).toContain('<== start: FAILED (exit code 3)')
  expect(status).toBe(1)
})

test('an unknown job is told what there is', () => {
  expect(run('tset')).toMatchObject({ status: 1, stderr: expect.stringContaining('There are: setup, test,') })
})
