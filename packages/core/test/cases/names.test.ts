import { expect, test } from 'vitest'
import { ConfigError } from '../../src/index.ts'
import { echo, runtimeOf, statusOf } from './bench.ts'

const region = 'sync_all_customer_data_across_every_region_and_system_left_'
const names = ['a.b', 'a/b', 'a_b', '检索', `${region}AAAA`, `${region}BBBB`]

// Names that a provider accepts are made where tools come from elsewhere; here they are what the author wrote.
test('N1: tools whose names differ in one sign are different tools, and each is called by its name byte for byte', async () => {
  const tools = names.map((name) => ({ ...echo({}, { name }).tool, execute: () => `this is ${name}` }))
  const { runtime } = runtimeOf(tools)
  expect(runtime.tools.schemas().map(({ name }) => name)).toEqual(names)
  const results = await runtime.dispatch(names.map((name) => ({ name, arguments: {} })))
  expect(results.map((result) => !result.isError && result.value)).toEqual(names.map((name) => `this is ${name}`))
  const near = await runtime.dispatch(['a·b', 'A.b', `${region}CCCC`].map((name) => ({ name, arguments: {} })))
  expect(near.map(statusOf)).toEqual(['UNKNOWN_TOOL', 'UNKNOWN_TOOL', 'UNKNOWN_TOOL'])
})

test('N1: a name with white space, and a name that is taken, are refused when the tool is registered', () => {
  const { runtime } = runtimeOf(echo({}, { name: 'a.b' }).tool)
  for (const name of ['a b', 'a.b']) {
    const register = (): unknown => runtime.tools.register(echo({}, { name }).tool)
    expect(register).toThrow(ConfigError)
    expect(register).toThrow(`"${name}"`)
  }
})
