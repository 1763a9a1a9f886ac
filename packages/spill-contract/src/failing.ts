import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { assertSame, failureOf, readAll, withStore } from './stage.ts'
import type { Rule } from './target.ts'

const session = 'a'

export const failing: readonly Rule[] = [
  {
    id: 'SPS-4',
    sentence: 'a source that fails is a saving that rejects, with the same error',
    check: (target) =>
      withStore(target, {}, async (store) => {
        const failure = new Error('the source broke')
        const source = async function* (): AsyncGenerator<string> {
          yield 'half of '
          throw failure
        }
        assert.equal(await failureOf(store.saveText({ session, text: source() }), 'saving from it'), failure)
      }),
  },
  {
    id: 'SPS-4',
    sentence: 'what is no text is refused: nothing stands for it',
    check: (target) =>
      withStore(target, {}, async (store) => {
        for (const text of [undefined, null, 5, {}, Buffer.from('x')] as never[])
          await failureOf(store.saveText({ session, text }), `saving ${String(text)} as a text`)
        const source = async function* (): AsyncGenerator<string> {
          yield 'text'
          yield 7 as never
        }
        await failureOf(store.saveText({ session, text: source() }), 'saving a number as a piece of text')
      }),
  },
  {
    id: 'SPS-4',
    sentence: 'an abort rejects with its reason, also while the source hangs, and leaves no listener',
    check: (target) =>
      withStore(target, {}, async (store) => {
        const reason = new Error('enough')
        const late = new AbortController()
        const hanging = store.saveText({ session, text: hangs(), signal: late.signal })
        setTimeout(() => late.abort(reason), 10)
        assert.equal(await failureOf(hanging, 'an aborted saving'), reason)
        const aborted = store.saveText({ session, text: 'x', signal: AbortSignal.abort(reason) })
        assert.equal(await failureOf(aborted, 'saving for a signal that is aborted'), reason)

        const { signal } = new AbortController()
        await store.saveText({ session, text: 'x', signal })
        for (const each of [signal, late.signal])
          assert.equal(getEventListeners(each, 'abort').length, 0, 'listeners left')
      }),
  },
  {
    id: 'SPS-4',
    sentence: 'the source of a saving that is given up is closed',
    check: (target) =>
      withStore(target, {}, async (store) => {
        let isClosed = false
        const source = async function* (): AsyncGenerator<string> {
          try {
            for (;;) {
              await new Promise((done) => setTimeout(done, 1))
              yield 'more'
            }
          } finally {
            isClosed = true
          }
        }
        const saving = store.saveText({ session, text: source(), signal: AbortSignal.timeout(20) })
        await failureOf(saving, 'an aborted saving')
        for (let waited = 0; !isClosed && waited < 1_000; waited += 5) await new Promise((done) => setTimeout(done, 5))
        assert(isClosed, 'the source was left open')
      }),
  },
  {
    id: 'SPS-4',
    sentence: 'closing rejects what is under way and what comes later, and may be repeated',
    check: async (target) => {
      const store = await target.create({})
      const { locator } = await store.saveText({ session, text: 'x' })
      const hanging = failureOf(store.saveText({ session, text: hangs() }), 'a saving when the store is closed')
      await new Promise((done) => setTimeout(done, 10))
      await store.close?.()
      await hanging
      await store.close?.()
      await failureOf(store.saveText({ session, text: 'x' }), 'saving in a closed store')
      // Where a store keeps what it holds, or says that it is closed, both are honest; half of it is not.
      const left = await readAll(store, session, locator).catch(() => undefined)
      if (left !== undefined) assertSame(left, Buffer.from('x'), 'what a closed store gives')
    },
  },
]

async function* hangs(): AsyncGenerator<string> {
  yield 'some text'
  await new Promise(() => {})
}
