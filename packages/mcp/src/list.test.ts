import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Answer, listed, logbook, Peer, Refusal } from '../test/peer.ts'
import { importMcpTools } from './index.ts'

async function namesFrom(list: Answer): Promise<string[]> {
  const peer = await new Peer({ 'tools/list': list }).connect()
  const tools = await importMcpTools(peer.client, { server: 's', logger: logbook() })
  return tools.map(({ name }) => name)
}

const cursorOf = ({ params }: { params: object }): string | undefined => (params as { cursor?: string }).cursor

test('every page is read', async () => {
  const pages: { [cursor: string]: object } = {
    first: { tools: [listed('a')], nextCursor: 'second' },
    second: { tools: [], nextCursor: 'third' },
    third: { tools: [listed('b')], nextCursor: '' },
  }
  expect(await namesFrom((asked) => pages[cursorOf(asked) ?? 'first'])).toEqual(['s__a', 's__b'])
})

describe('MCP-1: a list that is none, or has no end, is refused with the reason', () => {
  let page = 0
  test.each<[string, Answer, RegExp]>([
    ['a new cursor for ever', () => ({ tools: [], nextCursor: `${page++}` }), /does not seem to end.*1000 pages/],
    ['the same cursor', () => ({ tools: [listed('a')], nextCursor: 'again' }), /leads back/],
    ['too many tools', () => ({ tools: Array(10_001).fill(listed('a')) }), /more than 10000 tools/],
    ['no array', () => ({ tools: 'none' }), /no array/],
    ['a refusal', () => new Refusal(-32601, 'Method not found'), /Method not found/],
    ['death', (_asked, peer) => void peer.die(), /closed the connection/],
  ])('%s', async (_what, list, reason) => {
    await expect(namesFrom(list)).rejects.toThrow(reason)
  })

  test('a server that was never connected', async () => {
    const { client } = new Peer({})
    await expect(importMcpTools(client)).rejects.toThrow(
      'is not connected, and nothing was sent. Connect the client first: await client.connect(transport).',
    )
  })
})

describe('MCP-1: a silent server', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  test('costs no more than idleTimeoutMs', async () => {
    const peer = await new Peer({}).connect()
    const refused = expect(importMcpTools(peer.client, { server: 's', idleTimeoutMs: 500 })).rejects.toThrow('500 ms')
    await vi.advanceTimersByTimeAsync(500)
    await refused
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is not waited for once the import is cancelled', async () => {
    const peer = await new Peer({}).connect()
    const controller = new AbortController()
    const refused = expect(importMcpTools(peer.client, { signal: controller.signal })).rejects.toThrow('no more')
    controller.abort(new Error('no more'))
    await refused
    expect(vi.getTimerCount()).toBe(0)
  })
})
