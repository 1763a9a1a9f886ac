import { expect, test } from 'vitest'
import { wordsOf } from '../support/results.ts'
import { echo, errorOf, runtimeOf, statusOf } from './bench.ts'

const path = {
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
  additionalProperties: false,
}

const nothing = ['', '  \n', null, undefined, '{}']

test('A1: a tool without parameters runs with {} however the model writes that there is nothing', async () => {
  const { tool, seen } = echo({ type: 'object', properties: {} })
  const { runtime } = runtimeOf(tool)
  const results = await runtime.dispatch(nothing.map((args) => ({ name: 'work', arguments: args })))

  expect(results.map(statusOf)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok'])
  expect(seen).toEqual([{}, {}, {}, {}, {}])
})

test('A1: where a parameter is required, nothing at all is told as that parameter missing, not as broken JSON', async () => {
  const { tool, seen } = echo(path)
  const { runtime } = runtimeOf(tool)
  const results = await runtime.dispatch(nothing.map((args) => ({ name: 'work', arguments: args })))

  for (const result of results) {
    expect(errorOf(result).code).toBe('INVALID_ARGS')
    expect(wordsOf(result)).toMatch(/\/path\b.*required/)
    expect(wordsOf(result)).not.toMatch(/JSON|syntax|parse/i)
  }
  expect(seen).toEqual([])
})

const cut = ['{"path":"a.txt","content":"hel', '{"commands":["npm ci","npm te', '{"commands":["ls","pwd"']
const noObject = ['{"path":"a.txt"} {"path":"b.txt"}', '[1,2]', '"abc"', '42']

test('A2: text that is no complete JSON object never runs, and is told as that', async () => {
  const { tool, seen } = echo()
  const { runtime, entries } = runtimeOf(tool)
  const texts = [...cut, ...noObject]
  const results = await runtime.dispatch(texts.map((args, at) => ({ id: `${at}`, name: 'work', arguments: args })))

  for (const [at, result] of results.entries()) {
    expect(errorOf(result)).toMatchObject({ code: 'INVALID_ARGS', sideEffects: 'none' })
    expect(wordsOf(result)).toMatch(/JSON object/)
    if (at < cut.length) expect(wordsOf(result)).toMatch(/truncated/)
  }
  expect(seen).toEqual([])

  // What a replay would read is an object and a reason; the broken text is nowhere as arguments.
  const calls = entries.flatMap((entry) => (entry.type === 'tool/call' ? [entry] : []))
  expect(calls.map((entry) => entry.arguments)).toEqual(texts.map(() => ({})))
  for (const entry of calls) expect(entry.malformed).toMatch(/JSON object/)
})

test('A5: an object that was encoded as text once more never runs as text; the model is told to send the object', async () => {
  const { tool, seen } = echo(path)
  const { runtime } = runtimeOf(tool)
  const once = JSON.stringify({ path: 'a' })
  const texts = [JSON.stringify(once), JSON.stringify(JSON.stringify(once)), JSON.stringify('not json')]
  const results = await runtime.dispatch(texts.map((args) => ({ name: 'work', arguments: args })))

  // It could also be unwrapped; pawl repairs nothing, since a guess would run what nobody asked for.
  expect(results.map(statusOf)).toEqual(['INVALID_ARGS', 'INVALID_ARGS', 'INVALID_ARGS'])
  expect(results.slice(0, 2).map(wordsOf)).toEqual([
    expect.stringContaining('encoded twice'),
    expect.stringContaining('encoded twice'),
  ])
  expect(wordsOf(results[2]!)).not.toContain('encoded twice')
  expect(seen).toEqual([])
})

test('A5: text that is wrapped many times over is refused at once', async () => {
  const { tool, seen } = echo(path)
  let text = JSON.stringify({ path: 'a' })
  for (let level = 0; level < 12; level++) text = JSON.stringify(text)
  expect(statusOf(await runtimeOf(tool).runtime.execute({ name: 'work', arguments: text }))).toBe('INVALID_ARGS')
  expect(seen).toEqual([])
})

test('A8: an integer that JavaScript would round is refused with the way out; the largest safe one passes', async () => {
  const { tool, seen } = echo({ type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] })
  const { runtime } = runtimeOf(tool)
  const [tooBig, negative, safe] = await runtime.dispatch(
    ['1873000000000000007', '-1873000000000000007', '9007199254740991'].map((id) => ({
      name: 'work',
      arguments: `{"id":${id}}`,
    })),
  )
  for (const refused of [tooBig!, negative!]) {
    expect(errorOf(refused).code).toBe('INVALID_ARGS')
    expect(wordsOf(refused)).toMatch(/1873000000000000007.*9007199254740991.*as a string/)
  }
  expect(statusOf(safe!)).toBe('ok')
  expect(seen).toEqual([{ id: 9007199254740991 }])
})

test.each([
  '9007199254740993.0',
  '9007199254740993e0',
  '90071992547409930e-1',
  '0.9007199254740993e16',
  '9007199254740995e0',
])('A8: %s is an integer that would be changed, however it is written', async (id) => {
  const { tool, seen } = echo({ id: { type: 'number' } })
  const [result] = await runtimeOf(tool).runtime.dispatch([{ name: 'work', arguments: `{"id":${id}}` }])
  expect(seen).toEqual([])
  expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_ARGS' } })
})

test.each(['1e21', '10.0', '9007199254740992e1', '123e20'])('A8: %s is what it says', async (id) => {
  const { tool, seen } = echo({ id: { type: 'number' } })
  await runtimeOf(tool).runtime.dispatch([{ name: 'work', arguments: `{"id":${id}}` }])
  expect(seen).toEqual([{ id: Number(id) }])
})
