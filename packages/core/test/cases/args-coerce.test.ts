import { expect, test } from 'vitest'
import { wordsOf } from '../support/results.ts'
import { echo, errorOf, runtimeOf, statusOf } from './bench.ts'

const numberAndFlag = { type: 'object', properties: { n: { type: 'number' }, b: { type: 'boolean' } } }
const noNumbers = ['500', '1.5', '-3', '', ' ', 'abc', '0x10', '1e3', true, null, 'NaN', 'Infinity']
const noFlags = ['true', 'false', 1, 0, 'yes', '']

const cases = [
  ...noNumbers.map((n) => ({ args: { n }, member: 'n', wanted: 'number' })),
  ...noFlags.map((b) => ({ args: { b }, member: 'b', wanted: 'boolean' })),
]

// Plain decimals could also become numbers; pawl converts nothing, so that what is judged is what the model wrote.
test.each(cases)('C1: $args is refused and not turned into a $wanted', async ({ args, member, wanted }) => {
  const { tool, seen } = echo(numberAndFlag)
  const { runtime } = runtimeOf(tool)
  const before = structuredClone(args)
  const results = await runtime.dispatch([
    { name: 'work', arguments: args },
    { name: 'work', arguments: JSON.stringify(args) },
  ])
  const [value] = Object.values(args)
  const got = value === null ? 'null' : typeof value
  for (const result of results) {
    expect(errorOf(result).code).toBe('INVALID_ARGS')
    expect(wordsOf(result)).toMatch(new RegExp(`/${member}: expected ${wanted}, got ${got}`))
  }
  expect(seen).toEqual([])
  expect(args).toEqual(before)
  expect(Object.isFrozen(args)).toBe(false)
})

test('C2: null for an optional parameter that does not allow it is never turned into an empty text or 0', async () => {
  const { tool, seen } = echo({
    type: 'object',
    properties: {
      id: { type: 'number' },
      name: { type: 'string' },
      limit: { type: 'number', minimum: 0 },
      tag: { type: ['string', 'null'] },
    },
    required: ['id'],
  })
  const { runtime } = runtimeOf(tool)
  const [nulls, noId, tagOnly] = await runtime.dispatch(
    [{ id: 1, name: null, limit: null, tag: null }, { id: null }, { id: 1, tag: null }].map((args) => ({
      name: 'work',
      arguments: args,
    })),
  )
  // The nulls could also be left out; pawl refuses, names both, and leaves it to the model to leave them out.
  expect(errorOf(nulls).code).toBe('INVALID_ARGS')
  expect(wordsOf(nulls!)).toMatch(/\/name: expected string, got null.*\/limit: expected number, got null/)
  expect(wordsOf(nulls!)).not.toContain('/tag')
  expect(errorOf(noId).code).toBe('INVALID_ARGS')
  expect(wordsOf(noId!)).toMatch(/\/id: expected number, got null/)
  expect(statusOf(tagOnly!)).toBe('ok')
  expect(seen).toEqual([{ id: 1, tag: null }])
})

test('C4: a misspelt parameter of a closed schema is refused by its name, with the one that was probably meant', async () => {
  const { tool, seen } = echo({
    type: 'object',
    properties: { dryRun: { type: 'boolean', default: false } },
    additionalProperties: false,
  })
  for (const applyDefaults of [false, true]) {
    const { runtime } = runtimeOf(tool, { applyDefaults })
    const result = await runtime.execute({ name: 'work', arguments: { dryrum: true } })
    expect(errorOf(result).code).toBe('INVALID_ARGS')
    expect(wordsOf(result)).toMatch(/dryrum.*dryRun/)
  }
  expect(seen).toEqual([])
})

test('C4: an open schema passes on what it does not know, untouched', async () => {
  const { tool, seen } = echo({ type: 'object', properties: { dryRun: { type: 'boolean' } } })
  const result = await runtimeOf(tool).runtime.execute({ name: 'work', arguments: { dryrum: true } })
  expect(statusOf(result)).toBe('ok')
  expect(seen).toEqual([{ dryrum: true }])
})
