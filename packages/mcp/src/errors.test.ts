import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mcpErrorCodes } from './index.ts'

test('the README has every code with its meaning, and no other', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const rows = [...readme.matchAll(/^\| `(MCP_[A-Z_]+)` *\| (.+?) *\|$/gm)].map(([, code, meaning]) => [code, meaning])
  expect(Object.fromEntries(rows)).toEqual(mcpErrorCodes)
})
