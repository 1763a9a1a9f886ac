import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { piecemeal, texts } from './arbitraries.ts'
import { always, assertSame, locatorIn, readAll, withStore } from './stage.ts'
import type { Rule } from './target.ts'

const session = 'a'

export const saving: readonly Rule[] = [
  {
    id: 'SPS-1',
    sentence: 'what is read back by following the hint is what was saved, byte for byte',
    check: (target) =>
      always(target, texts, async (store, text) => {
        const ref = await store.saveText({ session, text })
        assertSame(await readAll(store, session, locatorIn(ref)), Buffer.from(text), 'the text')
      }),
  },
  {
    id: 'SPS-1',
    sentence: 'it does not matter in which pieces a text comes, also inside a surrogate pair',
    check: (target) =>
      always(target, piecemeal, async (store, pieces) => {
        const text = pieces.join('')
        const ref = await store.saveText({ session, text: each(pieces) })
        assert.equal(ref.bytes, Buffer.byteLength(text), 'its size')
        assertSame(await readAll(store, session, locatorIn(ref)), Buffer.from(text), 'the text')
      }),
  },
  {
    id: 'SPS-1',
    sentence: 'ranges of every size, joined, are what was saved',
    check: (target) =>
      always(
        target,
        fc.tuple(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 })),
        async (store, [text, limit]) => {
          const ref = await store.saveText({ session, text })
          assertSame(await readAll(store, session, ref.locator, limit), Buffer.from(text), `ranges of ${limit}`)
          const beyond = await store.read({ session, locator: ref.locator, offset: ref.bytes + 5, limit })
          assert.deepEqual([beyond?.data.length, beyond?.bytes], [0, ref.bytes], 'past the end')
        },
      ),
  },
  {
    id: 'SPS-1',
    sentence: '8 MiB come back as they were',
    check: (target) =>
      withStore(target, {}, async (store) => {
        const text = '0123456789abcde\u{1f600}\r\n'.repeat(400_000)
        const ref = await store.saveText({ session, text })
        assertSame(await readAll(store, session, locatorIn(ref)), Buffer.from(text), 'the text')
      }),
  },
  {
    id: 'SPS-1',
    sentence: 'bytes and their media type come back as they were saved, whole or in pieces',
    needs: 'blobs',
    check: (target) =>
      always(
        target,
        fc.tuple(
          fc.array(fc.uint8Array()),
          fc.constantFrom('image/png', 'audio/ogg; codecs=opus', 'x-y/Z+1', 'ü/../?'),
        ),
        async (store, [pieces, mediaType]) => {
          const data = Buffer.concat(pieces)
          const refs = [
            await store.saveBlob?.({ session, data, mediaType }),
            await store.saveBlob?.({ session, data: each(pieces), mediaType }),
          ]
          for (const ref of refs) {
            assert(ref !== undefined, 'a store that claims blobs has `saveBlob`')
            assert.equal(ref.bytes, data.length, 'its size')
            assertSame(await readAll(store, session, locatorIn(ref)), data, 'the bytes')
            const range = await store.read({ session, locator: ref.locator, offset: 0, limit: 1 })
            assert.equal(range?.mediaType, mediaType, 'the media type')
          }
        },
      ),
  },
  {
    id: 'SPS-1',
    sentence: 'a source that uses its buffer again for each piece is saved as it was',
    needs: 'blobs',
    check: (target) =>
      withStore(target, {}, async (store) => {
        const buffer = new Uint8Array(3)
        const source = async function* (): AsyncGenerator<Uint8Array> {
          for (const filling of [1, 2, 3]) yield buffer.fill(filling)
        }
        const ref = await store.saveBlob?.({ session, data: source(), mediaType: 'image/png' })
        buffer.fill(9)
        const saved = Uint8Array.of(1, 1, 1, 2, 2, 2, 3, 3, 3)
        assertSame(await readAll(store, session, ref?.locator ?? ''), saved, 'the bytes')
      }),
  },
  {
    id: 'SPS-5',
    sentence: '`bytes` is the exact UTF-8 length, half a surrogate pair counted as the three bytes of U+FFFD',
    check: (target) =>
      always(target, texts, async (store, text) => {
        const { bytes, locator } = await store.saveText({ session, text })
        assert.equal(bytes, Buffer.byteLength(text.toWellFormed()))
        const range = await store.read({ session, locator, offset: 0, limit: 1 })
        assert.deepEqual([range?.bytes, range?.mediaType], [bytes, undefined], 'what the reader says')
      }),
  },
]

async function* each<Piece>(pieces: readonly Piece[]): AsyncGenerator<Piece> {
  yield* pieces
}
