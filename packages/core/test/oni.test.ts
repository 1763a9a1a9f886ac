import * as fc from 'fast-check'
import { expect } from 'vitest'
import { ConfigError, createToolRuntime, type Outcome, type Plugin, type Role, ToolError } from '../src/index.ts'
import { fakeTime, property } from './support/property.ts'
import { codeOf } from './support/results.ts'

fakeTime()

const tool = { name: 'tool', description: '', parameters: {}, output: { schema: {} } }

interface LayerSpec {
  readonly nexts: number
  readonly isAsync: boolean
  readonly hands: boolean
}

const layer: fc.Arbitrary<LayerSpec> = fc.record({ nexts: fc.nat(3), isAsync: fc.boolean(), hands: fc.boolean() })

property(
  'ONI-1: wrappers nest as the plugins array says, outermost first; every next() runs everything inside it',
  fc.record({ layers: fc.array(layer, { maxLength: 4 }), ends: fc.constantFrom('value', 'throw') }),
  async ({ layers, ends }, witness) => {
    const log: string[] = []
    const runtime = createToolRuntime({
      tools: [
        {
          ...tool,
          execute() {
            log.push('body')
            if (ends === 'throw') throw new ToolError('OWN', 'no')
            return 1
          },
        },
      ],
      plugins: layers.map(
        ({ nexts, isAsync, hands }, index): Plugin => ({
          name: `p${index}`,
          execute(exec, next) {
            log.push(`in ${index}`)
            const run = async (): Promise<Outcome> => {
              let outcome = exec.succeed(`no next at ${index}`)
              for (let at = 0; at < nexts; at++) {
                if (isAsync) await null
                outcome = await next(hands ? { signal: new AbortController() } : undefined)
              }
              log.push(`out ${index}`)
              return outcome
            }
            if (nexts === 1 && !isAsync && !hands) {
              log.push(`out ${index}`)
              return next()
            }
            return run()
          },
        }),
      ),
    })
    const result = await runtime.execute({ name: 'tool' })
    // What the array says, as a recursion.
    const expected: string[] = []
    const enter = (index: number): void => {
      const spec = layers[index]
      if (spec === undefined) return void expected.push('body')
      expected.push(`in ${index}`)
      const isForwarding = spec.nexts === 1 && !spec.isAsync && !spec.hands
      if (isForwarding) expected.push(`out ${index}`)
      for (let at = 0; at < spec.nexts; at++) enter(index + 1)
      if (!isForwarding) expected.push(`out ${index}`)
    }
    enter(0)
    expect(log).toEqual(expected)
    expect(result.trace.bodyInvocations).toBe(expected.filter((line) => line === 'body').length)
    const silent = layers.findIndex(({ nexts }) => nexts === 0)
    if (silent !== -1) expect(!result.isError && result.value).toBe(`no next at ${silent}`)
    else expect(codeOf(result)).toBe(ends === 'throw' ? 'OWN' : undefined)
    if (expected.filter((line) => line === 'body').length > 1) witness()
  },
)

const roles: readonly (Role | undefined)[] = ['timeout', 'retry', 'cache', 'metrics', undefined]
const stated = fc.record({
  role: fc.constantFrom(...roles),
  outside: fc.array(fc.constantFrom('timeout', 'retry', 'cache', 'p0', 'p1', 'p2', 'nobody'), { maxLength: 1 }),
  inside: fc.array(fc.constantFrom('metrics', 'retry', 'p0', 'p2', 'p3'), { maxLength: 1 }),
})

property(
  "ONI-2: an order that breaks a plugin's stated constraint is refused when the runtime is built, naming both plugins and why",
  fc.record({
    plugins: fc.array(stated, { minLength: 1, maxLength: 4 }),
    isLive: fc.boolean(),
    unsafeOrder: fc.boolean(),
  }),
  ({ plugins, isLive, unsafeOrder }, witness) => {
    const made = plugins.map(
      ({ role, outside, inside }, index): Plugin => ({
        name: `p${index}`,
        ...(role !== undefined && { role }),
        order: { outside, inside, because: `reason ${index}` },
      }),
    )
    const isMeant = (names: readonly string[], at: number): boolean =>
      names.includes(`p${at}`) || names.includes(String(plugins[at]?.role))
    const broken: [number, number][] = []
    for (const [at, { outside, inside }] of plugins.entries()) {
      for (const other of plugins.keys()) {
        if (other === at) continue
        // Who says both of one other can not be pleased; the first statement is the one that counts.
        if (isMeant(outside, other) ? at > other : isMeant(inside, other) && at < other) broken.push([at, other])
      }
    }
    const build = (): string => {
      const runtime = createToolRuntime({ plugins: isLive ? [] : made, unsafeOrder })
      if (isLive) for (const one of made) runtime.use(one)
      return runtime.explain()
    }
    if (broken.length === 0) {
      expect(build()).not.toContain('unsafe order')
      return
    }
    witness()
    if (unsafeOrder) {
      const explained = build()
      for (const [at, other] of broken)
        expect(explained).toMatch(new RegExp(`unsafe order: .*"p${at}".*"p${other}".*reason ${at}`))
      return
    }
    expect(build).toThrow(ConfigError)
    try {
      build()
    } catch (thrown) {
      const { message } = thrown as Error
      // Taken in one after another, the first that breaks something is refused.
      const named = isLive
        ? broken.filter(([at, other]) => Math.max(at, other) === Math.min(...broken.map((pair) => Math.max(...pair))))
        : broken
      for (const [at, other] of named) {
        expect(message).toContain(`"p${at}"`)
        expect(message).toContain(`"p${other}"`)
        expect(message).toContain(`reason ${at}`)
      }
    }
  },
)

const hooks = ['preExecute', 'execute', 'postExecute', 'onResult', 'guard'] as const

property(
  'ONI-3: explain() prints the order that really runs',
  fc.record({
    plugins: fc.array(fc.record({ has: fc.subarray([...hooks]), isLive: fc.boolean() }), { maxLength: 5 }),
    removed: fc.option(fc.nat(4), { nil: undefined }),
    guards: fc.nat(2),
  }),
  async ({ plugins, removed, guards }, witness) => {
    const log: { readonly [H in (typeof hooks)[number]]: string[] } = {
      preExecute: [],
      execute: [],
      postExecute: [],
      onResult: [],
      guard: [],
    }
    const ran = <T>(hook: (typeof hooks)[number], name: string, next: () => T): T => {
      log[hook].push(name)
      return next()
    }
    const made = plugins.map(({ has }, index): Plugin => {
      const name = `p${index}`
      return {
        name,
        ...(has.includes('preExecute') && { preExecute: (_exec, next) => ran('preExecute', name, next) }),
        ...(has.includes('execute') && { execute: (_exec, next) => ran('execute', name, next) }),
        ...(has.includes('postExecute') && {
          postExecute: (_exec, _result, next) => ran('postExecute', name, next),
        }),
        ...(has.includes('onResult') && { onResult: () => void log.onResult.push(name) }),
        ...(has.includes('guard') && { guard: () => void log.guard.push(name) }),
      } as Plugin
    })
    const isFirst = (index: number): boolean => !plugins[index]?.isLive
    const runtime = createToolRuntime({
      tools: [{ ...tool, execute: () => 1 }],
      guards: Array.from({ length: guards }, () => () => void log.guard.push('guard')),
      plugins: made.filter((_, index) => isFirst(index)),
    })
    const lifts = new Map(
      made.filter((_, index) => !isFirst(index)).map((one) => [one.name, runtime.use(one)] as const),
    )
    await lifts.get(`p${removed}`)?.()
    await runtime.execute({ name: 'tool' })
    const explained = runtime.explain({ format: 'json' })
    const of = (stage: string): readonly string[] => explained.stages.find((one) => one.stage === stage)?.layers ?? []
    expect(of('tools/pre-execute')).toEqual(log.preExecute)
    expect(of('tools/execute')).toEqual(log.execute)
    expect(of('tools/post-execute')).toEqual(log.postExecute)
    expect(of('tools/result')).toEqual(log.onResult)
    expect(of('guards')).toEqual(log.guard)
    const text = runtime.explain()
    let from = text.indexOf('tools/execute')
    for (const name of log.execute) {
      const found = text.indexOf(`└ ${name}`, from)
      expect(found).toBeGreaterThan(from)
      from = found
    }
    expect(text.indexOf('└ execute()', from)).toBeGreaterThan(from)
    expect(runtime.explain({ format: 'mermaid' })).toContain('flowchart')
    if (log.execute.length > 1) witness()
  },
)
