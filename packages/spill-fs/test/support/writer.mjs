// A process that uses a store, for tests that kill it, limit it, or let several of them meet on one folder.
// `node writer.mjs <entry of the store> <what to do> <options as JSON> [how often]`, one line of JSON for each artefact.
import { pathToFileURL } from 'node:url'

const [, , entry, what, options, times = '1'] = process.argv
const { spillFs } = await import(pathToFileURL(entry).href)
const store = spillFs(JSON.parse(options))
const tell = (told) => process.stdout.write(`${JSON.stringify(told)}\n`)
const textOf = (at) => `${process.pid} ${at} `.repeat(1 + (at % 20) * 500)

/** `bytes` of text in pieces of 64 KiB. */
async function* pieces(bytes) {
  const piece = '0123456789abcde\n'.repeat(4_096)
  for (let at = 0; at < bytes; at += piece.length) yield piece
}

async function saveOne(at) {
  const text = textOf(at)
  const { locator, bytes } = await store.saveText({ session: 'a', text, name: 'same' })
  tell({ locator, bytes, text: text.slice(0, 40) })
}

const tasks = {
  /** All at once. */
  many: () => Promise.all(Array.from({ length: Number(times) }, (_, at) => saveOne(at))),
  /** One after the other, until it is killed. */
  async forever() {
    for (let at = 0; ; at++) await saveOne(at)
  },
  /** A text that never ends: one artefact is finished before. */
  async endless() {
    await saveOne(19)
    await store.saveText({ session: 'a', text: pieces(Number.POSITIVE_INFINITY) })
  },
  /** A text of so many bytes, and what it took. */
  async large() {
    await saveOne(0)
    const before = process.resourceUsage().maxRSS
    const { locator, bytes } = await store.saveText({ session: 'a', text: pieces(Number(times)) })
    tell({ locator, bytes, grownBy: (process.resourceUsage().maxRSS - before) * 1_024 })
  },
  /** A text of so many bytes in a piece that never ends, slowly. */
  async slowly() {
    const text = (async function* () {
      for (let at = 0; at < Number(times); at++) {
        yield 'x'
        await new Promise((done) => setTimeout(done, 10))
      }
    })()
    const { locator, bytes } = await store.saveText({ session: 'a', text })
    tell({ locator, bytes })
  },
}

try {
  await tasks[what]()
} catch (failure) {
  tell({ failure: failure.message })
}
await store.close()
