import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Asked, codeOf, Peer, Refusal, worldOf } from '../test/peer.ts'

const done = { content: [{ type: 'text', text: 'done' }] }

describe('X2: limits', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  async function race(finishAt: number | undefined, everyMs: number | undefined) {
    const { peer, run } = await worldOf(
      (asked, peer) => {
        if (everyMs !== undefined)
          for (let at = everyMs; at < 5_000; at += everyMs) setTimeout(() => peer.progress(asked, at), at)
        if (finishAt !== undefined) setTimeout(() => peer.answer(asked, done), finishAt)
      },
      { import: { idleTimeoutMs: 1_000, totalTimeoutMs: 3_000 } },
    )
    const start = performance.now()
    const running = run().then((result) => ({ result, ms: performance.now() - start }))
    await vi.advanceTimersByTimeAsync(5_000)
    return { ...(await running), peer }
  }

  test.each([900, 2_500])('progress keeps a call alive that ends after %i ms', async (ms) => {
    const { result } = await race(ms, 400)
    expect(result).toMatchObject({ value: 'done' })
  })

  test('the total ends it at its time, and is named', async () => {
    const { result, ms, peer } = await race(undefined, 400)
    expect(result).toMatchObject({
      error: { code: 'MCP_TIMEOUT', retryable: true, details: { limit: 'total', ms: 3_000 } },
    })
    expect(result.isError && result.error.message).toContain('3000 ms in total (totalTimeoutMs)')
    expect(ms).toBe(3_000)
    expect(peer.asked('notifications/cancelled')).toHaveLength(1)
  })

  test('silence ends it at its time, and is named; a late answer changes nothing', async () => {
    const { result, ms } = await race(1_500, undefined)
    expect(result).toMatchObject({ error: { code: 'MCP_TIMEOUT', details: { limit: 'idle', ms: 1_000 } } })
    expect(ms).toBe(1_000)
  })

  test('progress of another call, or of one that has ended, keeps nothing alive', async () => {
    const calls: Asked[] = []
    const { peer, runtime } = await worldOf((asked) => void calls.push(asked), { import: { idleTimeoutMs: 1_000 } })
    const run = () => runtime.execute({ id: 'c', name: 's__work', arguments: {} })
    const first = run()
    await vi.advanceTimersByTimeAsync(0)
    peer.answer(calls[0]!, done)
    expect(await first).toMatchObject({ value: 'done' })
    const second = run()
    await vi.advanceTimersByTimeAsync(900)
    peer.progress(calls[0]!, 1)
    peer.notify('notifications/progress', { progressToken: 'unknown', progress: 1 })
    await vi.advanceTimersByTimeAsync(100)
    expect(codeOf(await second)).toBe('MCP_TIMEOUT')
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('cancellation', () => {
  test('CAN-4: reaches the server, and the call does not wait for it', async () => {
    const caller = new AbortController()
    const { peer, run } = await worldOf(() => void caller.abort(new Error('changed my mind')))
    const result = await run(caller.signal)
    expect(result).toMatchObject({
      error: { code: 'MCP_CANCELLED', sideEffects: 'possible', details: { aborted: true } },
    })
    const id = peer.asked('tools/call')[0]?.id
    expect(peer.asked('notifications/cancelled')[0]?.params).toMatchObject({ requestId: id })
  })

  test('CAN-6: calls of all kinds leave no listener on their one signal', async () => {
    const caller = new AbortController()
    let calls = 0
    const { run } = await worldOf(() => [done, new Refusal(-32603, 'no'), { isError: true }][calls++ % 3])
    for (let at = 0; at < 300; at++) await run(caller.signal)
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0)
  })
})

test('progress reaches the listener', async () => {
  const calls: Asked[] = []
  const { peer, runtime } = await worldOf((asked, peer) => {
    calls.push(asked)
    peer.progress(asked, 1)
    peer.progress(asked, 2)
  })
  const seen: unknown[] = []
  for await (const event of runtime.stream([{ id: 'c', name: 's__work', arguments: {} }])) {
    if (event.type === 'progress') seen.push(event)
    if (seen.length === 2) peer.answer(calls[0]!, done)
  }
  expect(seen).toMatchObject([
    { progress: 1, message: 'at 1' },
    { progress: 2, message: 'at 2' },
  ])
})

describe('MCP-1: what goes wrong between here and the server costs a failure of the call', () => {
  test('a refusal', async () => {
    const { run } = await worldOf(() => new Refusal(-32602, 'Tool work not found', { hint: 'w' }))
    expect(await run()).toMatchObject({
      error: {
        code: 'MCP_REQUEST_FAILED',
        message: 'MCP server "s": Tool work not found (JSON-RPC error -32602).',
        details: { rpcCode: -32602, data: { hint: 'w' } },
      },
    })
  })

  test('a refusal that looks like a closed connection is none', async () => {
    const { run } = await worldOf(() => new Refusal(-32000, 'Connection closed'))
    expect(codeOf(await run())).toBe('MCP_REQUEST_FAILED')
  })

  test('death during a call, and calls after it', async () => {
    const { peer, run } = await worldOf((_asked, peer) => void peer.die())
    expect(await run()).toMatchObject({
      error: { code: 'MCP_CONNECTION_FAILED', retryable: false, sideEffects: 'possible', details: { sent: true } },
    })
    expect(await run()).toMatchObject({ error: { code: 'MCP_CONNECTION_FAILED', details: { sent: false } } })
    expect(peer.asked('tools/call')).toHaveLength(1)
  })

  test('a client that is connected again serves the same tools', async () => {
    const { peer, run } = await worldOf((_asked, peer) => void peer.die())
    await run()
    await new Peer({ 'tools/call': () => done }, peer.client).connect()
    expect(await run()).toMatchObject({ value: 'done' })
  })

  test('a transport that can not send', async () => {
    const { peer, run } = await worldOf(() => done)
    peer.client.transport!.send = () => Promise.reject(new Error('502 Bad Gateway'))
    expect(await run()).toMatchObject({
      error: { code: 'MCP_CONNECTION_FAILED', message: 'MCP server "s" could not be reached: 502 Bad Gateway.' },
    })
  })
})
