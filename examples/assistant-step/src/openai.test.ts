import { describe, expect, test } from 'vitest'
import { failure, success } from '../test/results.ts'
import { openai } from './openai.ts'

function completion(message: object, finish_reason = 'tool_calls'): object {
  return { object: 'chat.completion', choices: [{ index: 0, message, finish_reason }] }
}

function choice(): object {
  return { index: 0, message: { role: 'assistant', content: 'Ahoy.' }, finish_reason: 'stop' }
}

describe('reading', () => {
  test('arguments stay the text that the model wrote', () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"a":1,' } }
    expect(openai.read(completion({ role: 'assistant', content: null, tool_calls: [call] }, 'length'))).toEqual({
      calls: [{ id: 'call_1', name: 'add', arguments: '{"a":1,' }],
      finishReason: 'length',
    })
  })

  test('a message without calls is a step without calls', () => {
    expect(openai.read(completion({ role: 'assistant', content: 'Ahoy.' }, 'stop'))?.calls).toEqual([])
  })

  test.each([
    ['nothing', null],
    ['a message of another provider', { type: 'message', content: [], stop_reason: 'end_turn' }],
    ['no choice', { object: 'chat.completion', choices: [] }],
    [
      'a call without an id',
      completion({ tool_calls: [{ type: 'function', function: { name: 'a', arguments: '' } }] }),
    ],
  ])('%s is not read', (_what, message) => {
    expect(openai.read(message)).toBeUndefined()
  })
})

test.each([
  ['several choices', { object: 'chat.completion', choices: [choice(), choice()] }, 'has 2 choices'],
  [
    'a call of the older form',
    completion({ content: null, function_call: { name: 'a', arguments: '{}' } }, 'function_call'),
    'has a "function_call"',
  ],
])('%s is refused, since calls in it would go unanswered', (_what, message, words) => {
  expect(() => openai.read(message)).toThrow(words)
})

test('each result is a message of its own, and context follows them all', () => {
  const results = [
    success('call_1', [{ type: 'text', text: 'one' }], ['remember this']),
    failure('call_2', [{ type: 'text', text: 'TOOL_ERROR: it broke' }]),
    success('call_3', [
      { type: 'text', text: 'a picture:' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ]),
  ]
  const reply = openai.reply(results)
  expect(openai.answered(reply)).toEqual(['call_1', 'call_2', 'call_3'])
  expect(reply).toEqual([
    { role: 'tool', tool_call_id: 'call_1', content: 'one' },
    { role: 'tool', tool_call_id: 'call_2', content: 'TOOL_ERROR: it broke' },
    { role: 'tool', tool_call_id: 'call_3', content: 'a picture:\n[image image/png]' },
    { role: 'developer', content: 'remember this' },
  ])
})
