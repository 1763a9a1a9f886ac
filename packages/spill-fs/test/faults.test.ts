import { mkdir, mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { spillFs } from '../src/index.ts'
import { built } from './support/built.ts'
import { canMount, makeDisk } from './support/disks.ts'
import { start } from './support/run.ts'
import { filesOf, textOf } from './support/tree.ts'

const isDeep = process.env.PAWL_DEEP === '1'

// These tests start processes and wait for disks, on machines that may be busy.
vi.setConfig({ testTimeout: isDeep ? 600_000 : 60_000 })
const soon = { timeout: 20_000 }

const isMounting = canMount()
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

async function* pieces(count: number): AsyncGenerator<string> {
  for (let at = 0; at < count; at++) yield 'x'.repeat(65_536)
}

test.runIf(isMounting)(
  'SPS-4 disk full: the saving rejects and says so, nothing half written stays, what was there is whole',
  async () => {
    const disk = makeDisk()
    try {
      disk.mount('size=1m,mode=0700')
      const store = spillFs({ root: disk.path })
      const { locator } = await store.saveText({ session: 'a', text: 'kept' })
      for (const text of ['x'.repeat(4_000_000), pieces(64)]) {
        const saving = store.saveText({ session: 'a', text })
        await expect(saving).rejects.toThrow(
          /failed: the disk is full \(ENOSPC\)\. Free some space, or give a `root` elsewhere/,
        )
        expect(await filesOf(disk.path)).toHaveLength(1)
      }
      expect(await textOf(store, locator)).toBe('kept')
      expect(await textOf(store, (await store.saveText({ session: 'a', text: 'fits' })).locator)).toBe('fits')
      await store.close()
    } finally {
      disk.remove()
    }
  },
)

test.runIf(isMounting)('SPS-4 a disk that is mounted read-only: rejects, and what is on it can be read', async () => {
  const disk = makeDisk()
  try {
    disk.mount('size=1m,mode=0700')
    const store = spillFs({ root: disk.path })
    const { locator } = await store.saveText({ session: 'a', text: 'kept' })
    disk.makeReadOnly()
    for (const each of [store, spillFs({ root: disk.path })]) {
      await expect(each.saveText({ session: 'a', text: 'x' })).rejects.toThrow(
        /mounted read-only \(EROFS\)\. Give a `root` that can be written to/,
      )
      expect(await textOf(each, locator)).toBe('kept')
      await each.close()
    }
  } finally {
    disk.remove()
  }
})

test.skipIf(process.geteuid?.() === 0)('SPS-4 a folder that may not be written to: rejects, and says so', async () => {
  await mkdir(around, { recursive: true })
  const locked = join(around, 'locked')
  await mkdir(locked, { mode: 0o500 })
  const store = spillFs({ root: join(locked, 'root') })
  await expect(store.saveText({ session: 'a', text: 'x' })).rejects.toThrow('this process may not write there (EACCES)')
})

test('SPS-4 a root below a file, or in the place of one: rejects, and the file stays', async () => {
  const file = join(around, 'file')
  await writeFile(file, 'mine')
  for (const place of [file, join(file, 'root')]) {
    const store = spillFs({ root: place })
    await expect(store.saveText({ session: 'a', text: 'x' })).rejects.toThrow(/making the folder in .*(EEXIST|ENOTDIR)/)
  }
  expect(await readFile(file, 'utf8')).toBe('mine')
})

test('SPS-4 after a failure the same store works again once its cause is gone', async () => {
  await writeFile(root, 'in the way')
  const store = spillFs({ root })
  await expect(store.saveText({ session: 'a', text: 'x' })).rejects.toThrow('EEXIST')
  await rm(root)
  expect(await textOf(store, (await store.saveText({ session: 'a', text: 'x' })).locator)).toBe('x')
  await store.close()
})

test('SPS-4 a file that would be larger than the process may write: rejects, and leaves nothing', async () => {
  const { told, ended } = start(code, 'large', { root }, { times: 1_000_000, limit: 'ulimit -f 200' })
  await ended
  expect(told.at(-1)?.failure).toContain('larger than this process or disk allows (EFBIG)')
  expect(await filesOf(root)).toHaveLength(1)
})

test('SPS-4 an artefact that somebody made shorter is never taken for the whole', async () => {
  const store = spillFs({ root })
  const { locator } = await store.saveText({ session: 'a', text: 'x'.repeat(1_000) })
  const [file = ''] = await filesOf(root)
  const reading = store.read({ session: 'a', locator, offset: 0, limit: 1_000 })
  await truncate(join(root, file), 10)
  const range = await reading.catch(() => undefined)
  if (range !== undefined) expect(range.data).toHaveLength(range.bytes)
  await store.close()
})

test('SPS-4 a killed writer: what it finished is whole, what it did not finish can not be read, and is removed in time', async () => {
  const { child, told, ended } = start(code, 'endless', { root })
  await expect.poll(() => filesOf(root).catch(() => []), soon).toHaveLength(2)
  await expect.poll(() => told.length, soon).toBe(1)
  child.kill('SIGKILL')
  await ended

  const store = spillFs({ root })
  expect((await textOf(store, told[0]?.locator))?.length).toBe(told[0]?.bytes)
  await store.saveText({ session: 'b', text: 'x' })
  const unfinished = (await filesOf(root)).filter((path) => path.endsWith('.part'))
  expect(unfinished).toHaveLength(1)
  const stem = unfinished[0]?.split(/[/.]/)[1]
  for (const locator of [`spill_${stem}`, `spill_${stem}.part`, `spill_${stem}@part`])
    expect(await textOf(store, locator)).toBeUndefined()
  await store.close()

  const longAgo = Date.now() / 1_000 - 3_700
  await utimes(join(root, unfinished[0] ?? ''), longAgo, longAgo)
  const later = spillFs({ root })
  await later.saveText({ session: 'b', text: 'x' })
  await expect.poll(async () => (await filesOf(root)).filter((path) => path.endsWith('.part')), soon).toEqual([])
  expect(await filesOf(root)).toHaveLength(3)
  await later.close()
})

test('SPS-4 a writer killed at any moment leaves whole artefacts only', async () => {
  for (let run = 0; run < (isDeep ? 60 : 6); run++) {
    const { child, told, ended } = start(code, 'forever', { root })
    await expect.poll(() => told.length, { ...soon, interval: 1 }).toBeGreaterThan(0)
    await new Promise((done) => setTimeout(done, (run * 7) % 40))
    child.kill('SIGKILL')
    await ended
    const store = spillFs({ root })
    for (const { locator, bytes } of told) expect((await textOf(store, locator))?.length).toBe(bytes)
    // Also what was published and not told of any more is whole: all its words are the same.
    for (const file of (await filesOf(root)).filter((path) => path.endsWith('.txt'))) {
      const text = await readFile(join(root, file), 'utf8')
      const word = /^\d+ \d+ /.exec(text)?.[0] ?? ''
      const times = 1 + (Number(word.split(' ')[1]) % 20) * 500
      expect(text === word.repeat(times), file).toBe(true)
    }
    await store.close()
    await rm(root, { recursive: true })
  }
})

test('two processes on one folder: nobody overwrites, everybody can read', async () => {
  const writers = [start(code, 'many', { root }, { times: 200 }), start(code, 'many', { root }, { times: 200 })]
  await Promise.all(writers.map(({ ended }) => ended))
  const told = writers.flatMap((writer) => writer.told)
  expect(new Set(told.map(({ locator }) => locator)).size).toBe(400)
  const store = spillFs({ root })
  for (const { locator, bytes, text } of told) {
    const read = await textOf(store, locator)
    expect([read?.length, read?.slice(0, 40)]).toEqual([bytes, text])
  }
  await store.close()
})

test('two processes on one folder with a quota: whole artefacts only, and no more than one process too many', async () => {
  const options = { root, quotaBytes: 500_000 }
  const writers = [start(code, 'many', options, { times: 100 }), start(code, 'many', options, { times: 100 })]
  await Promise.all(writers.map(({ ended }) => ended))
  const store = spillFs(options)
  const sizes: number[] = []
  for (const { locator, bytes, failure } of writers.flatMap(({ told }) => told)) {
    expect(failure).toBeUndefined()
    const read = await textOf(store, locator)
    if (read === undefined) continue
    expect(read.length).toBe(bytes)
    sizes.push(read.length)
  }
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(2 * options.quotaBytes)
  await store.saveText({ session: 'a', text: 'x' })
  const left = await Promise.all((await filesOf(root)).map((file) => readFile(join(root, file))))
  expect(left.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(options.quotaBytes)
  await store.close()
})

test('a thousand savings at once in a process that may open few files', async () => {
  const { told, ended } = start(code, 'many', { root }, { times: 1_000, limit: 'ulimit -n 128' })
  await ended
  expect(told.filter(({ failure }) => failure !== undefined)).toEqual([])
  expect(told).toHaveLength(1_000)
})

test('200 MB of text in little memory, byte for byte', async () => {
  const { told, ended } = start(code, 'large', { root }, { times: 200_000_000 })
  await ended
  const { locator = '', bytes = 0, grownBy = 0 } = told.at(-1) ?? {}
  expect(bytes).toBeGreaterThanOrEqual(200_000_000)
  expect(grownBy).toBeLessThan(60_000_000)
  const store = spillFs({ root })
  const expected = Buffer.from('0123456789abcde\n'.repeat(65_536))
  for (let offset = 0; offset < bytes; offset += expected.length) {
    const range = await store.read({ session: 'a', locator, offset, limit: expected.length })
    const isSame = Buffer.compare(range?.data ?? Buffer.of(), expected.subarray(0, bytes - offset)) === 0
    if (!isSame) expect.fail(`other bytes came back from ${offset} on`)
  }
  await store.close()
})

test('a folder that is removed while it is in use: rejects, and nothing is made elsewhere', async () => {
  const store = spillFs({ root })
  const { locator } = await store.saveText({ session: 'a', text: 'x' })
  await rm(root, { recursive: true })
  await expect(store.saveText({ session: 'a', text: 'x' })).rejects.toThrow(
    /it is not there \(ENOENT\)\. Do not remove the folder of a store that is in use/,
  )
  expect(await textOf(store, locator)).toBeUndefined()
  expect(await readdir(around)).toEqual([])
  await store.close()
})
