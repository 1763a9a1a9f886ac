import type { Plugin } from '@pawl/core'
import { describe, expect, test } from 'vitest'
import { codeOf, worldOf } from '../test/peer.ts'

const schema = {
  type: 'object',
  properties: { t: { type: 'number' } },
  required: ['t'],
  additionalProperties: false,
}
const text = (text: string) => ({ type: 'text', text })
const structured = { tool: { outputSchema: schema } }

describe('X3: structured content alone is checked against the output schema, and only of a success', () => {
  test.each<[object, string, RegExp]>([
    [{ content: [], structuredContent: { t: 1 } }, 'ok', /^\{"t":1\}$/],
    [{ structuredContent: { t: 1 } }, 'ok', /^\{"t":1\}$/],
    [{ content: [], structuredContent: { t: '1' } }, 'INVALID_TOOL_OUTPUT', /output schema: \/t/],
    [{ content: [text('{"t":1}')] }, 'INVALID_TOOL_OUTPUT', /output schema/],
    [{ isError: true, content: [text('no such town')] }, 'MCP_TOOL_ERROR', /^MCP_TOOL_ERROR: no such town$/],
    [{ isError: true, structuredContent: { error: 'x' }, content: [] }, 'MCP_TOOL_ERROR', /\{"error":"x"\}/],
    [{ isError: true }, 'MCP_TOOL_ERROR', /work failed and did not say why/],
    [{ content: [], structuredContent: { t: 1, extra: 2 } }, 'INVALID_TOOL_OUTPUT', /extra/],
    [{}, 'MCP_INVALID_RESULT', /neither content nor structuredContent/],
    [{ content: 'text' }, 'MCP_INVALID_RESULT', /content is wrong/],
    [{ content: [{ type: 'smell', data: '' }] }, 'MCP_INVALID_RESULT', /content\.0/],
    [{ content: [], structuredContent: [1] }, 'MCP_INVALID_RESULT', /structuredContent/],
  ])('%j is %s', async (answer, code, words) => {
    const { run } = await worldOf(() => answer, structured)
    const result = await run()
    expect(codeOf(result)).toBe(code)
    expect(result.content).toEqual([{ type: 'text', text: expect.stringMatching(words) }])
    expect(result.trace.faults).toEqual([])
  })
})

describe('the canonical value', () => {
  test.each<[object, unknown]>([
    [{ content: [text('one')] }, 'one'],
    [{ content: [text('one'), text('two')] }, [text('one'), text('two')]],
    [{ content: [] }, []],
    [{ content: [text('said')], structuredContent: { told: 1 } }, { told: 1 }],
  ])('of %j, without an output schema, is %j', async (answer, value) => {
    const { run } = await worldOf(() => answer)
    const result = await run()
    expect(result).toMatchObject({ isError: false, value })
    expect(result.content).toEqual((answer as { content: unknown }).content)
  })

  test.each([{ properties: {} }, { type: 'string' }])(
    'is no text where there is an output schema: %j',
    async (outputSchema) => {
      const { run } = await worldOf(() => ({ content: [text('no')] }), { tool: { outputSchema } })
      expect(codeOf(await run())).toBe('INVALID_TOOL_OUTPUT')
    },
  )
})

describe('content', () => {
  const data = 'A'.repeat(270_000)
  const image = { type: 'image', mimeType: 'image/png', data }
  const shot = { content: [image, text('shot')], structuredContent: { result: [image, text('shot')] } }

  test('M1: an image is kept once, as an image, and the text holds no base64', async () => {
    const pass: Plugin = { name: 'pass', execute: (_exec, next) => next() }
    const more = { tool: { outputSchema: { type: 'object' } }, runtime: { plugins: [pass] } }
    const { run } = await worldOf(() => shot, more)
    const result = await run()
    expect(result.content).toEqual([image, text('shot')])
    expect(result).toMatchObject({ value: shot.structuredContent })
  })

  test('blocks keep their annotations and what the protocol may yet add', async () => {
    const blocks = [
      { ...text('for you'), annotations: { audience: ['user'], priority: 1 }, _meta: { 'x/y': 1 } },
      { type: 'resource_link', uri: 'file:///a', name: 'a', later: true },
      { type: 'resource', resource: { uri: 'file:///b', text: 'b' } },
    ]
    const { run } = await worldOf(() => ({ content: blocks }))
    expect((await run()).content).toEqual(blocks)
  })

  test('T1: is well-formed, in a success and in a failure', async () => {
    for (const answer of [{ content: [text('a\ud83d')] }, { isError: true, content: [text('a\ud83d')] }]) {
      const { run } = await worldOf(() => answer)
      expect((await run()).content).toEqual([{ type: 'text', text: expect.stringMatching(/a\ufffd$/) }])
    }
    const { run } = await worldOf(() => ({ content: [], structuredContent: { '\ud83d': '\ud83d' } }))
    expect((await run()).content).toEqual([text('{"\ufffd":"\ufffd"}')])
  })

  test('what a plugin took out of a value does not come back with the server’s blocks', async () => {
    const answer = { content: [text('{"t":1,"key":"secret"}')], structuredContent: { t: 1, key: 'secret' } }
    const without = { t: 1 }
    const inExecute: Plugin = {
      name: 'inside',
      execute: async (exec, next) =>
        (await next()).isError ? exec.fail({ code: 'X', message: 'x' }) : exec.succeed(without),
    }
    const inPost: Plugin = { name: 'after', postExecute: () => ({ kind: 'accept', value: without }) }
    for (const plugin of [inExecute, inPost]) {
      const { run } = await worldOf(() => answer, { runtime: { plugins: [plugin] } })
      expect(await run()).toMatchObject({ value: without, content: [text('{"t":1}')] })
    }
  })

  test('M1: what is for eyes and ears is kept once, as a block, wherever the value holds it, and never as text', async () => {
    const data = 'A'.repeat(270_000)
    const shot = { type: 'image', mimeType: 'image/png', data }
    const sound = { type: 'audio', mimeType: 'audio/wav', data }
    const file = { type: 'resource', resource: { uri: 'file:///x.bin', blob: data } }
    const value = { result: [shot, text('shot'), { deep: [sound] }, file], icon: { ...shot, data: 'a/path' } }
    const words = text(
      `{"result":["[image image/png]",{"type":"text","text":"shot"},{"deep":["[audio audio/wav]"]},"[resource file:///x.bin]"],"icon":{"type":"image","mimeType":"image/png","data":"a/path"}}`,
    )
    const only = await worldOf(() => ({ structuredContent: value, content: [] }))
    expect(await only.run()).toMatchObject({ value, content: [words, shot, sound, file] })

    const copy: Plugin = { name: 'copy', postExecute: () => ({ kind: 'accept', value: structuredClone(value) }) }
    const replaced = await worldOf(() => ({ structuredContent: value, content: [shot, text('shot')] }), {
      runtime: { plugins: [copy] },
    })
    expect(await replaced.run()).toMatchObject({ value, content: [words, shot, sound, file] })

    const failed = await worldOf(() => ({ isError: true, structuredContent: value, content: [] }))
    const result = await failed.run()
    expect(result.isError && result.error.message).toBe(words.text)
  })

  test('of a failure: the whole text is the message, other blocks are named, and all are in the details', async () => {
    const content = [text('line\n'.repeat(1_000)), image, { type: 'resource_link', uri: 'file:///log', name: 'log' }]
    const { run } = await worldOf(() => ({ isError: true, content }))
    const result = await run()
    expect(result).toMatchObject({ error: { code: 'MCP_TOOL_ERROR', stage: 'execute', details: { content } } })
    expect(result.isError && result.error.message).toBe(
      `${'line\n'.repeat(1_000)}\n[image image/png]\n[log: file:///log]`,
    )
  })

  test('MCP-1: a flood costs a failure, or no more than its limits', async () => {
    const loud = await worldOf(() => ({ isError: true, content: [text('😀'.repeat(100_000))] }))
    const told = await loud.run()
    expect(told.isError && told.error.message.length).toBeLessThan(16_500)
    expect(told.isError && told.error.message).toMatch(/😀… \(183616 more characters\)$/u)

    const limits = { bytes: 10_000 }
    const floods = [
      { content: [text('x'.repeat(10_001))] },
      { content: [], structuredContent: { x: 'x'.repeat(10_001) } },
      { content: [text('y'), text('x'.repeat(10_001))] },
    ]
    for (const flood of floods) {
      const { run } = await worldOf(() => flood, { runtime: { limits } })
      expect(codeOf(await run())).toBe('INVALID_TOOL_OUTPUT')
    }
    const beside = await worldOf(() => ({ content: [text('x'.repeat(10_001))], structuredContent: { t: 1 } }), {
      runtime: { limits },
    })
    expect(await beside.run()).toMatchObject({ value: { t: 1 }, content: [text('{"t":1}')] })
  })
})

test('an isError result stays a failure whatever a post hook does to its text', async () => {
  const polite: Plugin = {
    name: 'polite',
    postExecute: () => ({ kind: 'accept', content: [{ type: 'text', text: 'fine' }] }),
  }
  const { run } = await worldOf(() => ({ isError: true, content: [text('no')] }), { runtime: { plugins: [polite] } })
  expect(await run()).toMatchObject({ isError: true, content: [text('fine')], error: { message: 'no' } })
})

test('what the SDK knows of the tools changes nothing: the app may list them too', async () => {
  const { peer, run } = await worldOf(() => ({ content: [], structuredContent: { t: 'no' } }), structured)
  await peer.client.listTools()
  expect(codeOf(await run())).toBe('INVALID_TOOL_OUTPUT')
})
