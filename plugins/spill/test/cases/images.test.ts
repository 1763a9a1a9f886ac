import type { Content } from '@pawl/core'
import { expect, test } from 'vitest'
import { bothWays, countingStore } from '../support/world.ts'

const data = 'A'.repeat(270_000)
const shot: Content[] = [
  { type: 'image', mimeType: 'image/png', data },
  { type: 'text', text: 'shot' },
]

test('M1: a picture within its bound stays one block, and is no text', async () => {
  const [{ content }] = await bothWays(shot, { store: countingStore() })
  expect(content).toEqual(shot)
})

test('M1: one that is too large leaves a short notice with its type and size, and comes back as a picture', async () => {
  const store = countingStore()
  const [{ content, trace }] = await bothWays(shot, { store, maxBlobBytes: 100_000 })
  const words = JSON.stringify(content)
  expect(words).toContain('image (image/png) of 202,500 bytes left out')
  expect(words).toContain('shot')
  expect(words.length).toBeLessThanOrEqual(1_000)
  expect(words).not.toMatch(/A{20}/)
  const { blobs } = trace.spill as { blobs: [{ locator: string }] }
  const range = await store.read({ session: undefined, locator: blobs[0].locator, offset: 0, limit: 1_000_000 })
  expect([Buffer.from(range?.data ?? []).toString('base64'), range?.mediaType]).toEqual([data, 'image/png'])
})
