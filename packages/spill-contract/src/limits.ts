import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { assertSame, failureOf, readAll, withStore } from './stage.ts'
import type { Rule } from './target.ts'

const session = 'a'
const quotaBytes = 1_000

export const limits: readonly Rule[] = [
  {
    id: 'SPS-5',
    sentence: 'a quota removes whole artefacts, the oldest first, never the new one, and no more than it must',
    needs: 'quota',
    check: (target) =>
      fc.assert(
        fc.asyncProperty(fc.array(fc.integer({ min: 0, max: quotaBytes }), { minLength: 1, maxLength: 12 }), (sizes) =>
          withStore(target, { quotaBytes }, async (store) => {
            const saved: { locator: string; size: number }[] = []
            for (const size of sizes) {
              const { locator } = await store.saveText({ session, text: 'x'.repeat(size) })
              saved.unshift({ locator, size })
            }
            let room = quotaBytes
            for (const { locator, size } of saved) {
              room -= size
              const read = await readAll(store, session, locator)
              if (room < 0) assert.equal(read, undefined, `${size} bytes that had to make room`)
              else assertSame(read, Buffer.from('x'.repeat(size)), `${size} bytes, ${room} left`)
            }
          }),
        ),
        { numRuns: Math.ceil(target.runs / 20) },
      ),
  },
  {
    id: 'SPS-5',
    sentence: 'what alone is larger than the quota is refused, and costs no other artefact',
    needs: 'quota',
    check: (target) =>
      withStore(target, { quotaBytes }, async (store) => {
        const { locator } = await store.saveText({ session, text: 'kept' })
        const source = async function* (): AsyncGenerator<string> {
          for (;;) yield 'x'.repeat(100)
        }
        const failures = [
          await failureOf(store.saveText({ session, text: 'x'.repeat(quotaBytes + 1) }), 'saving more than the quota'),
          await failureOf(store.saveText({ session, text: source() }), 'saving without end'),
        ]
        for (const failure of failures)
          assert.match(String(failure), /quota/i, 'the words of the failure name the quota')
        assertSame(await readAll(store, session, locator), Buffer.from('kept'), 'what was there before')
      }),
  },
  {
    id: 'SPS-5',
    sentence: 'what has expired is gone as a whole, and what has not is there as a whole',
    needs: 'expiry',
    check: (target) =>
      withStore(target, { expiresAfterMs: 60_000 }, async (store) => {
        const { locator } = await store.saveText({ session, text: 'text' })
        const { now } = Date
        try {
          Date.now = () => now() + 50_000
          assertSame(await readAll(store, session, locator), Buffer.from('text'), 'before it expires')
          Date.now = () => now() + 70_000
          assert.equal(await readAll(store, session, locator), undefined, 'after it expired')
          const later = await store.saveText({ session, text: 'later' })
          assert.equal(later.bytes, 5)
        } finally {
          Date.now = now
        }
      }),
  },
]
