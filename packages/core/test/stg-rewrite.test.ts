import * as fc from 'fast-check'
import { expect } from 'vitest'
import { createToolRuntime, type JournalEntry, type Plugin } from '../src/index.ts'
import { approver, guard, plainCall, plugin, world } from './support/arbitraries.ts'
import { json } from './support/hostile.ts'
import { count, of } from './support/observe.ts'
import { fakeTime, property } from './support/property.ts'
import { codeOf } from './support/results.ts'
import { play, spies } from './support/rig.ts'
import { minds } from './support/world.ts'

fakeTime()

const base = { description: 'A tool.', output: { schema: {} } }

interface Rewriter {
  readonly says: 'pass' | 'allow' | 'rewrite' | 'again' | 'invalid' | 'equal' | 'ask' | 'deny'
  readonly isAsync: boolean
}

const rewriter: fc.Arbitrary<Rewriter> = fc.record({
  says: fc.constantFrom('pass', 'allow', 'rewrite', 'again', 'invalid', 'equal', 'ask', 'deny'),
  isAsync: fc.boolean(),
})

property(
  'STG-9: a rewrite is validated and journalled, and the whole waterfall judges it before anyone is asked',
  fc.record({
    layers: fc.array(rewriter, { minLength: 1, maxLength: 3 }),
    tag: json,
    isAsync: fc.boolean(),
    fails: fc.boolean(),
  }),
  async ({ layers, tag, isAsync, fails }, witness) => {
    const log: string[] = []
    const entries: JournalEntry[] = []
    const seen: unknown[] = []
    let passes = 0
    const plugins = layers.map(
      ({ says, isAsync }, index): Plugin => ({
        name: `p${index}`,
        preExecute(exec, next) {
          if (index === 0) log.push(`waterfall ${++passes}`)
          seen.push(exec.arguments)
          const say = (): unknown => {
            if (says === 'ask') return { kind: 'ask' }
            if (says === 'deny') return { kind: 'deny', reason: 'no' }
            if (says === 'rewrite') return { kind: 'allow', arguments: { tag, by: index } }
            if (says === 'again') return { kind: 'allow', arguments: { tag, by: index, pass: passes } }
            if (says === 'invalid') return { kind: 'allow', arguments: { bad: 1 } }
            if (says === 'equal') return { kind: 'allow', arguments: structuredClone(exec.arguments) }
            return says === 'allow' ? { kind: 'allow' } : next()
          }
          return (isAsync ? Promise.resolve().then(say) : say()) as never
        },
      }),
    )
    const runtime = createToolRuntime({
      tools: [
        {
          ...base,
          name: 'tool',
          parameters: { type: 'object', properties: { bad: { type: 'null' } } },
          execute(args) {
            log.push('body')
            expect(Object.isFrozen(args)).toBe(true)
            return args
          },
        },
      ],
      plugins,
      guards: [(exec) => void log.push(`guard ${JSON.stringify(exec.arguments)}`)],
      approver: {
        request(exec) {
          log.push(`ask ${JSON.stringify(exec.arguments)}`)
          return 'allow'
        },
      },
      journal: {
        append(entry) {
          entries.push(entry)
          if (entry.type !== 'tool/rewritten') return undefined
          log.push('rewritten')
          if (fails) throw new Error('full')
          return isAsync ? Promise.resolve() : undefined
        },
      },
    })
    const result = await runtime.execute({ name: 'tool', arguments: { given: true } })
    // The model: the first layer that does not pass has the word, in each pass.
    const speaker = layers.findIndex(({ says }) => says !== 'pass')
    const says = layers[speaker]?.says ?? 'allow'
    const isRewrite = says === 'rewrite' || says === 'again'
    const written = says === 'rewrite' ? { tag, by: speaker } : { tag, by: speaker, pass: 1 }
    const rewritten = entries.filter(({ type }) => type === 'tool/rewritten')
    expect(rewritten.map((entry) => 'arguments' in entry && entry.arguments)).toEqual(isRewrite ? [written] : [])
    expect(passes).toBe(isRewrite && !fails ? 2 : 1)
    const code = codeOf(result)
    if (isRewrite && fails) expect(code).toBe('JOURNAL_ERROR')
    else if (says === 'again' || says === 'invalid') expect(code).toBe('PLUGIN_ERROR')
    else if (says === 'deny') expect(code).toBe('DENIED')
    else expect(!result.isError && result.value).toEqual(says === 'rewrite' ? written : { given: true })
    if (says === 'rewrite' && !fails) {
      expect(log.slice(0, 3)).toEqual(['waterfall 1', 'rewritten', 'waterfall 2'])
      expect(seen.at(-1)).toEqual(written)
      expect(log.slice(3)).toEqual([`guard ${JSON.stringify(written)}`, 'body'])
      witness()
    }
    if (says === 'ask') expect(log.filter((line) => line.startsWith('ask'))).toHaveLength(1)
    if (code !== undefined) expect(log).not.toContain('body')
  },
)

property(
  'STG-9: nobody is asked about arguments that a rewrite replaced',
  world({
    calls: fc.array(plainCall, { minLength: 1, maxLength: 3 }),
    plugins: fc.tuple(plugin, plugin).map(([outer, inner]) => [
      { ...outer, pre: 'rewrite' as const, minds: 170 },
      { ...inner, pre: 'ask' as const },
    ]) as never,
    guards: fc.array(guard, { maxLength: 1 }),
    approver: approver as never,
  }),
  async (made, witness) => {
    const history = await play(made, spies)
    for (const n of made.calls.keys()) {
      const body = of(history, n, 'body')[0]
      if (!minds({ minds: 170 }, n)) continue
      // The outermost layer's word is final: its rewrite stands, and nobody is asked.
      expect(count(history, n, 'ask')).toBe(0)
      if (body === undefined) continue
      expect(body.detail).toMatchObject({ tag: 'p0' })
      expect(of(history, n, 'waterfall').length).toBe(2)
      witness()
    }
  },
)
