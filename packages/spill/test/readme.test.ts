import { readFileSync } from 'node:fs'
import * as core from '@pawl/core'
import { expect, test } from 'vitest'
import * as spill from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const [program = '', ...others] = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code as string)

type Program = (console: { log(...values: unknown[]): void }, pawl: object) => Promise<void>
const AsyncFunction = (async () => {}).constructor as new (...parameters: string[]) => Program

test('the program of the README prints what it says', async () => {
  const script = program.replace(/^import \{(.*?)\} from '.*'$/gm, 'const {$1} = pawl')
  const printed: string[] = []
  const log = (...values: unknown[]): void => {
    printed.push(values.join(' ').replace(/spill_[0-9a-f]+/, 'spill_…'))
  }
  await new AsyncFunction('console', 'pawl', script)({ log }, { ...core, ...spill })
  const promised = [...program.matchAll(/(?:^|console\.log\(.*)\/\/ ?(.*)$/gm)].map(([, words]) => words)
  expect(printed.join('\n').split('\n')).toEqual(promised)
  expect(others).toEqual([])
})

test('the README names every function, every option and every code as it is', () => {
  for (const name of Object.keys(spill)) if (name !== 'readSpillErrorCodes') expect(readme).toContain(name)
  for (const [code, meaning] of Object.entries(spill.readSpillErrorCodes))
    expect(readme).toMatch(new RegExp(`\\| \`${code}\` +\\| ${meaning.replace(/[.*+?()]/g, '\\$&')} +\\|`))
})
