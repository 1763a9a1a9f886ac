import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkDecisions } from './check-decisions.mjs'

let root

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pawl-decisions-'))
  mkdirSync(join(root, 'docs/decisions'), { recursive: true })
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

function record(name) {
  writeFileSync(join(root, 'docs/decisions', name), '# A decision\n')
}

test('accepts unique numbers', () => {
  record('0000-template.md')
  record('0001-one-queue.md')
  expect(checkDecisions(root)).toEqual([])
})

test('flags a number that is taken twice, with both names', () => {
  record('0001-one-queue.md')
  record('0001-two-queues.md')
  const problems = checkDecisions(root)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain('0001-one-queue.md and 0001-two-queues.md')
})

test('flags a name without a number', () => {
  record('one-queue.md')
  expect(checkDecisions(root)).toHaveLength(1)
})
