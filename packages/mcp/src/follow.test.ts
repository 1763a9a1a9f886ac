import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { createToolRuntime, defineTool } from '@pawl/core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Answer, listed, logbook, Peer, Refusal } from '../test/peer.ts'
import { importMcpTools } from './index.ts'

const changed = 'notifications/tools/list_changed'
const stops: AbortController[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort()
})

async function worldOf(first: object[], client?: Client) {
  const world = { tools: first, answer: undefined as Answer | undefined }
  const peer = new Peer(
    { 'tools/list': (asked, peer) => world.answer?.(asked, peer) ?? { tools: world.tools } },
    client,
  )
  await peer.connect()
  const runtime = createToolRuntime()
  const logger = logbook()
  const stop = new AbortController()
  stops.push(stop)
  const start = () => importMcpTools(peer.client, { server: 's', registry: runtime.tools, signal: stop.signal, logger })
  const names = () => runtime.tools.list().map(({ name }) => name)
  return { world, peer, runtime, logger, stop, start, names }
}

describe('a registry', () => {
  test('has the server’s tools, and follows what is added, changed and removed', async () => {
    const { world, peer, runtime, start, names } = await worldOf([listed('stays'), listed('changes'), listed('goes')])
    expect((await start()).map(({ name }) => name)).toEqual(names())
    const before = runtime.tools.get('s__stays')
    world.tools = [listed('comes'), listed('stays'), listed('changes', { description: 'Now otherwise.' })]
    peer.notify(changed)
    await vi.waitFor(() => expect(names().sort()).toEqual(['s__changes', 's__comes', 's__stays']))
    expect(runtime.tools.get('s__stays')).toBe(before)
    expect(runtime.tools.get('s__changes')?.description).toBe('Now otherwise.')
  })

  test('hears of a change during the first reading', async () => {
    const { world, peer, start, names } = await worldOf([listed('old')])
    world.answer = () => {
      world.answer = undefined
      world.tools = [listed('new')]
      peer.notify(changed)
      return { tools: [listed('old')] }
    }
    await start()
    await vi.waitFor(() => expect(names()).toEqual(['s__new']))
  })

  test('a burst is one more reading, or two', async () => {
    const { world, peer, start, names } = await worldOf([listed('a')])
    await start()
    world.tools = [listed('b')]
    for (let at = 0; at < 500; at++) peer.notify(changed)
    await vi.waitFor(() => expect(names()).toEqual(['s__b']))
    expect(peer.asked('tools/list').length).toBeLessThanOrEqual(3)
  })

  test('keeps its tools where the changed list can not be read, and says so', async () => {
    const { world, peer, start, names, logger } = await worldOf([listed('a')])
    await start()
    world.answer = () => new Refusal(-32603, 'try later')
    peer.notify(changed)
    await vi.waitFor(() => expect(logger.lines[0]).toContain('its tools stay as they were'))
    expect(names()).toEqual(['s__a'])
    world.answer = undefined
    world.tools = [listed('b')]
    peer.notify(changed)
    await vi.waitFor(() => expect(names()).toEqual(['s__b']))
  })

  test('a tool that is left out is told of once, not at every reading', async () => {
    const { world, peer, start, names, logger } = await worldOf([listed('a'), { name: 'broken' }])
    await start()
    world.tools = [listed('b'), { name: 'broken' }]
    peer.notify(changed)
    await vi.waitFor(() => expect(names()).toEqual(['s__b']))
    expect(logger.lines).toEqual(['[pawl] MCP server "s": tool "broken" was left out: it has no `inputSchema`.'])
  })

  test('is not overruled where the deployment took a tool out', async () => {
    const { world, peer, runtime, start, names } = await worldOf([listed('a')])
    await start()
    runtime.tools.unregister('s__a')
    world.tools = [listed('a', { description: 'Again.' }), listed('b')]
    peer.notify(changed)
    await vi.waitFor(() => expect(names()).toEqual(['s__b']))
  })
})

describe('a name that is taken', () => {
  const own = defineTool({
    name: 's__b',
    description: 'Of the deployment.',
    parameters: {},
    output: { schema: {} },
    execute: () => 'own',
  })

  test('refuses the import, of which nothing is left', async () => {
    const { runtime, start, names } = await worldOf([listed('a'), listed('b')])
    runtime.tools.register(own)
    await expect(start()).rejects.toThrow(
      'MCP server "s" was not imported: tool "s__b" could not be registered: there is already',
    )
    expect(names()).toEqual(['s__b'])
    expect(runtime.tools.get('s__b')).toBe(own)
  })

  test('later costs the server’s new tool, and says so', async () => {
    const { world, peer, runtime, start, names, logger } = await worldOf([listed('a')])
    await start()
    runtime.tools.register(own)
    world.tools = [listed('b'), listed('c')]
    peer.notify(changed)
    await vi.waitFor(() => expect(names()).toEqual(['s__b', 's__c']))
    expect(runtime.tools.get('s__b')).toBe(own)
    expect(logger.lines).toEqual([expect.stringContaining('tool "s__b" could not be registered')])
  })
})

describe('the signal', () => {
  test('takes the tools out and ends the following, and the app’s handler is back', async () => {
    const { world, peer, runtime, stop, start, names } = await worldOf([listed('a')])
    const heard = vi.fn()
    peer.client.setNotificationHandler(ToolListChangedNotificationSchema, heard)
    await start()
    await importMcpTools(peer.client, { server: 'other', registry: runtime.tools, signal: stop.signal })
    world.tools = [listed('b')]
    peer.notify(changed)
    await vi.waitFor(() => expect(names()).toEqual(['s__b', 'other__b']))
    expect(heard).toHaveBeenCalledTimes(1)
    stop.abort()
    expect(names()).toEqual([])
    const readings = peer.asked('tools/list').length
    peer.notify(changed)
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2))
    expect(peer.asked('tools/list')).toHaveLength(readings)
  })

  test('leaves no handler where there was none', async () => {
    const { peer, stop, start } = await worldOf([listed('a')])
    const fallback = vi.fn(async () => {})
    peer.client.fallbackNotificationHandler = fallback
    await start()
    peer.notify(changed)
    await vi.waitFor(() => expect(peer.asked('tools/list')).toHaveLength(2))
    expect(fallback).not.toHaveBeenCalled()
    stop.abort()
    peer.notify(changed)
    await vi.waitFor(() => expect(fallback).toHaveBeenCalledTimes(1))
  })

  test('the SDK’s own `listChanged` goes on beside it', async () => {
    const onChanged = vi.fn()
    const client = new Client({ name: 't', version: '1' }, { listChanged: { tools: { onChanged, debounceMs: 0 } } })
    const { world, peer, start, names } = await worldOf([listed('a')], client)
    await start()
    world.tools = [listed('b')]
    peer.notify(changed)
    await vi.waitFor(() => expect(names()).toEqual(['s__b']))
    await vi.waitFor(() => expect(onChanged).toHaveBeenCalledTimes(1))
  })

  test('that aborts during the first reading refuses the import with its reason', async () => {
    const { world, stop, start, names } = await worldOf([listed('a')])
    world.answer = () => stop.abort(new Error('enough')) ?? { tools: [listed('a')] }
    await expect(start()).rejects.toThrow('enough')
    expect(names()).toEqual([])
  })
})

test('MCP-1: a server that says "changed" at every reading is read with a rest between', async () => {
  const { world, peer, start } = await worldOf([listed('a')])
  await start()
  const at: number[] = []
  world.answer = () => {
    at.push(performance.now())
    peer.notify(changed)
    return undefined
  }
  peer.notify(changed)
  await vi.waitFor(() => expect(at.length).toBeGreaterThanOrEqual(4), 5_000)
  for (let reading = 1; reading < at.length; reading++) expect(at[reading]! - at[reading - 1]!).toBeGreaterThan(90)
})
