import { memorySpillStore } from '@pawl/spill'
import { expect, test } from 'vitest'
import { spillStoreRules, type Target, type TestedStore } from '../src/index.ts'
import { aliased } from './aliased.ts'

/** A good store of which one behaviour is changed. */
type Change = (good: Required<TestedStore>) => Partial<TestedStore>

interface Mutant {
  /** What is wrong with it. */
  readonly is: string
  readonly change: Change
  /** The rule that has to catch it, and words of how. */
  readonly caughtBy: string
  readonly saying: RegExp
}

const mutants: readonly Mutant[] = [
  {
    is: 'strips a byte-order mark',
    change: (good) => ({
      saveText: (request) =>
        good.saveText(
          typeof request.text === 'string' ? { ...request, text: request.text.replace(/^\ufeff/, '') } : request,
        ),
    }),
    caughtBy: 'SPS-1',
    saying: /the text: \d+ bytes came back/,
  },
  {
    is: 'stops at NUL',
    change: (good) => ({
      saveText: (request) =>
        good.saveText(
          typeof request.text === 'string' ? { ...request, text: request.text.split('\0')[0] as string } : request,
        ),
    }),
    caughtBy: 'SPS-1',
    saying: /bytes came back/,
  },
  {
    is: 'encodes each piece by itself',
    change: (good) => ({
      saveText: ({ text, ...request }) =>
        good.saveText({
          ...request,
          text: typeof text === 'string' ? text : mapped(text, (piece) => piece.toWellFormed()),
        }),
    }),
    caughtBy: 'SPS-1',
    saying: /its size|bytes came back/,
  },
  {
    is: 'counts UTF-16 units',
    change: (good) => ({
      async saveText(request) {
        const ref = await good.saveText(request)
        return typeof request.text === 'string' ? { ...ref, bytes: request.text.length } : ref
      },
    }),
    caughtBy: 'SPS-5',
    saying: /Expected values to be strictly equal/,
  },
  {
    is: 'gives a locator that the hint does not name',
    change: (good) => ({
      saveText: async (request) => ({ ...(await good.saveText(request)), retrievalHint: 'Look for it.' }),
    }),
    caughtBy: 'SPS-1',
    saying: /the hint names the locator/,
  },
  {
    is: 'names an artefact by the clock',
    change: (good) => aliased(good, () => `spill_${Date.now()}`),
    caughtBy: 'SPS-2',
    saying: /locators/,
  },
  {
    is: 'counts its locators',
    change: (good) => {
      let count = 0
      return aliased(good, () => `spill_${String(++count).padStart(32, '0')}`)
    },
    caughtBy: 'SPS-3',
    saying: /differ in a few characters only/,
  },
  {
    is: 'lets every session read',
    change: (good) => ({
      saveText: (request) => good.saveText({ ...request, session: 'all' }),
      read: (request) => good.read({ ...request, session: 'all' }),
    }),
    caughtBy: 'SPS-3',
    saying: /reading what is/,
  },
  {
    is: 'forgets the principal',
    change: (good) => {
      const plain = <T extends { session: unknown }>(request: T): T => {
        const { session } = request
        return typeof session === 'object' && session !== null && 'id' in session
          ? { ...request, session: session.id }
          : request
      }
      return { saveText: (request) => good.saveText(plain(request)), read: (request) => good.read(plain(request)) }
    },
    caughtBy: 'SPS-3',
    saying: /reading what is/,
  },
  {
    is: 'fails on a locator that is none',
    change: (good) => ({
      async read(request) {
        const range = await good.read(request)
        if (range === undefined) throw new Error('ENOENT')
        return range
      },
    }),
    caughtBy: 'SPS-3',
    saying: /ENOENT/,
  },
  {
    is: 'keeps what a failing source gave',
    change: (good) => ({
      saveText: (request) =>
        good.saveText(typeof request.text === 'string' ? request : { ...request, text: until(request.text) }),
    }),
    caughtBy: 'SPS-4',
    saying: /saving from it has to reject/,
  },
  {
    is: 'leaves its listener on the signal',
    change: (good) => ({
      saveText(request) {
        request.signal?.addEventListener('abort', () => {})
        return good.saveText(request)
      },
    }),
    caughtBy: 'SPS-4',
    saying: /listeners left/,
  },
  {
    is: 'saves after it was closed',
    change(good) {
      let inner = good
      return {
        saveText: (request) => inner.saveText(request),
        async close() {
          await inner.close()
          inner = memorySpillStore()
        },
      }
    },
    caughtBy: 'SPS-4',
    saying: /saving in a closed store has to reject/,
  },
  {
    is: 'has no quota',
    change: () => memorySpillStore(),
    caughtBy: 'SPS-5',
    saying: /had to make room/,
  },
  {
    is: 'never expires',
    change: () => ({}),
    caughtBy: 'SPS-5',
    saying: /after it expired/,
  },
]

test.each(mutants)(
  '$caughtBy catches the store that $is',
  { timeout: 60_000 },
  async ({ change, caughtBy, saying }) => {
    const target: Target = {
      create(making) {
        const good = memorySpillStore({ quotaBytes: making.quotaBytes ?? 67_108_864 })
        return { ...good, ...change(good) }
      },
      claims: ['blobs', 'quota', 'expiry'],
      runs: 1_000,
    }
    const failures: string[] = []
    for (const rule of spillStoreRules.filter(({ id }) => id === caughtBy))
      await within(rule.check(target)).catch((failure: Error) => failures.push(`${failure} ${failure.cause}`))
    expect(
      failures.some((words) => saying.test(words)),
      failures.join('\n'),
    ).toBe(true)
  },
)

async function* mapped(source: AsyncIterable<string>, change: (piece: string) => string): AsyncGenerator<string> {
  for await (const piece of source) yield change(piece)
}

async function* until(source: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    for await (const piece of source) yield piece
  } catch {
    // what a careless store does
  }
}

/** A broken store may hang where a good one rejects. */
function within(check: Promise<void>): Promise<void> {
  const late = new Promise<void>((_, reject) => setTimeout(() => reject(new Error('it hangs')), 20_000).unref())
  return Promise.race([check, late])
}
