import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deaf, numRuns, toolOf, worldOf } from '../test/world.ts'
import { timeout } from './index.ts'

const longest = 2 ** 31 - 1
const illegal: readonly unknown[] = [
  0,
  -0,
  -1,
  Number.NaN,
  Infinity,
  -Infinity,
  longest + 1,
  1e10,
  '1000',
  '',
  null,
  true,
  10n,
  [5],
  {},
]
const legal: readonly number[] = [Number.MIN_VALUE, 0.5, 1, 30_000, longest]

const isBudget = (ms: unknown): boolean => typeof ms === 'number' && ms > 0 && ms <= longest
const anyMs = fc.oneof(fc.anything(), fc.double(), fc.integer(), fc.constantFrom<unknown>(...illegal, ...legal))

test('TMO-4: each illegal budget is refused where the plugin is built, with the option or tool, the bounds and what was given', () => {
  for (const ms of illegal) {
    expect(() => timeout({ defaultMs: ms as number })).toThrow(
      /^\[pawl\] timeout: `defaultMs` has to be a number of ms above 0 and up to 2147483647; leave it out for no deadline\. It is /,
    )
    expect(() => timeout({ tools: { 'my.tool': ms as number } })).toThrow(
      /`tools\["my\.tool"\]` has to be .*, or false for no deadline\. It is /,
    )
    if (ms !== 0) expect(() => timeout({ graceMs: ms as number })).toThrow(/`graceMs` has to be 0, or a number of ms /)
  }
  for (const ms of legal) timeout({ defaultMs: ms, tools: { it: ms, other: false }, graceMs: ms })
  timeout({ graceMs: 0 })
})

test('TMO-4: a budget is accepted exactly if it is a positive finite number up to 2³¹−1', () => {
  fc.assert(
    fc.property(anyMs, fc.string(), (ms, name) => {
      const refuses = (build: () => unknown): boolean => {
        try {
          build()
          return false
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(TypeError)
          return true
        }
      }
      const tools = Object.fromEntries([[name, ms]]) as never
      expect(refuses(() => timeout({ defaultMs: ms as number }))).toBe(ms !== undefined && !isBudget(ms))
      expect(refuses(() => timeout({ graceMs: ms as number }))).toBe(ms !== undefined && ms !== 0 && !isBudget(ms))
      expect(refuses(() => timeout({ tools }))).toBe(ms !== undefined && ms !== false && !isBudget(ms))
    }),
    { numRuns },
  )
})

test("TMO-4: a tool's own `timeoutMs` is refused at its registration by the same bounds", () => {
  for (const ms of illegal)
    expect(() => worldOf(toolOf(deaf, { timeoutMs: ms as number }), [timeout()])).toThrow(/timeoutMs/)
  for (const ms of legal) worldOf(toolOf(deaf, { timeoutMs: ms }), [timeout()])
})

test('an option that is not known, or is of the wrong kind, is refused by name', () => {
  expect(() => timeout({ timeoutMs: 5 } as never)).toThrow(
    '[pawl] timeout: unknown option `timeoutMs`. Known are: defaultMs, tools, graceMs.',
  )
  for (const options of [null, 5, 'x', [], () => {}])
    expect(() => timeout(options as never)).toThrow(
      '[pawl] timeout: what it takes has to be an object such as { defaultMs: 30_000 }',
    )
  for (const tools of [null, 5, 'x', [], new Map([['work', 5]])])
    expect(() => timeout({ tools } as never)).toThrow('`tools` has to be an object of budgets by tool name')
  timeout()
  timeout({ defaultMs: undefined, tools: undefined, graceMs: undefined })
})

test('a budget for a tool that nobody has registered is told of, and counts once it is', () => {
  const plugin = timeout({ tools: { work: 50, wrok: 50 } })
  const { warnings } = worldOf(toolOf(deaf), [plugin])
  expect(warnings).toEqual([expect.stringContaining('`tools` has a budget for "wrok", and no tool of that name')])
})
