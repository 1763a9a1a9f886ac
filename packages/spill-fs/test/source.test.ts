import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('a store takes in what it is given as every store does', () => {
  const ours = readFileSync(new URL('../src/source.ts', import.meta.url), 'utf8')
  expect(ours).toBe(readFileSync(new URL('../../spill/src/source.ts', import.meta.url), 'utf8'))
})
