import { describe, expect, test } from 'vitest'
import { failure, success } from '../test/results.ts'
import { anthropic } from './anthropic.ts'

function message(content: object[], stop_reason = 'tool_use'): object {
  return { type: 'message', role: 'assistant', content, stop_reason }
}

describe('reading', () => {
  test('arguments come parsed, and other blocks are passed over', () => {
    const use = { type: 'tool_use', id: 'toolu_1', name: 'add', input: { a: 1 } }
    expect(anthropic.read(message([{ type: 'text', text: 'Let me add.' }, use], 'max_tokens'))).toEqual({
      calls: [{ id: 'toolu_1', name: 'add', arguments: { a: 1 } }],
      finishReason: 'max_tokens',
    })
  })

  test.each([
    ['nothing', null],
    ['a message of another provider', { object: 'chat.completion', choices: [] }],
    ['a call without an id', message([{ type: 'tool_use', name: 'add', input: {} }])],
  ])('%s is not read', (_what, given) => {
    expect(anthropic.read(given)).toBeUndefined()
  })
})

describe('the one message that answers', () => {
  test('results first, in order, then context', () => {
    const results = [
      success('toolu_1', [{ type: 'text', text: 'one' }], ['remember this']),
      failure('toolu_2', [{ type: 'text', text: 'TOOL_ERROR: it broke' }]),
    ]
    const reply = anthropic.reply(results)
    expect(anthropic.answered(reply)).toEqual(['toolu_1', 'toolu_2'])
    expect(reply).toEqual([
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'one' }] },
          {
            type: 'tool_result',
            tool_use_id: 'toolu_2',
            is_error: true,
            content: [{ type: 'text', text: 'TOOL_ERROR: it broke' }],
          },
          { type: 'text', text: 'remember this' },
        ],
      },
    ])
  })

  test('a picture stays a picture, but not in a failure, where the API takes text alone', () => {
    const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    const inWords = { type: 'text', text: '[image image/png]' }
    expect(anthropic.reply([success('1', [picture]), failure('2', [picture])])).toMatchObject([
      { content: [{ content: [image] }, { content: [inWords] }] },
    ])
  })

  test('a picture of a kind that the API does not take, and a blank text', () => {
    const svg = { type: 'image', data: 'AAAA', mimeType: 'image/svg+xml' } as const
    const reply = anthropic.reply([success('1', [svg, { type: 'text', text: ' ' }])])
    expect(reply).toMatchObject([{ content: [{ content: [{ type: 'text', text: '[image image/svg+xml]' }] }] }])
  })
})
