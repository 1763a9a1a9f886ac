import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withFileServer } from './server.ts'

// A real server is started, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

let temporary: string
beforeEach(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'pawl-server-test-'))
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, temporary)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await rm(temporary, { recursive: true })
})

test('the server sees its folder, and both are gone afterwards, also after a throw', async () => {
  let pid = 0
  const run = withFileServer(async (client) => {
    pid = (client.transport as StdioClientTransport).pid ?? 0
    const { content } = await client.callTool({ name: 'list_directory', arguments: { path: '.' } })
    expect(content).toMatchObject([{ type: 'text', text: expect.stringContaining('[FILE] README.md') }])
    expect(await readdir(temporary)).toHaveLength(1)
    throw new Error('the app broke')
  })
  await expect(run).rejects.toThrow('the app broke')
  expect(await readdir(temporary)).toEqual([])
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test('a server that does not start leaves no folder either', async () => {
  vi.spyOn(StdioClientTransport.prototype, 'start').mockRejectedValue(new Error('no such program'))
  await expect(withFileServer(async () => {})).rejects.toThrow('no such program')
  expect(await readdir(temporary)).toEqual([])
})
