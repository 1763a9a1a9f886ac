import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { createToolRuntime, type ToolRuntime } from '@pawl/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOf } from '../test/peer.ts'
import { importMcpTools, type McpImportOptions } from './index.ts'

const require = createRequire(import.meta.url)
const opened: Client[] = []
afterAll(() => Promise.all(opened.map((client) => client.close())))

async function connected(script: string, ...args: string[]): Promise<{ client: Client; pid: number }> {
  const transport = new StdioClientTransport({ command: process.execPath, args: [script, ...args], stderr: 'ignore' })
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  opened.push(client)
  return { client, pid: transport.pid! }
}

async function runtimeOf(client: Client, options: McpImportOptions): Promise<ToolRuntime> {
  return createToolRuntime({ tools: await importMcpTools(client, { logger: { warn() {} }, ...options }) })
}

describe('the reference server of everything', () => {
  let runtime: ToolRuntime
  beforeAll(async () => {
    const { client } = await connected(
      require.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
      'stdio',
    )
    runtime = await runtimeOf(client, { server: 'all', trustAnnotations: true })
  })
  const call = (name: string, args: object) => runtime.execute({ id: 'c', name: `all__${name}`, arguments: args })

  test('text', async () => {
    expect(await call('echo', { message: 'hi' })).toMatchObject({
      isError: false,
      content: [{ type: 'text', text: 'Echo: hi' }],
    })
  })

  test('structured content', async () => {
    const result = await call('get-structured-content', { location: 'Chicago' })
    expect(result).toMatchObject({ isError: false, value: { temperature: expect.any(Number) } })
  })

  test('an image', async () => {
    const { content } = await call('get-tiny-image', {})
    expect(content.map(({ type }) => type)).toContain('image')
  })

  test('arguments are checked here, and never sent', async () => {
    expect(await call('get-sum', { a: 1 })).toMatchObject({ error: { code: 'INVALID_ARGS', sideEffects: 'none' } })
  })

  test('progress, and two read-only calls at once', async () => {
    const args = { duration: 0.2, steps: 2 }
    const calls = ['1', '2'].map((id) => ({ id, name: 'all__trigger-long-running-operation', arguments: args }))
    const seen: string[] = []
    for await (const { type, callId } of runtime.stream(calls)) seen.push(`${type} ${callId}`)
    expect(seen.slice(0, 2)).toEqual(['started 1', 'started 2'])
    expect(seen.filter((one) => one.startsWith('progress'))).not.toHaveLength(0)
    expect(seen.at(-1)).toBe('result 2')
  })
})

describe('the reference server of a file system', () => {
  let folder: string
  let runtime: ToolRuntime
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'pawl-mcp-')))
    const script = require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js')
    runtime = await runtimeOf((await connected(script, folder)).client, { server: 'fs' })
  })
  afterAll(() => rm(folder, { recursive: true }))
  const call = (name: string, args: object) => ({ id: name, name: `fs__${name}`, arguments: args })

  test('W1: two edits of one file in one step are both in it', async () => {
    const path = join(folder, 'f')
    await writeFile(path, '1\n2\n3\n')
    const edit = (from: string, to: string) => call('edit_file', { path, edits: [{ oldText: from, newText: to }] })
    const results = await runtime.dispatch([edit('1', 'one'), edit('3', 'three')])
    expect(results.map(codeOf)).toEqual(['ok', 'ok'])
    expect(await readFile(path, 'utf8')).toBe('one\n2\nthree\n')
  })

  test('a refusal of the server is a failure with its words', async () => {
    const result = await runtime.execute(call('read_text_file', { path: '/etc/hostname' }))
    expect(result).toMatchObject({
      error: { code: 'MCP_TOOL_ERROR', message: expect.stringContaining('Access denied') },
    })
  })
})

describe('X1: a server that dies', () => {
  const script = fileURLToPath(new URL('../test/dying-server.mjs', import.meta.url))

  test('of a call costs that call and later ones, at once, and no other server', async () => {
    const [dying, other] = await Promise.all([connected(script), connected(script)])
    const tools = await Promise.all([
      importMcpTools(dying.client, { server: 'one' }),
      importMcpTools(other.client, { server: 'other' }),
    ])
    const runtime = createToolRuntime({ tools: tools.flat() })
    const call = (name: string) => ({ id: name, name, arguments: {} })
    const start = performance.now()
    const results = await runtime.dispatch([call('one__die'), call('one__die'), call('other__die')])
    expect(performance.now() - start).toBeLessThan(2_000)
    expect(results).toMatchObject([
      { error: { code: 'MCP_CONNECTION_FAILED', details: { sent: true } } },
      { error: { code: 'MCP_CONNECTION_FAILED', details: { sent: false } } },
      { error: { code: 'MCP_CONNECTION_FAILED', details: { sent: true } } },
    ])
  })

  test('by a kill from outside costs the call that waits', async () => {
    const { client, pid } = await connected(script)
    const runtime = await runtimeOf(client, { server: 'one' })
    const events = runtime.stream([{ id: 'c', name: 'one__hang', arguments: {} }])
    expect((await events.next()).value).toMatchObject({ type: 'started' })
    const result = events.next()
    process.kill(pid, 'SIGKILL')
    expect((await result).value).toMatchObject({ result: { error: { code: 'MCP_CONNECTION_FAILED' } } })
    await events.return()
  })
})
