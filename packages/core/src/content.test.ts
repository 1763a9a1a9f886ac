import { deepStrictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Content, checkContent, renderJson, text, textOf } from './content.ts'
import { defaultLimits, type Json, ValueRefused } from './json.ts'

const runs = { numRuns: 1_000 }
const words = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('ok \ud83d', '\ude00 x', 'a\ud83d\ud83d\ude00b', '\\ud800'),
)
const json = fc.oneof(fc.jsonValue(), fc.dictionary(words, words)) as fc.Arbitrary<Json>
const annotations = fc.record(
  {
    audience: fc.subarray(['user', 'assistant'] as const),
    priority: fc.double({ min: 0, max: 1, noNaN: true }),
    lastModified: fc.constant('2025-01-12T15:00:58Z'),
  },
  { requiredKeys: [] },
)
const extras = { annotations, _meta: fc.dictionary(words, fc.jsonValue()) }

function block<T extends string, R extends object>(type: T, members: { [K in keyof R]: fc.Arbitrary<R[K]> }) {
  const needed = ['type', ...Object.keys(members)] as never[]
  return fc.record({ type: fc.constant(type), ...members, ...extras }, { requiredKeys: needed })
}

const contents = fc.array(
  fc.oneof(
    block('text', { text: words }),
    block('image', { data: fc.base64String(), mimeType: fc.constant('image/png') }),
    block('audio', { data: fc.base64String(), mimeType: fc.constant('audio/wav') }),
    block('resource_link', { uri: words, name: words, title: words, size: fc.nat() }),
    block('resource', { resource: fc.record({ uri: words, text: words }) }),
    block('resource', { resource: fc.record({ uri: words, mimeType: words, blob: fc.base64String() }) }),
  ),
  { maxLength: 4 },
)

function isDeepFrozen(value: unknown): boolean {
  return (
    Object.isFrozen(value) && (typeof value !== 'object' || value === null || Object.values(value).every(isDeepFrozen))
  )
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isWellFormed(member))
}

function refusalOf(content: unknown): string {
  try {
    checkContent(content, defaultLimits)
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ValueRefused)
    return (thrown as ValueRefused).message
  }
  throw new Error('it was accepted')
}

test('RES-8 All text in content is well-formed Unicode; what was well-formed stays as it was', () => {
  fc.assert(
    fc.property(contents, (given) => {
      const before = structuredClone(given)
      const checked = checkContent(given, defaultLimits)
      expect([isDeepFrozen(checked), isWellFormed(checked), checked.length]).toEqual([true, true, given.length])
      expect(given).toEqual(before)
      if (isWellFormed(given)) deepStrictEqual(JSON.parse(JSON.stringify(checked)), JSON.parse(JSON.stringify(given)))
      deepStrictEqual(checkContent(checked, defaultLimits), checked)
      expect(textOf(checked).isWellFormed()).toBe(true)
    }),
    runs,
  )
})

test('RES-8 rendering a value: a text as it is, everything else as compact JSON, lone halves as U+FFFD', () => {
  fc.assert(
    fc.property(json, (value) => {
      const content = renderJson(value)
      const rendered = textOf(content)
      expect([content.length, isDeepFrozen(content), isWellFormed(content)]).toEqual([1, true, true])
      if (typeof value === 'string') expect(rendered).toBe(value.toWellFormed())
      else expect(isWellFormed(JSON.parse(rendered))).toBe(true)
      if (isWellFormed(value) && typeof value !== 'string') expect(rendered).toBe(JSON.stringify(value))
    }),
    runs,
  )
})

test('T1 lone halves become U+FFFD, pairs and escaped backslashes stay', () => {
  const outputs = ['ok \ud83d', '\ude00 x', 'a\ud83d\ud83d\ude00b', 'good \ud83d\ude00']
  const whole = ['ok \ufffd', '\ufffd x', 'a\ufffd\ud83d\ude00b', 'good \ud83d\ude00']
  expect(outputs.map((output) => textOf(text(output)))).toEqual(whole)
  expect(textOf(renderJson(outputs))).toBe(JSON.stringify(whole))
  expect(textOf(renderJson({ 'k\ud83d': '\\ud83d', 'k\ud83e': 1 }))).toBe('{"k\ufffd":"\\\\ud83d","k\ufffd":1}')
})

test.each([
  ['a text', '$: content has to be an array'],
  [undefined, '$: content has to be an array'],
  [{ type: 'text', text: 'a' }, '$: content has to be an array'],
  [['a text'], '$[0]: a content block has to be an object'],
  [[{ type: 'toString' }], '$[0].type: it has to be one of text, image'],
  [[{ text: 'a' }], '$[0].type: '],
  [
    [
      { type: 'text', text: 'a' },
      { type: 'text', text: 1 },
    ],
    '$[1].text: a text block needs a text here',
  ],
  [[{ type: 'image', data: 'AA==' }], '$[0].mimeType: a image block'],
  [[{ type: 'resource' }], '$[0].resource: '],
  [[{ type: 'resource', resource: { uri: 'a:b' } }], '$[0].resource: an embedded resource needs a `text`'],
  [[{ type: 'resource', resource: { text: 'a' } }], '$[0].resource.uri: '],
  [[{ type: 'resource', resource: { uri: 'a:b', text: 'a', blob: 1 } }], '$[0].resource.blob: '],
  [[{ type: 'resource_link', uri: 'a:b', name: 'a', size: '1' }], '$[0].size: '],
  [[{ type: 'resource_link', uri: 'a:b', name: 'a', title: null }], '$[0].title: '],
  [[{ type: 'text', text: 'a', _meta: [] }], '$[0]._meta: '],
  [[{ type: 'text', text: 'a', annotations: null }], '$[0].annotations: '],
  [[{ type: 'text', text: 'a', annotations: { audience: ['model'] } }], '$[0].annotations.audience: '],
  [[{ type: 'text', text: 'a', annotations: { priority: 2 } }], '$[0].annotations.priority: '],
  [[{ type: 'text', text: 'a', annotations: { lastModified: 1 } }], '$[0].annotations.lastModified: '],
  [[{ type: 'text', text: 'a', at: new Date(0) }], '$[0].at: a Date'],
])('what is no content is refused by block and member: %j', (content, words) => {
  expect(refusalOf(content).startsWith(words)).toBe(true)
})

test('an empty array is content, unknown members stay, bytes become base64', () => {
  expect(checkContent([], defaultLimits)).toEqual([])
  const given = [{ type: 'image', data: Buffer.from('hi'), mimeType: 'image/png', extra: [1] }]
  expect(checkContent(given, defaultLimits)).toEqual([{ ...given[0], data: 'aGk=' }])
})

test('the text of content names what is no text', () => {
  const content: Content[] = [
    { type: 'text', text: 'a' },
    { type: 'image', data: 'AA==', mimeType: 'image/png' },
    { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'file:///a', name: 'a.txt' },
    { type: 'resource', resource: { uri: 'file:///b', text: 'b' } },
    { type: 'resource', resource: { uri: 'file:///c', blob: 'AA==' } },
  ]
  expect(textOf(content)).toBe('a\n[image image/png]\n[audio audio/wav]\n[a.txt: file:///a]\nb\n[resource file:///c]')
  expect(textOf([])).toBe('')
})
