import * as fc from 'fast-check'
import { expect } from 'vitest'
import { createToolRuntime, type Exec, type Json, type ToolResult, type ToolRuntime } from '../src/index.ts'
import { hostileNames, json, jsonObject, refused } from './support/hostile.ts'
import { fakeTime, property } from './support/property.ts'
import { rendered as byDefault, codeOf, expectDeepFrozen, wordsOf } from './support/results.ts'

fakeTime()

/** The value or the arguments that the property is about now. */
let given: unknown
let act: (args: Json, exec: Exec<Json>) => unknown = () => given

const tool = { description: '', parameters: {}, output: { schema: {} } }
const runtime: ToolRuntime = createToolRuntime({
  tools: [
    { ...tool, name: 'give', execute: (args, exec) => act(args, exec) as never },
    { ...tool, name: 'echo', execute: (args) => args },
  ],
})

async function gave(value: unknown): Promise<ToolResult> {
  given = value
  act = () => given
  return runtime.execute({ name: 'give' })
}

const echoed = (args: unknown): Promise<ToolResult> => runtime.execute({ name: 'echo', arguments: args })
const trip = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const gaveOf = (result: ToolResult): unknown => (result.isError ? result.error : result.value)

const hasUnsafeInteger = (value: unknown): boolean =>
  typeof value === 'number'
    ? Number.isInteger(value) && !Number.isSafeInteger(value)
    : typeof value === 'object' && value !== null && Object.values(value).some(hasUnsafeInteger)

property(
  'VAL-1: an accepted value equals its JSON round trip, lone surrogates included',
  fc.record({ value: json, through: fc.constantFrom('value', 'member', 'item', 'arguments', 'text') }),
  async ({ value, through }, witness) => {
    if (through === 'text' && hasUnsafeInteger(value)) return // VAL-9's
    const handed = through === 'member' ? { m: value } : through === 'item' ? [value] : value
    const result =
      through === 'arguments'
        ? await echoed({ value })
        : through === 'text'
          ? await echoed(JSON.stringify({ value }))
          : await gave(handed)
    const expected = through === 'arguments' || through === 'text' ? { value } : handed
    expect(JSON.stringify(gaveOf(result))).toBe(JSON.stringify(expected))
    expect(trip(gaveOf(result))).toEqual(gaveOf(result))
    expectDeepFrozen(gaveOf(result))
    if (JSON.stringify(value).length > 8) witness()
  },
)

property(
  'VAL-1: −0 becomes 0, an undefined member is absent, any other undefined null, and bytes become base64 text',
  fc.record({ name: fc.string(), bytes: fc.uint8Array({ maxLength: 20 }), before: json, how: fc.nat(4) }),
  async ({ name, bytes, before, how }, witness) => {
    const made = [
      { handed: -0, expected: 0 },
      { handed: { [name === '__proto__' ? 'x' : name]: -0 }, expected: { [name === '__proto__' ? 'x' : name]: 0 } },
      { handed: [undefined, before, undefined], expected: [null, before, null] },
      { handed: { before, after: undefined }, expected: { before } },
      {
        handed: { bytes, buffer: Buffer.from(bytes) },
        expected: { bytes: Buffer.from(bytes).toString('base64'), buffer: Buffer.from(bytes).toString('base64') },
      },
    ][how]
    const value = gaveOf(await gave(made?.handed))
    expect(JSON.stringify(value)).toBe(JSON.stringify(made?.expected))
    if (how === 0) expect(Object.is(value, 0)).toBe(true)
    if (how === 1) expect(Object.is(Object.values(value as object)[0], 0)).toBe(true)
    witness()
  },
)

const step = fc.oneof(fc.stringMatching(/^[a-z]{1,4}$/), fc.nat(2))

property(
  'VAL-1: the refused kinds are refused with the path of the offending member',
  fc.record({
    what: fc.nat(refused.length - 1),
    path: fc.array(step, { maxLength: 5 }),
    door: fc.constantFrom('value', 'arguments'),
  }),
  async ({ what, path, door }, witness) => {
    const offender = refused[what] as (typeof refused)[number]
    let value = offender.make()
    for (const key of path.toReversed())
      value = typeof key === 'number' ? [...Array(key).fill(0), value] : { before: 1, [key]: value }
    const where = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
    const expected = `$${where}${offender.path.slice(1)}`
    if (door === 'value') {
      const result = await gave(value)
      expect(codeOf(result)).toBe('INVALID_TOOL_OUTPUT')
      expect(result.isError && result.error.details?.path).toBe(expected)
      expect(result.isError && result.error.message).toContain(expected)
    } else {
      const result = await echoed({ args: value })
      expect(codeOf(result)).toBe('INVALID_ARGS')
      expect(result.isError && result.error.message).toContain(`$.args${expected.slice(1)}`)
    }
    witness()
  },
)

/** A copy that shares nothing, made without the code that is tested. */
const copyOf = (value: unknown): unknown => structuredClone(value)

const isUnfrozen = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || (!Object.isFrozen(value) && Object.values(value).every(isUnfrozen))

function scramble(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    scramble(member)
    Object.defineProperty(value, name, { value: 'changed later', enumerable: true, configurable: true, writable: true })
  }
}

property(
  "VAL-2: the caller's and the tool's own objects are neither frozen, changed nor kept",
  fc.record({
    value: jsonObject,
    door: fc.constantFrom('value', 'arguments', 'succeed', 'details', 'content', 'note'),
  }),
  async ({ value, door }, witness) => {
    const handed = { value, list: [value] }
    const before = copyOf(handed)
    const content = [{ type: 'text' as const, text: 'x', _meta: handed as never }]
    const plugged = createToolRuntime({
      tools: [
        {
          ...tool,
          name: 'tool',
          output: { schema: {}, ...(door === 'content' && { render: () => content }) },
          execute(args, exec) {
            if (door === 'note') exec.note({ mine: handed })
            if (door === 'details') return exec.fail({ code: 'OWN', message: 'x', details: handed })
            if (door === 'succeed') return exec.succeed(handed)
            return door === 'arguments' ? args : (handed as never)
          },
        },
      ],
    })
    const result = await plugged.execute({ name: 'tool', arguments: door === 'arguments' ? handed : {} })
    expect(handed).toEqual(before)
    expect(isUnfrozen(handed)).toBe(true)
    const seen = JSON.stringify(result)
    scramble(handed)
    scramble(content)
    expect(JSON.stringify(result)).toBe(seen)
    if (JSON.stringify(value).length > 10) witness()
  },
)

property(
  'VAL-3: __proto__, constructor, toString and the empty string are ordinary keys, in arguments, values and schemas',
  fc.record({
    name: fc.oneof(fc.constantFrom(...hostileNames), fc.string({ unit: 'binary' })),
    value: fc.integer(),
    isText: fc.boolean(),
    isRequired: fc.boolean(),
    gives: fc.constantFrom('right', 'wrong', 'nothing'),
  }),
  async ({ name, value, isText, isRequired, gives }, witness) => {
    const member = gives === 'right' ? `"${value}"` : String(value)
    const text = gives === 'nothing' ? '{}' : `{${JSON.stringify(name)}:${member}}`
    const schema = JSON.parse(
      `{"type":"object","properties":{${JSON.stringify(name)}:{"type":"string"}},"required":${isRequired ? JSON.stringify([name]) : '[]'},"additionalProperties":false}`,
    ) as object
    let seen: unknown
    const strict = createToolRuntime({
      tools: [
        {
          ...tool,
          name: 'tool',
          parameters: schema,
          execute(args) {
            seen = args
            return JSON.parse(text) as Json
          },
        },
      ],
    })
    const result = await strict.execute({ name: 'tool', arguments: isText ? text : (JSON.parse(text) as unknown) })
    const isValid = gives === 'right' || (gives === 'nothing' && !isRequired)
    expect(codeOf(result)).toBe(isValid ? undefined : 'INVALID_ARGS')
    if (isValid && !result.isError) {
      expect(JSON.stringify(seen)).toBe(JSON.stringify(JSON.parse(text)))
      expect(JSON.stringify(result.value)).toBe(JSON.stringify(JSON.parse(text)))
      expect(Object.keys(seen as object)).toEqual(gives === 'nothing' ? [] : [name])
      expect(Object.getPrototypeOf(seen)).toBe(Object.prototype)
    }
    expect(({} as { [member: string]: unknown })[`polluted-${name}`]).toBeUndefined()
    expect(Object.keys(Object.prototype)).toEqual([])
    if (hostileNames.includes(name)) witness()
  },
)

property(
  'VAL-3: __proto__, constructor and toString are ordinary tool names',
  fc.record({
    name: fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then'),
    registered: fc.boolean(),
    withOther: fc.boolean(),
  }),
  async ({ name, registered, withOther }, witness) => {
    const named = (name: string) => ({ ...tool, name, execute: () => name })
    const runtime = createToolRuntime({
      tools: [...(registered ? [named(name)] : []), ...(withOther ? [named('other')] : [])],
    })
    const result = await runtime.execute({ name })
    if (registered) {
      expect(gaveOf(result)).toBe(name)
      expect(wordsOf(result)).toBe(name)
      expect(runtime.tools.get(name)?.name).toBe(name)
      expect(runtime.tools.unregister(name)).toBe(true)
    }
    expect(runtime.tools.get(name)).toBeUndefined()
    expect(codeOf(await runtime.execute({ name }))).toBe('UNKNOWN_TOOL')
    witness()
  },
)

property(
  'VAL-5: a value that violates its output schema is INVALID_TOOL_OUTPUT with the path; a failing renderer undoes nothing',
  fc.record({
    value: jsonObject,
    member: fc.constantFrom('count', '~1/x', '__proto__'),
    isGood: fc.boolean(),
    renders: fc.constantFrom('fine', 'throw', 'text', 'null', 'promise', 'block', 'rejection'),
  }),
  async ({ value, member, isGood, renders }, witness) => {
    const rendered = (): unknown => {
      if (renders === 'throw') throw new Error('no words')
      if (renders === 'rejection') return Promise.reject(new Error('later'))
      return {
        fine: [{ type: 'text', text: 'fine' }],
        text: 'fine',
        null: null,
        promise: Promise.resolve([]),
        block: [{ type: 'video' }],
      }[renders]
    }
    const gives = Object.defineProperty({ ...value, n: 1 }, member, { value: isGood ? 3 : 'three', enumerable: true })
    const schema = JSON.parse(`{"type":"object","properties":{${JSON.stringify(member)}:{"type":"number"}}}`) as object
    const runtime = createToolRuntime({
      tools: [{ ...tool, name: 'tool', output: { schema, render: rendered as never }, execute: () => gives as never }],
    })
    const result = await runtime.execute({ name: 'tool' })
    if (!isGood) {
      expect(codeOf(result)).toBe('INVALID_TOOL_OUTPUT')
      expect(result.isError && result.error.sideEffects).toBe('possible')
      const pointer = `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`
      expect(result.isError && JSON.stringify(result.error.details)).toContain(pointer)
      witness()
      return
    }
    expect(gaveOf(result)).toEqual(gives)
    const isFine = renders === 'fine'
    expect(wordsOf(result)).toBe(isFine ? 'fine' : byDefault(gives))
    expect(result.trace.faults.map(({ stage }) => stage)).toEqual(isFine ? [] : ['projectContent'])
    witness()
  },
)
