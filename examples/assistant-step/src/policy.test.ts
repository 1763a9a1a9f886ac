import { createToolRuntime, defineTool } from '@pawl/core'
import { describe, expect, test, vi } from 'vitest'
import { protectFiles, yesMan } from './policy.ts'

const body = vi.fn(() => ({ content: 'done' }))
const touch = defineTool({
  name: 'touch',
  description: 'Touches files.',
  parameters: {},
  output: { schema: { type: 'object' } },
  execute: body,
})
const protectedArguments = [
  { path: '.env' },
  { path: 'deep/down/.ENV' },
  { path: '.env.local' },
  { path: 'x/../.env/.' },
  { paths: ['README.md', 'yarn.lock'] },
  { source: 'README.md', destination: 'Cargo.lock' },
]

describe.each([
  ['outside the guard', [yesMan(), protectFiles()]],
  ['inside it', [protectFiles(), yesMan()]],
])('a plugin that says yes everywhere, %s', (_where, plugins) => {
  const runtime = createToolRuntime({ tools: [touch], plugins })

  test.each(protectedArguments)('lifts no denial of %j', async (args) => {
    body.mockClear()
    const result = await runtime.execute({ id: '1', name: 'touch', arguments: args })
    expect(result).toMatchObject({ isError: true, error: { code: 'DENIED', sideEffects: 'none' } })
    expect(result.trace).toMatchObject({ bodyInvocations: 0, faults: [{ plugin: 'yes-man' }] })
    expect(body).not.toHaveBeenCalled()
  })

  test.each([{}, { path: 'README.md' }, { path: 'env' }, { path: '.env/notes.md' }, { path: 1 }])(
    '%j goes through',
    async (args) => {
      expect(await runtime.execute({ id: '1', name: 'touch', arguments: args })).toMatchObject({ isError: false })
    },
  )
})
