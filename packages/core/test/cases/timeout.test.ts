import { expect, test } from 'vitest'
import { ConfigError, createToolRuntime, type ToolRuntimeOptions } from '../../src/index.ts'
import { echo, runtimeOf, statusOf } from './bench.ts'

const noDelays = [
  2_147_483_648,
  10_000_000_000,
  Number.POSITIVE_INFINITY,
  Number.MAX_SAFE_INTEGER,
  0,
  -1,
  Number.NaN,
  '1000' as unknown as number,
]

test.each(noDelays)(
  'O1: a tool whose `timeoutMs` is %s, which no timer holds, is refused when it is registered',
  (timeoutMs) => {
    const { runtime } = runtimeOf([])
    const register = (): unknown => runtime.tools.register(echo({}, { timeoutMs }).tool)
    expect(register).toThrow(ConfigError)
    expect(register).toThrow(/"work".*`timeoutMs`.*2147483647/)
    expect(runtime.tools.list()).toEqual([])
  },
)

test('O1: the longest time that a timer holds is taken, and is not shown to the model', async () => {
  const { runtime } = runtimeOf(echo({}, { timeoutMs: 2_147_483_647 }).tool)
  expect(statusOf(await runtime.execute({ name: 'work' }))).toBe('ok')
  expect(JSON.stringify(runtime.tools.schemas())).not.toContain('2147483647')
})

// A wait for approval may be longer where no timer is set for it: it is, if it is left out. Where it is given, a timer is set.
test.each(
  (['approvalTimeoutMs', 'stageTimeoutMs', 'abortGraceMs'] as const).flatMap((option) =>
    noDelays.map((ms) => [option, ms] as const),
  ),
)('O1: `%s` of %s is refused when the runtime is built, unless 0 has a meaning', (option, ms) => {
  const build = (value: number): unknown => createToolRuntime({ [option]: value } as ToolRuntimeOptions)
  if (option === 'abortGraceMs' && ms === 0) return expect(build(ms)).toBeTypeOf('object')
  expect(() => build(ms)).toThrow(ConfigError)
  expect(() => build(ms)).toThrow(`\`${option}\``)
  expect(build(2_147_483_647)).toBeTypeOf('object')
})
