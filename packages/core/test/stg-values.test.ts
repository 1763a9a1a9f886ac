import * as fc from 'fast-check'
import { expect } from 'vitest'
import { type AnyTool, createToolRuntime, type Plugin, type PostDecision, type ToolRuntime } from '../src/index.ts'
import { json, jsonObject } from './support/hostile.ts'
import { fakeTime, property } from './support/property.ts'
import { codeOf, rendered, wordsOf } from './support/results.ts'

fakeTime()

const base = { description: 'A tool.', output: { schema: {} } }

property(
  'STG-6: only name, description and parameters reach the model, and changing what was handed out changes nothing inside',
  fc.record({
    description: fc.string(),
    extra: jsonObject,
    timeoutMs: fc.integer({ min: 1, max: 9_999 }),
    title: fc.string(),
    junk: json,
  }),
  async ({ description, extra, timeoutMs, title, junk }, witness) => {
    const parameters = {
      type: 'object',
      properties: { path: { type: 'string', default: extra } },
      required: ['path'],
    } as const
    const tool: AnyTool = {
      name: 'tool',
      description,
      title,
      annotations: { title, readOnlyHint: true },
      timeoutMs,
      parameters,
      output: { schema: { type: 'number' } },
      examples: [{ arguments: { path: 'x' }, value: 1 }],
      present: { call: () => 'calls' },
      execute: () => 1,
    }
    const runtime = createToolRuntime({ tools: [tool] })
    const before = JSON.stringify(runtime.tools.schemas())
    expect(runtime.tools.schemas()).toEqual([wholeCharacters({ name: 'tool', description, parameters })])
    const [handedOut] = runtime.tools.schemas() as unknown as [{ [member: string]: unknown }]
    const properties = handedOut.parameters as { properties: { [name: string]: unknown }; required: unknown[] }
    properties.properties.path = junk
    properties.required.push('nonsense')
    handedOut.name = 'other'
    handedOut.timeoutMs = 1
    ;(parameters.properties.path as { type: string }).type = 'number'
    Object.assign(tool.output, { schema: { type: 'boolean' } })
    expect(JSON.stringify(runtime.tools.schemas())).toBe(before)
    expect(runtime.tools.get('tool')).toBe(tool)
    expect((await runtime.execute({ name: 'tool', arguments: { path: 'x' } })).isError).toBe(false)
    expect(codeOf(await runtime.execute({ name: 'tool', arguments: { path: 5 } }))).toBe('INVALID_ARGS')
    witness()
  },
)

const moments = ['preExecute', 'guard', 'ask', 'execute', 'body', 'render', 'postExecute', 'finalize'] as const

property(
  'STG-7: replacing or unregistering a tool or plugin during a call changes nothing for that call; only guards are read live',
  fc.record({
    moment: fc.constantFrom(...moments),
    what: fc.constantFrom('unregister', 'replace', 'remove plugin', 'add plugin'),
    fails: fc.boolean(),
    isLate: fc.boolean(),
  }),
  async ({ moment, what, fails, isLate }, witness) => {
    const run = async (swaps: boolean): Promise<unknown> => {
      const swap = (at: string): void => {
        if (swaps && at === moment) changes[what]()
      }
      const toolOf = (words: string): AnyTool => ({
        ...base,
        name: 'tool',
        parameters: {},
        output: {
          schema: {},
          render: () => {
            swap('render')
            return [{ type: 'text', text: `${words} rendered` }]
          },
        },
        finalizeContent({ content }) {
          swap('finalize')
          return [...content, { type: 'text', text: words }]
        },
        async execute() {
          if (isLate) await null
          swap('body')
          if (fails) throw new Error(words)
          return words
        },
      })
      const pluginOf = (words: string): Plugin => ({
        name: words,
        preExecute(_exec, next) {
          swap('preExecute')
          return words === 'old plugin' ? { kind: 'ask' } : next()
        },
        async execute(exec, next) {
          swap('execute')
          exec.note({ [words]: true })
          return next()
        },
        postExecute() {
          swap('postExecute')
          return { kind: 'accept', context: words }
        },
      })
      const old = pluginOf('old plugin')
      const runtime: ToolRuntime = createToolRuntime({
        tools: [toolOf('old tool')],
        guards: [() => void swap('guard')],
        approver: {
          request() {
            swap('ask')
            return 'allow'
          },
        },
      })
      const lift = runtime.use(old)
      const changes: { readonly [W in typeof what]: () => void } = {
        unregister: () => void runtime.tools.unregister('tool'),
        replace: () => {
          if (runtime.tools.unregister('tool')) runtime.tools.register(toolOf('new tool'))
        },
        'remove plugin': () => void lift(),
        'add plugin': () => {
          if (!runtime.explain().includes('new plugin')) runtime.use(pluginOf('new plugin'))
        },
      }
      const { executionId: _, ...result } = await runtime.execute({ id: 'a', name: 'tool' })
      return result
    }
    const swapped = await run(true)
    expect(swapped).toEqual(await run(false))
    expect(JSON.stringify(swapped)).toContain('old plugin')
    witness()
  },
)

property(
  'STG-7: a guard that is added during a call, up to its body, counts',
  fc.record({ moment: fc.constantFrom('preExecute', 'guard', 'ask', 'execute', 'journal'), isAsync: fc.boolean() }),
  async ({ moment, isAsync }, witness) => {
    let isIn = false
    let bodies = 0
    const at = (here: string): undefined => {
      if (here === moment && !isIn) {
        isIn = true
        runtime.guard(() => 'from now on')
      }
    }
    const runtime: ToolRuntime = createToolRuntime({
      tools: [{ ...base, name: 'tool', parameters: {}, execute: () => ++bodies }],
      guards: [() => at('guard')],
      approver: { request: () => at('ask') ?? 'allow' },
      journal: {
        append({ type }) {
          if (type !== 'tool/dispatch') return undefined
          at('journal')
          return isAsync ? Promise.resolve() : undefined
        },
      },
      plugins: [
        {
          name: 'plugin',
          preExecute: () => at('preExecute') ?? { kind: 'ask' },
          execute: async (_exec, next) => {
            if (isAsync) await null
            at('execute')
            return next()
          },
        },
      ],
    })
    const result = await runtime.execute({ name: 'tool' })
    // Once the journal has been told of the body, the body is as good as running; only an append that takes its time is another matter.
    if (moment === 'journal' && !isAsync) return
    expect([codeOf(result), bodies]).toEqual(['DENIED', 0])
    witness()
  },
)

property(
  'STG-8: accept with both value and content is PLUGIN_ERROR on a success; a replaced value is validated and rendered anew',
  fc.record({
    value: fc.option(json, { nil: undefined }),
    words: fc.option(fc.string(), { nil: undefined }),
    isBad: fc.boolean(),
    fails: fc.boolean(),
    renders: fc.boolean(),
    isAsync: fc.boolean(),
  }),
  async ({ value, words, isBad, fails, renders, isAsync }, witness) => {
    const replaced = isBad && value !== undefined ? 'violation' : value
    const said: PostDecision = {
      kind: 'accept',
      ...(replaced !== undefined && { value: replaced }),
      ...(words !== undefined && { content: [{ type: 'text' as const, text: words }] }),
    }
    const runtime = createToolRuntime({
      tools: [
        {
          ...base,
          name: 'tool',
          parameters: {},
          output: {
            schema: { anyOf: [{ not: { const: 'violation' } }] },
            ...(renders && {
              render: (_args: unknown, given: unknown) => [
                { type: 'text' as const, text: `<${JSON.stringify(given)}>` },
              ],
            }),
          },
          execute: () => {
            if (fails) throw new Error('it broke')
            return 'original'
          },
        },
      ],
      plugins: [{ name: 'p', postExecute: () => (isAsync ? Promise.resolve(said) : said) }],
    })
    const result = await runtime.execute({ name: 'tool' })
    const given = (x: unknown): string => (renders ? `<${JSON.stringify(x)}>`.toWellFormed() : rendered(x))
    if (fails) {
      expect(codeOf(result)).toBe('TOOL_ERROR')
      expect(result.trace.faults.length).toBe(replaced === undefined ? 0 : 1)
      if (replaced !== undefined) witness()
    } else if (replaced !== undefined && words !== undefined) {
      expect(codeOf(result)).toBe('PLUGIN_ERROR')
      witness()
    } else if (replaced === 'violation') {
      expect(codeOf(result)).toBe('INVALID_TOOL_OUTPUT')
      witness()
    } else if (replaced !== undefined) {
      expect(result).toMatchObject({ isError: false })
      expect(!result.isError && result.value).toEqual(replaced)
      expect(wordsOf(result)).toBe(given(replaced))
      witness()
    } else {
      expect(!result.isError && result.value).toBe('original')
      expect(wordsOf(result)).toBe(words?.toWellFormed() ?? given('original'))
    }
  },
)

/** What a model is shown of lone surrogates: U+FFFD, in names too. */
function wholeCharacters(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wholeCharacters)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toWellFormed(), wholeCharacters(member)]),
  )
}
