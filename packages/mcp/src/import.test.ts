import { createToolRuntime } from '@pawl/core'
import { describe, expect, test, vi } from 'vitest'
import { codeOf, listed, logbook, Peer } from '../test/peer.ts'
import { importMcpTools, type McpImportOptions } from './index.ts'

async function peerOf(...tools: unknown[]): Promise<Peer> {
  const said = (asked: { params: { name?: string } }) => ({ content: [{ type: 'text', text: asked.params.name }] })
  return new Peer({ 'tools/list': () => ({ tools }), 'tools/call': said }).connect()
}

describe('what a tool is made of', () => {
  test('name, description, title, annotations and schemas are the server’s', async () => {
    const inputSchema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { node: { $ref: '#/definitions/Node' } },
      definitions: { Node: { type: 'object', properties: { kids: { items: { $ref: '#/definitions/Node' } } } } },
      additionalProperties: false,
    }
    const peer = await peerOf(
      listed('walk', { title: 'Walk', inputSchema, annotations: { readOnlyHint: true, odd: 1 } }),
    )
    const [tool] = await importMcpTools(peer.client, { server: 'tree' })
    expect(tool).toMatchObject({
      name: 'tree__walk',
      description: 'The tool walk.',
      title: 'Walk',
      annotations: { readOnlyHint: true },
      parameters: inputSchema,
    })
    expect(tool?.annotations).not.toHaveProperty('odd')
    expect(createToolRuntime({ tools: [tool!] }).tools.schemas()[0]?.parameters).toEqual(inputSchema)
  })

  test('N1: the server is called by the tool’s own name, byte for byte', async () => {
    const names = ['a.b', 'a/b', 'a b', 'a_b', '检索']
    const peer = await peerOf(...names.map((name) => listed(name)))
    const tools = await importMcpTools(peer.client, { server: 'corp.db' })
    const calls = tools.map(({ name }, index) => ({ id: `${index}`, name, arguments: {} }))
    const results = await createToolRuntime({ tools }).dispatch(calls)
    expect(results.map((result) => result.content)).toEqual(names.map((text) => [{ type: 'text', text }]))
  })

  test('without a prefix, names are the tools’ own; without a name, the server’s own is the prefix', async () => {
    const peer = await peerOf(listed('echo'))
    expect((await importMcpTools(peer.client, { prefix: false }))[0]?.name).toBe('echo')
    expect((await importMcpTools(peer.client))[0]?.name).toBe('shelf__echo')
  })

  test('CON-1: read-only tools overlap only where the annotations are trusted', async () => {
    const tools = [
      listed('reads', { annotations: { readOnlyHint: true } }),
      listed('claims', { annotations: { readOnlyHint: 'true' } }),
      listed('writes', { annotations: { readOnlyHint: false } }),
      listed('says_nothing'),
    ]
    const safeOf = async (options: McpImportOptions) =>
      (await importMcpTools((await peerOf(...tools)).client, options)).map((tool) => tool.isConcurrencySafe?.({}))
    expect(await safeOf({ trustAnnotations: true })).toEqual([true, undefined, undefined, undefined])
    expect(await safeOf({})).toEqual([undefined, undefined, undefined, undefined])
  })

  test('a filter sees the tool’s own name; one that throws leaves the tool out', async () => {
    const peer = await peerOf(listed('a'), listed('b'), listed('c'))
    const logger = logbook()
    const filter = ({ name }: { name: string }) => {
      if (name === 'c') throw new Error('unsure')
      return name === 'a'
    }
    const tools = await importMcpTools(peer.client, { server: 's', filter, logger })
    expect(tools.map(({ name }) => name)).toEqual(['s__a'])
    expect(logger.lines).toEqual(['[pawl] MCP server "s": tool "c" was left out: unsure.'])
  })
})

describe('S6: a tool that can not be used costs no other', () => {
  const union = {
    anyOf: [
      { type: 'object', required: ['a'] },
      { type: 'object', required: ['b'] },
    ],
  }
  const tools = [
    listed('good'),
    listed('union', { inputSchema: union }),
    listed('broken', { inputSchema: { type: 'objekt' } }),
    listed('broken_out', { outputSchema: { type: 'object', required: 'all' } }),
    { name: 'noschema' },
    listed('good', { description: 'Once more.' }),
    { description: 'no name' },
    null,
  ]

  test('it is left out and named, with the reason', async () => {
    const logger = logbook()
    const imported = await importMcpTools((await peerOf(...tools)).client, { server: 's', logger })
    expect(imported.map(({ name }) => name)).toEqual(['s__good', 's__union'])
    const about = ['"broken"', '"broken_out"', '"noschema"', '"good"', 'number 6', 'number 7']
    expect(logger.lines).toHaveLength(about.length)
    for (const [at, what] of about.entries()) expect(logger.lines[at]).toContain(`tool ${what} was left out: `)
  })

  test('it is never left out in silence', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    await importMcpTools((await peerOf(...tools)).client)
    expect(warned).toHaveBeenCalledTimes(6)
    warned.mockRestore()
  })

  test('a root union works and is an object for the provider', async () => {
    const imported = await importMcpTools((await peerOf(listed('union', { inputSchema: union }))).client, {
      server: 's',
    })
    const runtime = createToolRuntime({ tools: imported })
    const call = (args: object) => runtime.execute({ id: 'c', name: 's__union', arguments: args })
    expect([codeOf(await call({ a: 1 })), codeOf(await call({ c: 1 }))]).toEqual(['ok', 'INVALID_ARGS'])
    expect(runtime.tools.schemas()[0]?.parameters).toEqual({ ...union, type: 'object' })
  })
})

test('a tool that runs as a task only is told of, and its calls fail clearly without being sent', async () => {
  const initialize = () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } },
    serverInfo: { name: 's', version: '1' },
  })
  const list = () => ({ tools: [listed('slow', { execution: { taskSupport: 'required' } })] })
  const peer = await new Peer({ initialize, 'tools/list': list }).connect()
  const logger = logbook()
  const tools = await importMcpTools(peer.client, { logger })
  const result = await createToolRuntime({ tools }).execute({ id: 'c', name: 's__slow', arguments: {} })
  expect(codeOf(result)).toBe('MCP_TASK_REQUIRED')
  expect(logger.lines[0]).toContain('"slow" runs as a task only')
  expect(peer.asked('tools/call')).toHaveLength(0)
})

test.each<[unknown, RegExp]>([
  [{ server: '' }, /`server` has to be a text that is not empty. It is ""/],
  [{ sever: 'x' }, /unknown option `sever`/],
  [{ idleTimeoutMs: 0 }, /`idleTimeoutMs`/],
  [{ totalTimeoutMs: 2 ** 31 }, /`totalTimeoutMs`/],
  [{ trustAnnotations: 'yes' }, /`trustAnnotations`/],
  [{ prefix: 1 }, /`prefix`/],
  [{ filter: [] }, /`filter`/],
  [{ registry: {} }, /`registry`/],
  [{ signal: {} }, /`signal`/],
  [{ logger: 'console' }, /`logger`/],
  [null, /second argument/],
])('the options %o are refused', async (options, reason) => {
  const peer = await peerOf()
  await expect(importMcpTools(peer.client, options as McpImportOptions)).rejects.toThrow(reason)
})

test('what is no client is refused', async () => {
  await expect(importMcpTools({} as never)).rejects.toThrow('a connected Client')
})
