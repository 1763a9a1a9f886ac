import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rulesFor, type Target } from '@pawl/spill-contract'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { spillFs } from '../src/index.ts'

const isDeep = process.env.PAWL_DEEP === '1'
let roots: string
let count = 0

beforeAll(async () => {
  roots = await mkdtemp(join(tmpdir(), 'spill-fs-'))
})
afterAll(() => rm(roots, { recursive: true, force: true }))

const temporary: Target = {
  create: (making) => spillFs(making),
  claims: ['blobs', 'quota', 'expiry'],
  runs: isDeep ? 20_000 : 1_000,
}

/** Waits for the disk with each saving, so it tries less. */
const lasting: Target = {
  create: (making) => spillFs({ ...making, root: join(roots, `${count++}`, 'made') }),
  claims: ['blobs', 'quota', 'expiry'],
  runs: isDeep ? 2_000 : 100,
}

describe.each([
  ['a temporary folder', temporary],
  ['a folder of its own', lasting],
])('in %s', (_, target) => {
  for (const { id, sentence, check } of rulesFor(target))
    test(`${id} ${sentence}`, { timeout: isDeep ? 600_000 : 60_000 }, () => check(target))
})
