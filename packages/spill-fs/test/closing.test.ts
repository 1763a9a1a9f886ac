import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { spillFs } from '../src/index.ts'
import { filesOf, textOf } from './support/tree.ts'

// These tests start processes and wait for disks, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })
const soon = { timeout: 20_000 }

let around: string
let root: string

beforeEach(async () => {
  around = await mkdtemp(join(tmpdir(), 'spill-fs-'))
  root = join(around, 'root')
  vi.stubEnv('TMPDIR', around)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(around, { recursive: true, force: true })
})

async function* hangs(): AsyncGenerator<string> {
  yield 'some text'
  await new Promise(() => {})
}

test('without a root everything is in one private temporary folder, which closing removes', async () => {
  const store = spillFs()
  expect(await readdir(around)).toEqual([])
  const { locator } = await store.saveText({ session: 'a', text: 'x' })
  expect(await readdir(around)).toEqual([expect.stringMatching(/^pawl-spill-/)])
  expect(await textOf(store, locator)).toBe('x')
  await store.close()
  expect(await readdir(around)).toEqual([])
})

test('with a root it stays, also for a store of another time; what was unfinished is removed', async () => {
  const store = spillFs({ root })
  const { locator } = await store.saveText({ session: 'a', text: 'x' })
  const saving = store.saveText({ session: 'a', text: hangs() })
  saving.catch(() => {})
  await expect.poll(() => filesOf(root), soon).toHaveLength(2)
  await store.close()
  await expect(saving).rejects.toThrow('the store is closed. Make a new one.')
  expect(await filesOf(root)).toHaveLength(1)
  await expect(textOf(store, locator)).rejects.toThrow('the store is closed')
  const other = spillFs({ root })
  expect(await textOf(other, locator)).toBe('x')
  await other.close()
})

test('savings that hang do not keep others waiting', async () => {
  const store = spillFs({ root })
  const hanging = Array.from({ length: 100 }, () =>
    store.saveText({ session: 'a', text: hangs() }).catch(() => 'closed'),
  )
  await store.saveText({ session: 'a', text: 'x' })
  await store.close()
  expect(new Set(await Promise.all(hanging))).toEqual(new Set(['closed']))
})

test('SPS-5 what has expired is removed from the disk, and its folder an hour later', async () => {
  const store = spillFs({ root, expiresAfterMs: 60_000 })
  await store.saveText({ session: 'a', text: 'old' })
  await store.close()
  const [file = ''] = await filesOf(root)
  const past = Date.now() / 1_000 - 61
  await utimes(join(root, file), past, past)

  const later = spillFs({ root, expiresAfterMs: 60_000 })
  const { locator } = await later.saveText({ session: 'b', text: 'new' })
  await expect.poll(() => filesOf(root), soon).toHaveLength(1)
  expect(await readdir(root)).toHaveLength(2)
  await later.close()

  await utimes(join(root, file, '..'), past - 3_600, past - 3_600)
  const last = spillFs({ root, expiresAfterMs: 60_000 })
  await last.saveText({ session: 'b', text: 'newer' })
  await expect.poll(() => readdir(root), soon).toHaveLength(1)
  const range = await last.read({ session: 'b', locator, offset: 0, limit: 9 })
  expect(Buffer.from(range?.data ?? []).toString()).toBe('new')
  await last.close()
})

test('SPS-5 a quota counts what other stores left in the folder', async () => {
  const first = spillFs({ root })
  const old = await first.saveText({ session: 'a', text: 'x'.repeat(900) })
  await first.close()
  const second = spillFs({ root, quotaBytes: 1_000 })
  await second.saveText({ session: 'b', text: 'x'.repeat(200) })
  expect(await textOf(second, old.locator)).toBeUndefined()
  await second.close()
})

test.each([
  [{ root: '' }, '`root` has to be the path of a folder'],
  [{ root: 'a\0b' }, '`root` has to be the path of a folder'],
  [{ expiresAfterMs: 0 }, '`expiresAfterMs` has to be a number of ms from 1 on. It is 0.'],
  [{ quotaBytes: 0.5 }, '`quotaBytes` has to be a whole number of bytes from 1 on. It is 0.5.'],
  [{ showPaths: 'yes' }, '`showPaths` has to be true or false. It is "yes".'],
  [{ path: '/x' }, 'unknown option `path`. Known are: root, expiresAfterMs, quotaBytes, showPaths.'],
  [null, 'what it takes has to be an object'],
])('%j is refused', (options, words) => {
  expect(() => spillFs(options as never)).toThrow(words)
})
