import * as fc from 'fast-check'
import { expect } from 'vitest'
import { ConfigError, createToolRuntime } from '../src/index.ts'
import { fakeTime, property } from './support/property.ts'
import { codeOf } from './support/results.ts'

fakeTime()

const tool = { description: '', parameters: {}, output: { schema: {} } }

const drafts = [
  'http://json-schema.org/draft-07/schema#',
  'https://json-schema.org/draft/2019-09/schema',
  'https://json-schema.org/draft/2020-12/schema',
] as const

property(
  'VAL-8: a keyword that cannot be enforced is refused or reported at registration with its path, never silently ignored',
  fc.record({
    keyword: fc.constantFrom('minLenght', 'requierd', 'propertie', 'maximun', 'discriminator-x', 'myOwn'),
    value: fc.constantFrom<unknown>(1, 'x', ['a'], true),
    path: fc.array(fc.stringMatching(/^[a-z]{1,3}$/), { maxLength: 3 }),
    place: fc.constantFrom('parameters', 'output'),
  }),
  async ({ keyword, value, path, place }, witness) => {
    let schema: object = { type: 'string', [keyword]: value }
    for (const name of path) schema = { type: 'object', properties: { [name]: schema } }
    const warnings: string[] = []
    const register = () =>
      createToolRuntime({
        tools: [
          {
            ...tool,
            name: 'tool',
            ...(place === 'output'
              ? { output: { schema } }
              : { parameters: path.length === 0 ? { type: 'object', [keyword]: value } : schema }),
            execute: () => 'x',
          },
        ],
        logger: { warn: (message) => warnings.push(message) },
      })
    const pointer = path
      .toReversed()
      .map((name) => `/properties/${name}`)
      .join('')
    try {
      const runtime = register()
      const problems = runtime.explain({ format: 'json' }).tools[0]?.problems.join('\n')
      expect(problems).toContain(keyword)
      expect(problems).toContain(pointer)
      expect(warnings.join('\n')).toContain(keyword)
    } catch (thrown) {
      if (!(thrown instanceof ConfigError)) throw thrown
      expect(thrown.message).toContain(keyword)
    }
    witness()
  },
)

property(
  'VAL-8: drafts 7, 2019-09 and 2020-12 are told apart by $schema',
  fc.record({
    draft: fc.constantFrom(...drafts, undefined),
    items: fc.array(fc.constantFrom<unknown>(1, 'a'), { maxLength: 3 }),
  }),
  async ({ draft, items }, witness) => {
    const isNew = draft === undefined || draft === drafts[2]
    // The same tuple in the words of each draft: a number, then texts.
    const tuple = isNew
      ? { prefixItems: [{ type: 'number' }], items: { type: 'string' } }
      : { items: [{ type: 'number' }], additionalItems: { type: 'string' } }
    const parameters = {
      ...(draft !== undefined && { $schema: draft }),
      type: 'object',
      properties: { list: { type: 'array', ...tuple } },
    }
    const runtime = createToolRuntime({ tools: [{ ...tool, name: 'tool', parameters, execute: () => 1 }] })
    const isValid = items.every((item, at) => typeof item === (at === 0 ? 'number' : 'string'))
    const result = await runtime.execute({ name: 'tool', arguments: { list: items } })
    expect(codeOf(result)).toBe(isValid ? undefined : 'INVALID_ARGS')
    if (!isValid) witness()
  },
)

const hostilePatterns = [
  '^(a+)+$',
  '^(a|aa)+$',
  '^(a|a)*$',
  '(.*)*x',
  '^([a-z]+)*!$',
  '^(?:a?){30}a{30}$',
  '(x+x+)+y',
] as const

type Hostility = 'pattern' | 'unique' | 'references' | 'patternProperties'

/** Registers a tool with a hostile schema and has it judge hostile arguments. */
async function judged(kind: Hostility, pattern: string, size: number): Promise<void> {
  const text = `${'a'.repeat(size)}${'x'.repeat(size)}!!`
  // Each level refers twice to the level below: 2^size paths, one dead end.
  const below = (at: number): object => ({ $ref: `#/$defs/l${at + 1}` })
  const levels = Object.fromEntries(
    Array.from({ length: size }, (_, at) => [
      `l${at}`,
      at === size - 1 ? { type: 'number' } : { anyOf: [below(at), below(at)] },
    ]),
  )
  const hostile: { readonly [H in Hostility]: readonly [schema: object, value: unknown] } = {
    pattern: [{ type: 'string', pattern }, text],
    patternProperties: [{ type: 'object', patternProperties: { [pattern]: { type: 'number' } } }, { [text]: 'x' }],
    unique: [{ type: 'array', uniqueItems: true }, Array.from({ length: size * 50 }, (_, id) => ({ id, more: [id] }))],
    references: [{ $ref: '#/$defs/l0' }, 'no number'],
  }
  const [schema, value] = hostile[kind]
  const parameters = { type: 'object', properties: { it: schema }, ...(kind === 'references' && { $defs: levels }) }
  try {
    const runtime = createToolRuntime({ tools: [{ ...tool, name: 'tool', parameters, execute: () => 1 }] })
    await runtime.execute({ name: 'tool', arguments: { it: value } })
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown
  }
}

property(
  'VAL-8: a hostile pattern, uniqueItems or tree of references can not stall the process',
  fc.record({
    kind: fc.constantFrom('pattern', 'unique', 'references', 'patternProperties'),
    pattern: fc.constantFrom(...hostilePatterns),
    size: fc.integer({ min: 20, max: 60 }),
  }),
  async ({ kind, pattern, size }, witness) => {
    const milliseconds = async (kind: Hostility, pattern: string, size: number): Promise<number> => {
      const start = performance.now()
      await judged(kind, pattern, size)
      return performance.now() - start
    }
    // Exponential would be hours, so that any ratio tells; a fraction of a millisecond is noise.
    const harmless = await milliseconds('pattern', '^a+$', size)
    const isSlow = async (size: number): Promise<boolean> =>
      (await milliseconds(kind, pattern, size)) > 500 * Math.max(1, harmless)
    // Twice, since something else may have had the processor.
    const stalls = async (size: number): Promise<boolean> => (await isSlow(size)) && isSlow(size)
    // What is exponential shows at a size that still ends.
    if (kind === 'references') expect(await stalls(13), 'at 13 levels').toBe(false)
    expect(await stalls(size)).toBe(false)
    witness()
  },
  { runs: 1_000 },
)
