import { readFileSync } from 'node:fs'
import * as core from '@pawl/core'
import * as store from '@pawl/spill'
import { expect, test } from 'vitest'
import * as plugin from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const [program = '', ...others] = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code as string)

type Program = (console: { log(...values: unknown[]): void }, pawl: object) => Promise<void>
const AsyncFunction = (async () => {}).constructor as new (...parameters: string[]) => Program

test('the program of the README prints what it says', async () => {
  const script = program.replace(/^import \{(.*?)\} from '.*'$/gm, 'const {$1} = pawl')
  const printed: string[] = []
  const log = (text: string): void => void printed.push(text.trimEnd().replace(/spill_[0-9a-f]+/, 'spill_…'))
  await new AsyncFunction('console', 'pawl', script)({ log }, { ...core, ...store, ...plugin })
  const promised = [...program.matchAll(/^\/\/ (.*)$/gm)].map(([, words]) => words)
  expect(printed.join('\n').split('\n')).toEqual(promised)
  expect(others).toEqual([])
})

test('the README names every option', () => {
  try {
    plugin.spill({ wrong: true } as never)
  } catch (thrown) {
    const options = String(thrown).split('Known are: ')[1]?.slice(0, -1).split(', ') ?? []
    expect(options).toHaveLength(7)
    for (const option of options) expect(readme).toMatch(new RegExp(`^\\| \`${option}\` +\\|`, 'm'))
  }
})
