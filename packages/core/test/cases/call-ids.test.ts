import { expect, test } from 'vitest'
import { defineTool } from '../../src/index.ts'
import { echo, runtimeOf } from './bench.ts'

const twice = [
  { id: 'x', name: 'read', arguments: { path: 'a' } },
  { id: 'x', name: 'read', arguments: { path: 'b' } },
]

test('I1: two calls with one id both run, and each has the result at its own place', async () => {
  const seen: unknown[] = []
  const read = defineTool({
    name: 'read',
    description: 'Reads a file.',
    parameters: { path: { type: 'string', required: true } },
    output: { schema: { type: 'string' } },
    execute(args) {
      seen.push(args)
      return args.path
    },
  })
  const { runtime, entries } = runtimeOf(read)
  const results = await runtime.dispatch(twice)

  expect(seen).toEqual([{ path: 'a' }, { path: 'b' }])
  expect(results.map(({ content }) => content)).toEqual([[{ type: 'text', text: 'a' }], [{ type: 'text', text: 'b' }]])
  expect(results.map(({ callId }) => callId)).toEqual(['x', 'x-2'])
  expect(new Set(results.map(({ executionId }) => executionId)).size).toBe(2)
  for (const { executionId, index } of entries) expect(executionId).toBe(results[index]?.executionId)
  expect(entries.filter(({ type }) => type === 'tool/result')).toHaveLength(2)
})

test('I1: calls without an id get the same distinct ids on every run', async () => {
  const { tool } = echo({}, { name: 'read' })
  const idsOf = async (): Promise<string[]> => {
    const results = await runtimeOf(tool).runtime.dispatch(twice.map((call) => ({ ...call, id: undefined })))
    return results.map(({ callId }) => callId)
  }
  const ids = await idsOf()
  expect(new Set(ids).size).toBe(2)
  expect(await idsOf()).toEqual(ids)
})

test('I1: an id that the model gave is never given to another call', async () => {
  const { tool } = echo({}, { name: 'read' })
  const given = ['call-1', undefined, 'x', 'x', 'x-2', '', 7, '7', undefined, 'call-9', 'x']
  const calls = given.map((id) => ({ id: id as string, name: 'read' }))
  const results = await runtimeOf(tool).runtime.dispatch(calls)
  expect(results.map(({ callId }) => callId)).toEqual([
    ...['call-1', 'call-2', 'x', 'x-3', 'x-2', 'call-6'],
    ...['7', '7-2', 'call-9-2', 'call-9', 'x-4'],
  ])
})
