import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { hostileLocators, names, sessions } from './arbitraries.ts'
import { always, assertSame, readAll, withStore } from './stage.ts'
import type { Rule } from './target.ts'

export const keepingApart: readonly Rule[] = [
  {
    id: 'SPS-2',
    sentence: 'savings at the same moment under one name never collide and never overwrite, whatever the name holds',
    check: (target) =>
      always(target, fc.tuple(names, fc.integer({ min: 2, max: 5 })), async (store, [name, times]) => {
        const texts = Array.from({ length: times }, (_, at) => `text ${at}`)
        const refs = await withoutChance(() =>
          Promise.all(texts.map((text) => store.saveText({ session: 'a', text, name }))),
        )
        assert.equal(new Set(refs.map(({ locator }) => locator)).size, times, 'locators')
        for (const [at, { locator }] of refs.entries())
          assertSame(await readAll(store, 'a', locator), Buffer.from(texts[at] as string), `text ${at} of ${times}`)
      }),
  },
  {
    id: 'SPS-2',
    sentence: 'a thousand savings at once are all whole',
    check: (target) =>
      withStore(target, {}, async (store) => {
        const textOf = (at: number): string => `${at} `.repeat(1 + (at % 50) * 20)
        const refs = await Promise.all(
          Array.from({ length: 1_000 }, (_, at) =>
            store.saveText({ session: `s${at % 7}`, text: textOf(at), name: 'x' }),
          ),
        )
        for (const [at, { locator }] of refs.entries())
          assertSame(await readAll(store, `s${at % 7}`, locator), Buffer.from(textOf(at)), `saving ${at}`)
      }),
  },
  {
    id: 'SPS-3',
    sentence: 'a session can not read what another one saved, however alike they look, and the same one can',
    check: (target) =>
      withStore(target, {}, async (store) => {
        for (const owner of sessions) {
          const { locator } = await store.saveText({ session: owner, text: 'secret' })
          for (const reader of sessions) {
            const read = await readAll(store, reader, locator)
            const who = `${JSON.stringify(reader)} reading what is ${JSON.stringify(owner)}'s`
            if (reader === owner) assertSame(read, Buffer.from('secret'), who)
            else assert.equal(read, undefined, who)
          }
        }
        const { locator } = await store.saveText({ session: 'a', text: 'mine' })
        assertSame(
          await readAll(store, { id: 'a' }, locator),
          Buffer.from('mine'),
          'the same session, written otherwise',
        )
      }),
  },
  {
    id: 'SPS-3',
    sentence: 'what is no locator reads nothing, and is no failure; nor is one with a character changed',
    check: (target) =>
      withStore(target, {}, async (store) => {
        const { locator } = await store.saveText({ session: 'a', text: 'secret' })
        const changed = locator
          .split('')
          .map((character, at) => locator.slice(0, at) + other(character) + locator.slice(at + 1))
        const made = [
          ...hostileLocators,
          ...changed,
          `${locator}x`,
          locator.slice(0, -1),
          `../${locator}`,
          `${locator}/.`,
        ]
        for (const attempt of made)
          assert.equal(await readAll(store, 'a', attempt), undefined, `reading ${JSON.stringify(attempt)}`)
      }),
  },
  {
    id: 'SPS-3',
    sentence: 'a locator can not be guessed from others',
    check: (target) =>
      withStore(target, {}, async (store) => {
        const refs = await withoutChance(() =>
          Promise.all(Array.from({ length: 50 }, () => store.saveText({ session: 'a', text: 'x' }))),
        )
        const locators = refs.map(({ locator }) => locator)
        // Of 128 random bits two differ in at least 16 of 32 characters; what counts on differs in a few.
        for (const [at, locator] of locators.entries())
          for (const second of locators.slice(at + 1))
            assert(distance(locator, second) >= 10, `${locator} and ${second} differ in a few characters only`)
      }),
  },
]

/** Runs with a clock that stands still and a `Math.random` that gives one number: no locator may depend on these. */
async function withoutChance<T>(run: () => Promise<T>): Promise<T> {
  const { random } = Math
  const { now } = Date
  const moment = now()
  Math.random = () => 0.5
  Date.now = () => moment
  try {
    return await run()
  } finally {
    Math.random = random
    Date.now = now
  }
}

function other(character: string): string {
  return character === 'a' ? 'b' : 'a'
}

function distance(a: string, b: string): number {
  return [...a].filter((character, at) => character !== b[at]).length + Math.abs(a.length - b.length)
}
