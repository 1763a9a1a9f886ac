import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { memorySpillStore } from '@pawl/spill'
import { describe, test } from 'vitest'
import { rulesFor, type Target, type TestedStore } from '../src/index.ts'
import { aliased } from './aliased.ts'

/** Stores that are right, and unlike any other. */
const eccentrics: { readonly [is: string]: (good: Required<TestedStore>) => Partial<TestedStore> } = {
  'has locators of quotes, line ends and paths': (good) =>
    aliased(good, () => `"../../etc/passwd"\n'${randomBytes(20).toString('base64')}'\\`),
  'has locators of four kilobytes': (good) => aliased(good, () => randomBytes(2_000).toString('hex')),
  'takes its time': (good) => ({
    async saveText(request) {
      await sleep(1)
      return good.saveText(request)
    },
    async read(request) {
      await sleep(1)
      return good.read(request)
    },
  }),
}

describe.each(Object.entries(eccentrics))('a store that %s', (_, change) => {
  const target: Target = {
    create(making) {
      const good = memorySpillStore(making)
      return { ...good, ...change(good) }
    },
    claims: ['blobs', 'quota'],
    runs: 50,
  }
  for (const { id, sentence, check } of rulesFor(target))
    test(`${id} ${sentence}`, { timeout: 30_000 }, () => check(target))
})
