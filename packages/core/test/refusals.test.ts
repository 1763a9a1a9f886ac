import { expect, test } from 'vitest'
import { z } from 'zod'
import { ConfigError, createToolRuntime, type Plugin } from '../src/index.ts'

/*
 * What can not be built is refused before any call: each refusal names the thing, the place and the way out.
 */

const tool = { name: 'read', description: 'Reads.', parameters: {}, output: { schema: {} }, execute: () => 1 }
const plugin: Plugin = { name: 'policy', preExecute: (_exec, next) => next() }

const options: [what: string, options: unknown, said: RegExp][] = [
  ['no options', null, /createToolRuntime takes an object of options/],
  ['a near miss', { maxParallelTools: 3 }, /unknown member `maxParallelTools`. Did you mean `maxParallelToolCalls`\?/],
  ['a cap of 0', { maxParallelToolCalls: 0 }, /`maxParallelToolCalls` has to be a whole number from 1 on;.* it is 0/],
  ['a cap of half', { maxParallelToolCalls: 1.5 }, /`maxParallelToolCalls`.*it is 1\.5/],
  ['a grace in words', { abortGraceMs: '5s' }, /`abortGraceMs` has to be 0, or a number of ms .*it is "5s"/],
  ['no stage limit', { stageTimeoutMs: 0 }, /`stageTimeoutMs` has to be a number of ms above 0 .*it is 0/],
  ['a limit of none', { limits: { depth: 0 } }, /`limits\.depth` has to be a whole number from 1 on/],
  ['an unknown limit', { limits: { deep: 5 } }, /`limits`: unknown member `deep`/],
  ['tools by name', { tools: { read: tool } }, /`tools` has to be an array; it is an object/],
  ['tools that are still to come', { tools: Promise.resolve([tool]) }, /`tools` .*; it is a promise; await it/],
  ['a lone plugin', { plugins: plugin }, /`plugins` has to be an array; it is an object/],
  ['a lone guard', { guards: () => 'no' }, /`guards` has to be an array; it is a function/],
  ['a guard that is none', { guards: ['no'] }, /a guard has to be a function that returns a reason/],
  ['no limits', { limits: null }, /`limits` has to be an object of limits; it is null/],
  [
    'a journal that takes nothing',
    { journal: {} },
    /`journal` has to be an object with a method `append`; it is an object/,
  ],
  ['no journal by null', { journal: null }, /`journal` .*; it is null/],
  [
    'an approver that is a function',
    { approver: () => 'allow' },
    /`approver` has to be an object with a method `request`/,
  ],
  ['a logger that is a function', { logger: console.log }, /`logger` has to be an object with a method `warn`/],
  ['a trace in words', { trace: 'all' }, /`trace` has to be "timings", or left out; it is "all"/],
]

const plugins: [what: string, plugins: unknown[], said: RegExp][] = [
  ['a factory that was not called', [() => plugin], /has to be an object, not function\. Did you forget to call/],
  ['no name', [{ preExecute: plugin.preExecute }], /`name`/],
  [
    'a near miss of a member',
    [{ ...plugin, preexecute() {} }],
    /"policy": .*`preexecute`\. Did you mean `preExecute`\?/,
  ],
  ['a member that is no function', [{ name: 'policy', execute: 5 }], /"policy".*`execute`/],
  ['a name twice', [plugin, plugin], /two plugins named "policy"\. Rename one/],
  [
    'an order that contradicts itself',
    [
      { ...plugin, order: { outside: ['b'] } },
      { ...plugin, name: 'b', order: { outside: ['policy'] } },
    ],
    /policy.*b|b.*policy/s,
  ],
  ['a role that is no text', [{ ...plugin, role: 5 }], /"policy".*`role` has to be a string/],
]

test.each(options)('options: %s', (_, given, said) => {
  const build = () => createToolRuntime(given as never)
  expect(build).toThrow(ConfigError)
  expect(build).toThrow(said)
})

test.each(plugins)('plugins: %s', (_, given, said) => {
  const build = () => createToolRuntime({ plugins: given as Plugin[] })
  expect(build).toThrow(ConfigError)
  expect(build).toThrow(said)
})

test('tools: a name twice, in the options and at a later registration', () => {
  const said = /already a tool named "read"\. Give one of the two another name, or unregister the first/
  expect(() => createToolRuntime({ tools: [tool, tool] })).toThrow(said)
  const runtime = createToolRuntime({ tools: [tool] })
  expect(() => runtime.tools.register(tool)).toThrow(said)
  expect(runtime.tools.list()).toEqual([tool])
})

const steps: [what: string, options: unknown, said: RegExp][] = [
  [
    'a near miss',
    { sginal: new AbortController().signal },
    /the options of a step: .*`sginal`\. Did you mean `signal`\?/,
  ],
  [
    'a lone signal',
    new AbortController().signal,
    /the options of a step have to be an object such as \{ signal, session \}/,
  ],
  ['null', null, /have to be an object such as/],
  [
    'a controller for a signal',
    { signal: new AbortController() },
    /`signal` has to be an AbortSignal\. Hand in the `signal` of the controller/,
  ],
]

test.each(steps)('a step: %s', async (_, given, said) => {
  let bodies = 0
  const runtime = createToolRuntime({ tools: [{ ...tool, execute: () => ++bodies }] })
  const call = { name: 'read' }
  await expect(runtime.dispatch([call], given as never)).rejects.toThrow(said)
  await expect(runtime.execute(call, given as never)).rejects.toThrow(said)
  await expect(runtime.stream([call], given as never).next()).rejects.toThrow(said)
  expect(bodies).toBe(0)
})

const { parameters: _, ...bare } = tool
const tools: [what: string, tool: object, said: RegExp][] = [
  ['the name that MCP has for it', { ...bare, inputSchema: {} }, /`inputSchema`\. Did you mean `parameters`\?/],
  ['a handler', { ...tool, handler: tool.execute }, /`handler`\. Did you mean `execute`\?/],
  ['a bare schema as output', { ...tool, output: z.string() }, /`output` .*: write output: \{ schema: … \}/],
  [
    'a string as arguments',
    { ...tool, parameters: { type: 'string' } },
    /`parameters` describe a value of type string/,
  ],
  [
    'the raw shape of a zod object',
    { ...tool, parameters: { path: z.string() } },
    /such as z\.object\(\{ path: … \}\)/,
  ],
  [
    'a slip',
    { ...tool, parameters: { path: { type: 'string', requierd: true } } },
    /`requierd`. Did you mean `required`/,
  ],
]

test.each(tools)('tools: %s', (_, given, said) => {
  const build = () => createToolRuntime({ tools: [given as never] })
  expect(build).toThrow(ConfigError)
  expect(build).toThrow(said)
})

const foreign: [whose: string, call: object, member: string][] = [
  ['Anthropic', { type: 'tool_use', id: 'a', name: 'read', input: { path: 'a' } }, 'input'],
  ['OpenAI', { type: 'function', id: 'a', function: { name: 'read', arguments: '{}' } }, 'function'],
  ['LangChain', { id: 'a', name: 'read', args: {} }, 'args'],
]

test.each(foreign)('a call as %s writes it would run without its arguments', async (_, call, member) => {
  const runtime = createToolRuntime({ tools: [tool] })
  const said = `[pawl] call 1 of the step has to be an object { id, name, arguments }. It has \`${member}\`: put what is in it there.`
  await expect(runtime.dispatch([{ name: 'read' }, call as never])).rejects.toThrow(said)
})

test('tools: what has to answer at once and is async', () => {
  const asynchronous = (async () => true) as never
  for (const more of [
    { isConcurrencySafe: asynchronous },
    { finalizeContent: asynchronous },
    { output: { schema: {}, render: asynchronous } },
  ])
    expect(() => createToolRuntime({ tools: [{ ...tool, ...more }] })).toThrow(/has to be synchronous: nobody waits/)
})

test('a body that forgot to return is told so', async () => {
  const runtime = createToolRuntime({
    tools: [{ ...tool, output: { schema: { type: 'object' } }, execute: () => undefined as never }],
  })
  const { error } = await runtime.execute({ name: 'read' })
  expect(error?.message).toMatch(/it returned nothing, which counts as null and violates its output schema/)
})

test('a deadline that nothing enforces shows in explain()', () => {
  const slow = { ...tool, timeoutMs: 500 }
  const said = '! read: its timeoutMs of 500 binds nobody, since no plugin of role timeout is set up'
  expect(createToolRuntime({ tools: [slow] }).explain()).toContain(said)
  const deadlines: Plugin = { name: 'deadlines', role: 'timeout', execute: (_exec, next) => next() }
  expect(createToolRuntime({ tools: [slow], plugins: [deadlines] }).explain()).not.toContain('!')
})

test('a guard that answers with a promise denies, and is told why', async () => {
  const runtime = createToolRuntime({ tools: [tool], guards: [async () => undefined] as never })
  const { error } = await runtime.execute({ name: 'read' })
  expect(error?.message).toMatch(/it answered with a promise, which counts as a denial: guards are synchronous/)
})

test.each([undefined, null, 'accept', 5])(
  'postExecute that answers %j has failed, and is told what it may answer',
  async (answer) => {
    const runtime = createToolRuntime({
      tools: [tool],
      plugins: [{ name: 'policy', postExecute: () => answer as never }],
    })
    const { trace } = await runtime.execute({ name: 'read' })
    expect(trace.faults).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('postExecute() has to return { kind: "accept" | "block", … }'),
      }),
    ])
  },
)
