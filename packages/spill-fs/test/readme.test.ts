import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as core from '@pawl/core'
import * as spill from '@pawl/spill'
import { expect, test } from 'vitest'
import * as spillFs from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const [program = '', ...others] = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code as string)

type Program = (console: { log(...values: unknown[]): void }, pawl: object) => Promise<void>
const AsyncFunction = (async () => {}).constructor as new (...parameters: string[]) => Program

test('the program of the README prints what it says', async () => {
  const root = await mkdtemp(join(tmpdir(), 'spill-fs-'))
  const script = program
    .replace(/^import \{(.*?)\} from '.*'$/gm, 'const {$1} = pawl')
    .replace("'./spill'", JSON.stringify(join(root, 'spill')))
  const printed: unknown[] = []
  await new AsyncFunction('console', 'pawl', script)(
    { log: (words) => printed.push(words) },
    { ...core, ...spill, ...spillFs },
  )
  await rm(root, { recursive: true })
  expect(printed).toEqual(['three'])
  expect(program).toContain('// three')
  expect(others).toEqual([])
})
