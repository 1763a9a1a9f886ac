import { memorySpillStore } from '@pawl/spill'
import { test } from 'vitest'
import { rulesFor, type Target } from '../src/index.ts'

const target: Target = {
  create: (making) => memorySpillStore(making),
  claims: ['blobs', 'quota'],
  runs: process.env.PAWL_DEEP === '1' ? 20_000 : 1_000,
}

for (const { id, sentence, check } of rulesFor(target))
  test(`${id} ${sentence}`, { timeout: 60_000 }, () => check(target))
