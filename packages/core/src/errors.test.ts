import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ConfigError, errorCodes, isReservedCode, ToolError } from './errors.ts'

test('docs/errors.md is the table of codes', () => {
  const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\| (.*?) +\|$/gm)].map(([, code, meaning]) => [code, meaning])
  expect(Object.fromEntries(rows)).toEqual(errorCodes)
})

test('only codes of the table are reserved, not what every object has', () => {
  expect(Object.keys(errorCodes).every(isReservedCode)).toBe(true)
  expect(['NOT_FOUND', 'toString', '__proto__', 'constructor', ''].some(isReservedCode)).toBe(false)
})

test('a ToolError keeps its cause to the process and its code for the result', () => {
  const cause = new Error('socket closed')
  const error = new ToolError('NOT_FOUND', 'no such page', { retryable: false, details: { page: 7 }, cause })
  expect(error).toMatchObject({
    name: 'ToolError',
    code: 'NOT_FOUND',
    message: 'no such page',
    retryable: false,
    details: { page: 7 },
    cause,
  })
  expect(new ConfigError('x')).toBeInstanceOf(TypeError)
})
