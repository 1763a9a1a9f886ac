import { expect, test } from 'vitest'
import { createToolRuntime, type Guard, type Plugin } from '../src/index.ts'

/*
 * What has been refused stays refused, whatever wrappers fall back on.
 */

const call = { id: 'c', name: 'tool', arguments: '{}' }

function counted(): { readonly tool: object; bodies: number } {
  const counter = {
    bodies: 0,
    tool: {
      name: 'tool',
      description: '',
      parameters: {},
      output: { schema: {} },
      execute: () => ++counter.bodies,
    },
  }
  return counter
}

const fallback: Plugin = {
  name: 'stale if error',
  async execute(exec, next) {
    const outcome = await next()
    return outcome.isError ? exec.succeed('stale') : outcome
  },
}

const again: Plugin = {
  name: 'again',
  async execute(_exec, next) {
    await next()
    return next()
  },
}

test.each([
  ['a wrapper that falls back', [fallback], []],
  ['a wrapper that tries again', [again], ['called next() after the call was denied']],
] as const)('GRD-5: a denial at the door of the body is not lifted by %s', async (_what, plugins, faults) => {
  const counter = counted()
  const late: Plugin = {
    name: 'late guard',
    execute(_exec, next) {
      runtime.guard(() => 'the switch was thrown')
      return next()
    },
  }
  const runtime = createToolRuntime({ tools: [counter.tool as never], plugins: [...plugins, late] })
  const result = await runtime.execute(call)
  expect(result.error).toMatchObject({ code: 'DENIED', stage: 'guards', sideEffects: 'none' })
  expect(result.trace.faults.map(({ message }) => message)).toEqual(faults)
  expect(counter.bodies).toBe(0)
})

test('GRD-5: a denial between two tries stands, and says that the first may have taken effect', async () => {
  const counter = counted()
  const late: Plugin = {
    name: 'late guard',
    async execute(_exec, next) {
      const outcome = await next()
      runtime.guard(() => 'once is enough')
      await next()
      return outcome
    },
  }
  const runtime = createToolRuntime({ tools: [counter.tool as never], plugins: [late] })
  const { error } = await runtime.execute(call)
  expect(error).toMatchObject({ code: 'DENIED', sideEffects: 'possible' })
  expect(counter.bodies).toBe(1)
})

test('JRN-1: a dispatch that the journal did not take is JOURNAL_ERROR, whatever a wrapper falls back on', async () => {
  const counter = counted()
  const runtime = createToolRuntime({
    tools: [counter.tool as never],
    plugins: [fallback],
    journal: {
      append({ type }) {
        if (type === 'tool/dispatch') throw new Error('disk full')
      },
    },
  })
  expect((await runtime.execute(call)).error).toMatchObject({ code: 'JOURNAL_ERROR', sideEffects: 'none' })
  expect(counter.bodies).toBe(0)
})

test("GRD-1: taking a plugin's guard out of its object does not lift it", async () => {
  const counter = counted()
  const plugin: { name: string; guard?: Guard } = { name: 'policy', guard: () => 'no' }
  const runtime = createToolRuntime({ tools: [counter.tool as never], plugins: [plugin] })
  delete plugin.guard
  expect((await runtime.execute(call)).error?.code).toBe('DENIED')
})

test('an inner policy that crashed is not turned into a yes by an outer one, but may be denied by it', async () => {
  const crashing: Plugin = {
    name: 'inner',
    preExecute() {
      throw new Error('policy backend down')
    },
  }
  const outer = (kind: 'allow' | 'ask' | 'deny'): Plugin => ({
    name: 'outer',
    async preExecute(_exec, next) {
      await next()
      return { kind, reason: 'mine' } as never
    },
  })
  for (const [kind, code] of [
    ['allow', 'PLUGIN_ERROR'],
    ['ask', 'PLUGIN_ERROR'],
    ['deny', 'DENIED'],
  ] as const) {
    const counter = counted()
    const approver = { request: () => 'allow' as const }
    const runtime = createToolRuntime({ tools: [counter.tool as never], plugins: [outer(kind), crashing], approver })
    expect((await runtime.execute(call)).error?.code).toBe(code)
    expect(counter.bodies).toBe(0)
  }
})

test('arguments that a layer hands back unchanged, as JSON sees them, are no rewrite and told as none', async () => {
  for (const change of [(args: object) => ({ ...args, more: undefined }), (args: object) => ({ ...args, n: -0 })]) {
    const counter = counted()
    const runtime = createToolRuntime({
      tools: [counter.tool as never],
      plugins: [{ name: 'same', preExecute: (exec) => ({ kind: 'allow', arguments: change(exec.arguments) }) }],
    })
    const { trace } = await runtime.execute({ ...call, arguments: { n: 0 } })
    expect(trace.decisions).toEqual([{ by: 'same', kind: 'allow' }])
  }
})
