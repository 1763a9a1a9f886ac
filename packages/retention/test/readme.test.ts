import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as retention from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const programs = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, program]) => program as string)

type Program = (console: { log(...values: unknown[]): void }, pawl: typeof retention) => Promise<void>
const AsyncFunction = (async () => {}).constructor as new (...parameters: string[]) => Program

/** The README's programs are TypeScript; all that has to go is the import and what types say. */
function runnable(program: string): Program {
  const script = program
    .replace(/^import \{(.*?)\} from '@pawl\/retention'$/gm, 'const {$1} = pawl')
    .replaceAll('body!', 'body')
    .replaceAll('<string>', '')
  return new AsyncFunction('console', 'pawl', script)
}

/** What the comments of a program say that it prints. */
function promised(program: string): string {
  return [...program.matchAll(/(?:^|console\.log\(.*)\/\/ (.*)$/gm)].map(([, words]) => words).join('\n')
}

test.each(programs)('program %# of the README prints what it says', async (program) => {
  const printed: string[] = []
  const log = (...values: unknown[]): void => {
    const words = values.map((value) =>
      typeof value === 'object'
        ? JSON.stringify(value)
            .replace(/"(\w+)":/g, ' $1: ')
            .replace(/\}$/, ' }')
        : value,
    )
    printed.push(words.join(' '))
  }
  await runnable(program)({ log }, retention)
  expect(printed.join('\n').trimEnd()).toBe(promised(program))
})

test('every program of the README was run, and every function is named in it', () => {
  expect(programs).toHaveLength(3)
  for (const name of Object.keys(retention)) expect(readme).toContain(name)
})
