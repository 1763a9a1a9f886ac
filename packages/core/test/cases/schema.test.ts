import { afterEach, expect, test, vi } from 'vitest'
import { type AnyTool, ConfigError, createToolRuntime } from '../../src/index.ts'
import { wordsOf } from '../support/results.ts'
import { echo, errorOf, runtimeOf, statusOf } from './bench.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** What becomes of each arguments under a schema. */
async function judge(
  parameters: object,
  args: readonly object[],
): Promise<{ statuses: string[]; words: string[]; paths: unknown[]; warnings: string[]; seen: unknown[] }> {
  const { tool, seen } = echo(parameters)
  const { runtime, warnings } = runtimeOf(tool)
  const results = await runtime.dispatch(args.map((each) => ({ name: 'work', arguments: each })))
  const paths = results.map((result) => {
    const violations = result.isError ? result.error.details?.violations : undefined
    return Array.isArray(violations) ? violations[0].path : undefined
  })
  return { statuses: results.map(statusOf), words: results.map(wordsOf), paths, warnings, seen }
}

const tuple = [{ type: 'string' }, { type: 'number' }]

test.each([
  ['https://json-schema.org/draft/2020-12/schema', 'prefixItems'],
  ['http://json-schema.org/draft-07/schema#', 'items'],
])('S1: %s has its tuples in `%s`, and they are enforced', async ($schema, keyword) => {
  const schema = { $schema, type: 'object', properties: { t: { type: 'array', [keyword]: tuple } } }
  const { statuses, warnings } = await judge(schema, [{ t: ['a', 1] }, { t: [1, 'a'] }])
  expect(statuses).toEqual(['ok', 'INVALID_ARGS'])
  expect(warnings).toEqual([])
})

test.each(['http://json-schema.org/draft-04/schema#', 'https://example.invalid/my'])(
  'S1: the dialect %s is registered with one warning, and calls run',
  async ($schema) => {
    const { statuses, warnings } = await judge({ $schema, type: 'object' }, [{ t: ['a', 1] }, { t: [1, 'a'] }])
    expect(statuses).toEqual(['ok', 'ok'])
    expect(warnings).toEqual([expect.stringContaining($schema)])
  },
)

test('S1: a schema that names no dialect is one of today', async () => {
  expect((await judge({ type: 'object' }, [{ t: ['a', 1] }])).statuses).toEqual(['ok'])
  const schema = { type: 'object', properties: { t: { type: 'array', prefixItems: tuple } } }
  expect((await judge(schema, [{ t: [1, 'a'] }])).statuses).toEqual(['INVALID_ARGS'])
})

test('S2: unknown formats and vendor keywords neither break a schema nor print, and known formats are enforced', async () => {
  const printed = [
    vi.spyOn(process.stdout, 'write'),
    vi.spyOn(process.stderr, 'write'),
    ...(['log', 'info', 'warn', 'error', 'debug'] as const).map((method) => vi.spyOn(console, method)),
  ]
  const { statuses, paths } = await judge(
    {
      type: 'object',
      properties: { n: { type: 'integer', format: 'uint64', minimum: 0 }, u: { type: 'string', format: 'uuid' } },
      'x-vendor': true,
      'x-wrapped': { deep: 1 },
    },
    [{ n: 1 }, { n: -1 }, { u: 'nope' }],
  )
  const lines = printed.flatMap((spy) => spy.mock.calls)
  expect(statuses).toEqual(['ok', 'INVALID_ARGS', 'INVALID_ARGS'])
  expect(paths).toEqual([undefined, '/n', '/u'])
  expect(lines).toEqual([])
})

const tree = {
  type: 'object',
  properties: {
    tree: {
      type: 'array',
      items: {
        type: 'object',
        required: ['label'],
        properties: {
          label: { type: 'string' },
          kids: { type: 'array', items: { $ref: '#/properties/tree/items' } },
        },
      },
    },
    shape: { $ref: '#/$defs/Shape' },
  },
  $defs: { Shape: { type: 'object', properties: { form: { enum: ['circle', 'square'] } }, required: ['form'] } },
}

test('S4: references, also recursive ones, are enforced with the place in the value', async () => {
  const { statuses, paths, words } = await judge(tree, [
    { tree: [{ label: 'a', kids: [{ label: 'b', kids: [] }] }] },
    { tree: [{ label: 'a', kids: [{ kids: [] }] }] },
    { shape: { form: 'blob' } },
  ])
  expect(statuses).toEqual(['ok', 'INVALID_ARGS', 'INVALID_ARGS'])
  // The place of what is missing is told to the last step.
  expect(paths).toEqual([undefined, '/tree/0/kids/0/label', '/shape/form'])
  expect(words[1]).toMatch(/\/tree\/0\/kids\/0\/label: .*required/)
})

test('S4: the schema that the model is shown is plain JSON in which every reference leads somewhere', () => {
  const [{ parameters } = { parameters: {} }] = createToolRuntime({ tools: [echo(tree).tool] }).tools.schemas()
  const shown = JSON.parse(JSON.stringify(parameters))
  expect(shown).toEqual(tree)
  const references = JSON.stringify(shown).match(/"#[^"]*"/g) ?? []
  expect(references).toHaveLength(2)
  for (const quoted of references) {
    const steps = JSON.parse(quoted).split('/').slice(1)
    expect(steps.reduce((at: { [step: string]: unknown }, step: string) => at[step], shown)).toBeTypeOf('object')
  }
})

test('S6: of a set of tools each is taken or refused by itself, by name and with the reason', async () => {
  const { runtime } = runtimeOf([])
  const union = {
    anyOf: [
      { type: 'object', properties: { a: {} }, required: ['a'] },
      { type: 'object', properties: { b: {} }, required: ['b'] },
    ],
  }
  const offered = {
    good: { type: 'object' },
    union,
    broken: { type: 'objekt' },
    noschema: undefined as unknown as object,
  }
  const reported: { [name: string]: string } = {}
  for (const [name, parameters] of Object.entries(offered)) {
    try {
      runtime.tools.register({ ...echo({}, { name }).tool, parameters } as AnyTool)
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(ConfigError)
      reported[name] = (thrown as Error).message
    }
  }
  expect(runtime.tools.schemas().map(({ name }) => name)).toEqual(['good', 'union'])
  expect(reported).toEqual({
    broken: expect.stringMatching(/"broken".*objekt/),
    noschema: expect.stringMatching(/"noschema".*parameters/),
  })
  const results = await runtime.dispatch([{}, { a: 1 }, { b: 1 }].map((args) => ({ name: 'union', arguments: args })))
  expect(results.map(statusOf)).toEqual(['INVALID_ARGS', 'ok', 'ok'])
})

const huge = {
  type: 'object',
  properties: {
    city: { enum: Array.from({ length: 20_000 }, (_, i) => `city-${i}`) },
    u: { anyOf: Array.from({ length: 200 }, (_, i) => ({ const: i })) },
  },
}

test('S8: a choice of thousands is enforced', async () => {
  const { statuses, paths } = await judge(huge, [{ city: 'city-19999' }, { city: 'city-x' }, { u: -1 }])
  expect(statuses).toEqual(['ok', 'INVALID_ARGS', 'INVALID_ARGS'])
  expect(paths).toEqual([undefined, '/city', '/u'])
})

test('S8: what is told of a choice of thousands is short: the place, the value, some of the choices and how many more', async () => {
  const { words } = await judge(huge, [{ city: 'city-x' }, { u: -1 }])
  for (const text of words) {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_048)
    const lines = text.split(/[;\n]/)
    expect(new Set(lines).size).toBe(lines.length)
  }
  expect(words[0]).toMatch(/\/city\b.*"city-0", "city-1", .*\b19,?\d{3} more.*"city-x"/)
  expect(words[1]).toMatch(/\/u\b.*\b0, 1, 2, .*\b1\d\d more.*-1/)
})

test('S8: a failure of a choice of thousands stays small as data', async () => {
  const { tool } = echo(huge)
  for (const args of [{ city: 'city-x' }, { u: -1 }]) {
    const { details } = errorOf(await runtimeOf(tool).runtime.execute({ name: 'work', arguments: args }))
    expect(JSON.stringify(details).length).toBeLessThanOrEqual(2_048)
  }
})
