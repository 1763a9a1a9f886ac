import { execFileSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostileNames } from '@pawl/spill-contract'
import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { spillFs } from '../src/index.ts'
import { built } from './support/built.ts'
import { start } from './support/run.ts'
import { filesOf, textOf, treeOf } from './support/tree.ts'

// These tests start processes and wait for disks, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

const isRoot = process.geteuid?.() === 0
let code: string
let around: string
let root: string

beforeAll(() => {
  code = built()
})
afterAll(() => rm(code, { recursive: true, force: true }))
beforeEach(async () => {
  around = await mkdtemp(join(tmpdir(), 'spill-fs-'))
  root = join(around, 'root')
})
afterEach(() => rm(around, { recursive: true, force: true }))

const safeFile = /^s-[0-9a-f]{32}\/[0-9a-f]{32}(-[a-z0-9-]{1,40})?(\.txt|@[a-z0-9~-]*)$/

test('SPS-2 the suggested name and the media type can not leave the session’s folder, whatever they hold, on any platform', async () => {
  const store = spillFs({ root })
  const anything = fc.oneof(fc.constantFrom(...hostileNames), fc.string({ unit: 'binary' }))
  const save = async (name: string, mediaType: string): Promise<void> => {
    await store.saveText({ session: name, text: 'x', name })
    await store.saveBlob({ session: name, data: Uint8Array.of(1), mediaType, name }).catch((failure: Error) => {
      expect(failure.message).toContain('`mediaType` has to be short')
    })
  }
  await fc.assert(fc.asyncProperty(anything, anything, save), { numRuns: 300 })
  expect(await readdir(around)).toEqual(['root'])
  const files = await filesOf(root)
  expect(files.length).toBeGreaterThan(300)
  for (const file of files) expect(file).toMatch(safeFile)
  await store.close()
})

test('a harmless part of the name is kept for people', async () => {
  const store = spillFs({ root })
  const { locator } = await store.saveText({ session: 'a', text: 'x', name: 'Build Log (Café) №5.txt' })
  expect(locator).toMatch(/^spill_[0-9a-f]{32}-build-log-cafe-no5-txt$/)
  await store.close()
})

test('SPS-3 files are private at every moment, whatever the umask: seen from another process', async () => {
  const { told, ended } = start(code, 'slowly', { root }, { times: 30, limit: 'umask 000' })
  const seen = new Set<string>()
  let isOver = false
  const watch = async (): Promise<void> => {
    while (!isOver) {
      for (const [path, mode] of await treeOf(around).catch(() => new Map<string, string>()))
        seen.add(`${path.replace(/[0-9a-f]{32}/g, '#')} ${mode}`)
      await new Promise((done) => setTimeout(done, 1))
    }
  }
  const watching = watch()
  await ended
  isOver = true
  await watching
  expect(told).toMatchObject([{ bytes: 30 }])
  expect([...seen].sort()).toEqual(['root 700', 'root/s-# 700', 'root/s-#/#.part 600', 'root/s-#/#.txt 600'])
})

test('Z2 a folder of ours that is open to others is closed to them', async () => {
  await mkdir(root)
  await chmod(root, 0o777)
  const store = spillFs({ root })
  await store.saveText({ session: 'a', text: 'x' })
  expect((await treeOf(around)).get('root')).toBe('700')
  const [folder = ''] = await readdir(root)
  await chmod(join(root, folder), 0o755)
  const { locator } = await store.saveText({ session: 'a', text: 'x' })
  expect((await treeOf(root)).get(folder)).toBe('700')
  await chmod(join(root, folder), 0o755)
  expect(await textOf(store, locator)).toBe('x')
  await store.close()
})

test('an open folder that holds other things is somebody’s: it is left as it is, and refused', async () => {
  await mkdir(root)
  await writeFile(join(root, 'notes.md'), 'x')
  await chmod(root, 0o755)
  const store = spillFs({ root })
  await expect(store.saveText({ session: 'a', text: 'x' })).rejects.toThrow(
    /root" is not used: it is open to others and holds "notes.md".*Give a `root` that is a folder of this store alone/,
  )
  expect([...(await treeOf(around))].filter(([path]) => !path.includes('notes'))).toEqual([['root', '755']])
})

test.each(['', '/'])(
  'Z2 SPS-3 a link planted as the root is refused, and nothing is written through it (root%s)',
  async (ending) => {
    const elsewhere = join(around, 'elsewhere')
    await mkdir(elsewhere, { mode: 0o700 })
    await symlink(elsewhere, root)
    const store = spillFs({ root: root + ending })
    await expect(store.saveText({ session: 'a', text: 'x' })).rejects.toThrow('it is a link, which is not followed')
    expect(await readdir(elsewhere)).toEqual([])
  },
)

test('Z2 SPS-3 a link planted as a session’s folder is neither written through nor read through', async () => {
  const elsewhere = join(around, 'elsewhere')
  const store = spillFs({ root })
  const { locator } = await store.saveText({ session: 'a', text: 'x' })
  const [folder = ''] = await readdir(root)
  await rename(join(root, folder), elsewhere)
  await symlink(elsewhere, join(root, folder))
  const before = await readdir(elsewhere)
  await expect(store.saveText({ session: 'a', text: 'y' })).rejects.toThrow('it is a link, which is not followed')
  await expect(textOf(store, locator)).rejects.toThrow('the artefact could not be read')
  expect(await readdir(elsewhere)).toEqual(before)
  await store.close()
})

test('Z2 SPS-3 what is planted in the place of an artefact is not followed, and does not hang', async () => {
  const secret = join(around, 'secret')
  await writeFile(secret, 'secret')
  const store = spillFs({ root })
  const plant: ((path: string) => Promise<unknown>)[] = [
    (path) => symlink(secret, path),
    (path) => symlink(join(around, 'nowhere'), path),
    (path) => mkdir(path),
    async (path) => execFileSync('mkfifo', [path]),
  ]
  for (const planting of plant) {
    const { locator } = await store.saveText({ session: 'a', text: 'x' })
    const file = (await filesOf(root)).find((path) => path.includes(locator.slice(6))) ?? ''
    await rm(join(root, file))
    await planting(join(root, file))
    expect(await textOf(store, locator)).toBeUndefined()
  }
  expect(await readFile(secret, 'utf8')).toBe('secret')
  await store.close()
})

test.runIf(isRoot)('Z2 SPS-3 a folder of another user is refused', async () => {
  await mkdir(root, { mode: 0o700 })
  await chown(root, 65_534, 65_534)
  const store = spillFs({ root })
  await expect(store.saveText({ session: 'a', text: 'x' })).rejects.toThrow(
    'it belongs to user 65534, and this process',
  )
})

test('the model is shown no path of the host, unless the store was asked to', async () => {
  const store = spillFs({ root })
  const shows = spillFs({ root, showPaths: true })
  const saved = await store.saveText({ session: 'a', text: 'text', name: 'log' })
  expect(JSON.stringify(saved)).not.toContain(around)
  const shown = await shows.saveText({ session: 'a', text: 'text', name: 'log' })
  const path = /It is the file (.*)$/.exec(shown.retrievalHint)?.[1] ?? ''
  expect(await readFile(path, 'utf8')).toBe('text')
  await store.close()
  await shows.close()
  const failure: Error = await textOf(store, saved.locator).then(expect.fail, (thrown) => thrown)
  expect(failure.message).not.toContain(around)
})
