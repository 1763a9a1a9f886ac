import { normalize } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { defineTool } from '../../src/index.ts'
import { runtimeOf, statusOf } from './bench.ts'

afterEach(() => {
  vi.useRealTimers()
})

test.each<[string, { isConcurrencySafe?: () => boolean }]>([
  ['say so', { isConcurrencySafe: () => false }],
  ['say nothing', {}],
])(
  'W1: two edits of one file that are not safe beside each other, and %s, both end up in the file',
  async (_, safety) => {
    const files = new Map([['f', '1\n2\n3\n']])
    let [running, most] = [0, 0]
    const edit = defineTool({
      name: 'edit',
      description: 'Replaces text in a file.',
      parameters: {
        path: { type: 'string', required: true },
        from: { type: 'string', required: true },
        to: { type: 'string', required: true },
      },
      output: { schema: {} },
      ...safety,
      async execute({ path, from, to }) {
        most = Math.max(most, ++running)
        const text = files.get(normalize(path)) ?? ''
        // Long enough for an edit beside it to have read the same text.
        for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate)
        files.set(normalize(path), text.replace(from, to))
        running--
        return null
      },
    })
    const results = await runtimeOf(edit).runtime.dispatch([
      { name: 'edit', arguments: { path: 'f', from: '1', to: 'one' } },
      { name: 'edit', arguments: { path: './f', from: '3', to: 'three' } },
    ])
    expect(results.map(statusOf)).toEqual(['ok', 'ok'])
    expect(files.get('f')).toBe('one\n2\nthree\n')
    expect(most).toBe(1)
  },
)

test('W2: calls that are safe run together, one that is not waits for all before it, and none behind overtakes it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const log: string[] = []
  const work = defineTool({
    name: 'work',
    description: 'Takes its time.',
    parameters: { ms: { type: 'number', required: true }, safe: { type: 'boolean', required: true } },
    output: { schema: {} },
    isConcurrencySafe: ({ safe }) => safe,
    async execute({ ms }, { callId }) {
      log.push(`${callId} begins`)
      await new Promise((resolve) => setTimeout(resolve, ms))
      log.push(`${callId} ends`)
      return callId
    },
  })
  const step = runtimeOf(work).runtime.dispatch([
    { id: 's1', name: 'work', arguments: { safe: true, ms: 80 } },
    { id: 's2', name: 'work', arguments: { safe: true, ms: 10 } },
    { id: 'u1', name: 'work', arguments: { safe: false, ms: 10 } },
    { id: 's3', name: 'work', arguments: { safe: true, ms: 10 } },
  ])
  await vi.runAllTimersAsync()
  const results = await step
  expect(results.map(({ callId }) => callId)).toEqual(['s1', 's2', 'u1', 's3'])
  expect(results.map(statusOf)).toEqual(['ok', 'ok', 'ok', 'ok'])
  expect(log).toEqual(['s1 begins', 's2 begins', 's2 ends', 's1 ends', 'u1 begins', 'u1 ends', 's3 begins', 's3 ends'])
})
