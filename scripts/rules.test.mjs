import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from './workspace.mjs'

const ruleNumber = /\b(?:RES|STG|GRD|ASK|VAL|CAN|CON|ONI|JRN|TMO|RTY|MCP)-\d+\b/g

function numbersIn(text) {
  return text.match(ruleNumber) ?? []
}

/** The sources, tests and pages below a folder, but for what was installed or built. */
function textsBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : textsBelow(path)
    return /\.(ts|mjs|md)$/.test(entry.name) ? [readFileSync(path, 'utf8')] : []
  })
}

test('docs/rules.md explains every rule that the repository refers to, once, and no other', () => {
  const page = readFileSync(join(repositoryRoot, 'docs', 'rules.md'), 'utf8')
  const explained = [...page.matchAll(/^- \*\*(.+?)\*\* /gm)].map(([, number]) => number)
  const folders = ['packages', 'plugins', 'examples', 'benchmarks'].map((name) => join(repositoryRoot, name))
  const referred = new Set(folders.flatMap(textsBelow).flatMap(numbersIn))
  expect(explained.toSorted()).toEqual([...referred].toSorted())
})
