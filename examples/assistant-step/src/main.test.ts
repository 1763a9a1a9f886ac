import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type Explanation, type ToolResult, textOf } from '@pawl/core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { main } from './main.ts'
import { shipped } from './messages.ts'
import type { Span } from './timeline.ts'

// A real server is started, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

interface Document {
  readonly explain: Explanation
  readonly messages: readonly {
    readonly provider: string
    readonly calls: readonly { readonly id: string }[]
    readonly results: readonly ToolResult[]
    readonly spans: readonly (Span | null)[]
    readonly reply: readonly object[]
    readonly ok: boolean
  }[]
  readonly ok: boolean
}

async function run(args: readonly string[], colour = false): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' }
  const code = await main(args, {
    colour,
    out: (text) => {
      said.out += text
    },
    err: (text) => {
      said.err += text
    },
  })
  return { code, ...said }
}

describe('all messages, for machines', () => {
  let document: Document
  beforeAll(async () => {
    const { code, out, err } = await run(['--json'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    document = JSON.parse(out)
  })

  test('the pipeline that really runs', () => {
    expect(document.explain).toMatchObject({ guards: ['protect-files'], brokenOrder: [] })
    expect(document.explain.stages).toContainEqual({
      stage: 'tools/execute',
      layers: ['yes-man', 'timeline', 'timeout'],
    })
  })

  describe.each([
    ['OpenAI', 0],
    ['Anthropic', 1],
  ])('%s', (name, index) => {
    const message = () => document.messages[index]!
    const spans = () => message().spans

    test('every call has its result, in order', () => {
      const { provider, calls, results, ok } = message()
      expect(provider).toContain(name)
      expect(results.map(({ callId }) => callId)).toEqual(calls.map(({ id }) => id))
      expect(new Set(results.map(({ callId }) => callId)).size).toBe(11)
      expect(ok).toBe(true)
    })

    test('what became of each call', () => {
      const outcomes = message().results.map((result) => (result.isError ? result.error.code : 'ok'))
      const ok = ['ok', 'ok', 'ok', 'ok', 'ok']
      const failed = ['UNKNOWN_TOOL', 'INVALID_ARGS', 'DENIED', 'TOOL_TIMEOUT', 'TOOL_ERROR']
      expect(outcomes).toEqual([...ok, ...failed, 'ok'])
    })

    test('the reads ran beside each other', () => {
      const [first, second, third] = spans()
      const lastBegin = Math.max(first!.began, second!.began, third!.began)
      const firstEnd = Math.min(first!.ended, second!.ended, third!.ended)
      expect(lastBegin).toBeLessThan(firstEnd)
    })

    test('the write ran alone: all before it had ended, nothing after it had begun', () => {
      const write = spans()[3]!
      for (const before of spans().slice(0, 3)) expect(before!.ended).toBeLessThan(write.began)
      for (const after of spans().slice(4)) expect(after?.began ?? Infinity).toBeGreaterThan(write.ended)
    })

    test('the call after the write saw what it wrote', () => {
      const { content } = message().results[4]!
      expect(content).toMatchObject([{ text: expect.stringContaining('2.0') }])
    })

    test('nothing ran for the unknown tool, the malformed arguments and the denied call', () => {
      for (const at of [5, 6, 7]) {
        expect(spans()[at]).toBeNull()
        expect(message().results[at]).toMatchObject({ error: { sideEffects: 'none' }, trace: { bodyInvocations: 0 } })
      }
    })

    test('the denial stood, and the trace tells who tried to lift it', () => {
      const { decisions, faults } = message().results[7]!.trace
      expect(decisions).toMatchObject([
        { by: 'yes-man', kind: 'allow' },
        { by: 'protect-files', kind: 'deny' },
      ])
      expect(faults).toMatchObject([{ plugin: 'yes-man', stage: 'tools/post-execute' }])
    })

    test('the tool that did not listen was abandoned', () => {
      expect(message().results[8]).toMatchObject({
        error: { details: { timeoutMs: 50, abandoned: true }, retryable: false },
        trace: { abandoned: true, bodyInvocations: 1 },
      })
    })
  })

  test('OpenAI gets one message for each call, then the context', () => {
    const { calls, reply } = document.messages[0]!
    expect(reply).toMatchObject([
      ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: expect.any(String) })),
      { role: 'developer', content: expect.stringContaining('NOTES.md') },
    ])
  })

  test('Anthropic gets one message, with a result for each call, then the context', () => {
    const { calls, results, reply } = document.messages[1]!
    const blocks = calls.map(({ id }, at) => ({
      type: 'tool_result',
      tool_use_id: id,
      ...(results[at]!.isError && { is_error: true }),
    }))
    const context = { type: 'text', text: expect.stringContaining('releases/2.0') }
    expect(reply).toMatchObject([{ role: 'user', content: [...blocks, context] }])
    const [, picture] = (reply[0] as { content: object[] }).content
    expect(picture).toMatchObject({ content: [{ type: 'image', source: { media_type: 'image/png' } }] })
  })
})

describe('what was too large for the model', () => {
  test('is bounded with the exact number of bytes that are left out, and the next call finds what was not shown', async () => {
    const { out } = await run(['--json', ...shipped.slice(2)])
    const [[log], [found]] = (JSON.parse(out) as Document).messages.map(({ results }) => results) as [
      [ToolResult],
      [ToolResult],
    ]
    const { value } = log as { value: string }
    const [notice, ...tail] = textOf(log.content).split(/(?<=\}\)\n)/) as [string, string]
    expect(Buffer.byteLength(textOf(log.content))).toBeLessThanOrEqual(400)
    expect(value.endsWith(tail.join(''))).toBe(true)
    const omitted = (value.length - tail.join('').length).toLocaleString('en-US')
    expect(notice).toContain(`(${omitted} of ${value.length.toLocaleString('en-US')} bytes left out.`)
    expect(textOf(log.content)).not.toContain('aground')
    expect(found).toMatchObject({ name: 'read_spill', isError: false, trace: { faults: [] } })
    expect(found.trace.spill).toBeUndefined()
    expect(textOf(found.content)).toMatch(/^line 1234, byte \d+: watch 1234: the Petrel ran aground/)
  })

  test('is not found by a locator that nobody was given', async () => {
    const { code, out } = await run(['--json', ...shipped.slice(3)])
    expect(code).toBe(0)
    expect((JSON.parse(out) as Document).messages[0]?.results).toMatchObject([{ error: { code: 'SPILL_NOT_FOUND' } }])
  })
})

describe('for people', () => {
  test('the same words with colour and without, a hundred columns wide', async () => {
    const [plain, coloured] = await Promise.all([run(shipped), run(shipped, true)])
    expect(plain.code).toBe(0)
    expect(stripVTControlCharacters(plain.out)).toBe(plain.out)
    expect(coloured.out).not.toBe(stripVTControlCharacters(coloured.out))
    expect(withoutTimes(stripVTControlCharacters(coloured.out))).toEqual(withoutTimes(plain.out))
    expect(plain.out.split('\n').filter((line) => line.length > 100)).toEqual([])
  })

  /** Which of two parallel reads ends first is the system's affair, so their bars are left out too; locators are by chance. */
  function withoutTimes(text: string): string {
    return text
      .replace(/█.*/g, '')
      .replace(/spill_\w+/g, '')
      .replace(/ +$/gm, '')
  }

  test('help', async () => {
    expect(await run(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('--json'), err: '' })
  })
})

describe('what is wrong with the command is told, and the exit code is 2', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pawl-main-test-'))
    await writeFile(join(folder, 'broken.json'), '{"choices":')
    await writeFile(join(folder, 'other.json'), '{"object":"list"}')
    const choice = { message: { content: '' }, finish_reason: 'stop' }
    await writeFile(join(folder, 'two.json'), JSON.stringify({ object: 'chat.completion', choices: [choice, choice] }))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test.each([
    ['missing.json', 'missing.json can not be read'],
    ['broken.json', 'broken.json can not be read'],
    ['other.json', 'other.json is no response of OpenAI Chat Completions or Anthropic Messages'],
    ['two.json', 'two.json: this response of OpenAI Chat Completions has 2 choices'],
  ])('%s', async (file, words) => {
    expect(await run([join(folder, file)])).toMatchObject({ code: 2, out: '', err: expect.stringContaining(words) })
  })

  test('an unknown option', async () => {
    expect(await run(['--yaml'])).toMatchObject({ code: 2, out: '', err: expect.stringContaining("'--yaml'") })
  })
})

describe('messages of your own', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pawl-main-test-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  async function runMessage(stop_reason: string, ids: readonly string[]): Promise<{ code: number; out: string }> {
    const content = ids.map((id) => ({ type: 'tool_use', id, name: 'word_count', input: { text: 'ahoy' } }))
    const file = join(folder, `${stop_reason}.json`)
    await writeFile(file, JSON.stringify({ type: 'message', content, stop_reason }))
    return run(['--json', file])
  }

  test('one that was cut off costs its last call, which is answered all the same', async () => {
    const { code, out } = await runMessage('max_tokens', ['toolu_1', 'toolu_2'])
    expect(code).toBe(0)
    expect((JSON.parse(out) as Document).messages[0]?.results).toMatchObject([
      { callId: 'toolu_1', isError: false },
      { callId: 'toolu_2', error: { code: 'INVALID_ARGS', details: { truncated: true } } },
    ])
  })

  test('a call that no result can be paired with makes the exit code 1', async () => {
    const { code, out } = await runMessage('tool_use', ['toolu_1', ''])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ ok: false, messages: [{ ok: false }] })
  })
})
