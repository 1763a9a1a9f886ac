import { getEventListeners } from 'node:events'
import { expect, test, vi } from 'vitest'
import {
  type AnyTool,
  createToolRuntime,
  type Exec,
  type JournalEntry,
  memoryJournal,
  type Plugin,
} from '../src/index.ts'
import { fakeTime } from './support/property.ts'

/*
 * What could grow, wait or go on for ever does not: steps are let go, tries leave nothing, and ends are told truthfully.
 */

fakeTime()

const call = { name: 'tool' }
const never = new Promise<never>(() => {})
const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function toolOf(execute: (args: never, exec: Exec) => unknown, name = 'tool'): AnyTool {
  return { name, description: '', parameters: {}, output: { schema: {} }, execute: execute as never }
}

test('close() waits for a `dispose` no longer than a stage may take, and says which plugin it was', async () => {
  const warnings: string[] = []
  const ended: string[] = []
  const plugin = (name: string, dispose: () => unknown): Plugin => ({ name, dispose: dispose as () => void })
  const runtime = createToolRuntime({
    stageTimeoutMs: 50,
    logger: { warn: (message) => warnings.push(message) },
    plugins: [plugin('first', () => ended.push('first')), plugin('hangs', () => never)],
  })
  const closed = runtime.close()
  await turnOfTheLoop()
  await vi.advanceTimersByTimeAsync(50)
  await closed
  expect(ended).toEqual(['first'])
  expect(warnings).toEqual([
    expect.stringContaining('"hangs" failed when it was disposed of: it did not settle within 50 ms'),
  ])
})

test('a wrapper that tries until it succeeds does not keep the process from going on after an abort', async () => {
  const caller = new AbortController()
  let isOver = false
  const stubborn: Plugin = {
    name: 'stubborn',
    async execute(_exec, next) {
      for (;;) {
        const outcome = await next()
        if (!outcome.isError || isOver) return outcome
      }
    },
  }
  const runtime = createToolRuntime({
    abortGraceMs: 50,
    tools: [toolOf((_args, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject)))],
    plugins: [stubborn],
  })
  const result = runtime.execute(call, { signal: caller.signal })
  await turnOfTheLoop()
  caller.abort()
  for (let turn = 0; turn < 5; turn++) await turnOfTheLoop()
  await vi.advanceTimersByTimeAsync(50)
  expect((await result).isError).toBe(true)
  isOver = true
})

test('tries leave no listener behind on a signal that is handed down each time', async () => {
  const shared = new AbortController()
  const most: number[] = []
  const retry: Plugin = {
    name: 'retry',
    role: 'retry',
    async execute(_exec, next) {
      let outcome = await next({ signal: shared.signal })
      for (let more = 0; more < 50; more++) outcome = await next({ signal: shared.signal })
      return outcome
    },
  }
  const runtime = createToolRuntime({
    tools: [
      toolOf(async (_args, { signal }) => {
        most.push(getEventListeners(shared.signal, 'abort').length)
        return signal.aborted
      }),
    ],
    plugins: [retry],
  })
  await Promise.all([runtime.execute(call), runtime.execute(call)])
  expect(Math.max(...most)).toBeLessThanOrEqual(1)
  expect(getEventListeners(shared.signal, 'abort')).toEqual([])
})

test('a wrapper that gives up while the journal takes the dispatch has its say', async () => {
  const race: Plugin = {
    name: 'race',
    execute: (exec, next) => Promise.race([next(), turnOfTheLoop().then(() => exec.succeed('instead'))]),
  }
  const runtime = createToolRuntime({
    tools: [toolOf(() => 1)],
    plugins: [race],
    journal: {
      async append({ type }) {
        if (type === 'tool/dispatch') for (let turn = 0; turn < 5; turn++) await turnOfTheLoop()
      },
    },
  })
  expect(await runtime.execute(call)).toMatchObject({ value: 'instead', trace: { bodyInvocations: 0 } })
})

test('JRN-1: a call that was cancelled while the journal took it has its result after that, and the refusal in it', async () => {
  const caller = new AbortController()
  const entries: string[] = []
  let refuse = (): void => {}
  const runtime = createToolRuntime({
    tools: [toolOf(() => 1)],
    journal: {
      append({ type }) {
        if (type !== 'tool/call') return void entries.push(type)
        return new Promise<void>((_, reject) => {
          refuse = () => {
            entries.push('refused')
            reject(new Error('disk full'))
          }
        })
      },
    },
  })
  const result = runtime.execute(call, { signal: caller.signal })
  await turnOfTheLoop()
  caller.abort()
  await turnOfTheLoop()
  expect(entries).toEqual([])
  refuse()
  const { error, trace } = await result
  expect(error?.code).toBe('ABORTED_BEFORE_DISPATCH')
  expect(trace.faults).toEqual([{ stage: 'tool/call', message: expect.stringContaining('disk full') }])
  expect(entries).toEqual(['refused', 'tool/result'])
})

test('JRN-2: a further dispatch is handed over when the journal has what the run before came to', async () => {
  const taken: string[] = []
  const runtime = createToolRuntime({
    tools: [toolOf(() => 1)],
    plugins: [
      {
        name: 'twice',
        async execute(_exec, next) {
          await next()
          return next()
        },
      },
    ],
    journal: {
      async append(entry: JournalEntry) {
        if (entry.type === 'tool/executed') await turnOfTheLoop()
        taken.push('attempt' in entry ? `${entry.type} ${entry.attempt}` : entry.type)
      },
    },
  })
  await runtime.execute(call)
  const runs = ['tool/dispatch 1', 'tool/executed 1', 'tool/dispatch 2', 'tool/executed 2']
  expect(taken).toEqual(['tool/call', ...runs, 'tool/result'])
})

test('GRD-4: nobody is asked about what a guard has denied while the question waited, and no cache answers it', async () => {
  const asked: string[] = []
  const runtime = createToolRuntime({
    tools: [toolOf(() => 1), toolOf(() => 2, 'second')],
    plugins: [
      { name: 'cache', execute: (exec, next) => (exec.name === 'cached' ? exec.succeed('hit') : next()) },
      { name: 'asks', preExecute: (exec, next) => (exec.name === 'cached' ? next() : { kind: 'ask' }) },
    ],
    approver: {
      async request({ name }) {
        asked.push(name)
        await turnOfTheLoop()
        runtime.guard((exec) => (exec.name === 'tool' ? undefined : 'no more'))
        return 'allow' as const
      },
    },
  })
  runtime.tools.register(toolOf(() => 3, 'cached') as never)
  const [first, second, cached] = await Promise.all([
    runtime.execute(call),
    runtime.execute({ name: 'second' }),
    runtime.dispatch([call, { name: 'cached' }]).then((results) => results[1]),
  ])
  expect([first?.value, second?.error?.code, cached?.error?.code]).toEqual([1, 'DENIED', 'DENIED'])
  expect(asked).not.toContain('second')
})

test('with applyDefaults a rewrite is stable, and the journal has the arguments that ran', async () => {
  const entries: JournalEntry[] = []
  const runtime = createToolRuntime({
    applyDefaults: true,
    tools: [
      { ...toolOf((args) => args), parameters: { type: 'object', properties: { mode: { default: 'r' } } } } as AnyTool,
    ],
    plugins: [{ name: 'pins', preExecute: () => ({ kind: 'allow', arguments: { path: '/x' } }) }],
    journal: { append: (entry) => void entries.push(entry) },
  })
  expect((await runtime.execute(call)).value).toEqual({ path: '/x', mode: 'r' })
  const rewritten = entries.flatMap((entry) => (entry.type === 'tool/rewritten' ? [[entry.by, entry.arguments]] : []))
  expect(rewritten).toEqual([
    ['applyDefaults', { mode: 'r' }],
    ['pins', { path: '/x', mode: 'r' }],
  ])
})

test('CAN-2: an abort before a body began, kept by a wrapper while a later try ran one, is told as what it became', async () => {
  const keeps: Plugin = {
    name: 'keeps',
    async execute(_exec, next) {
      const first = await next({ signal: AbortSignal.abort() })
      await next()
      return first
    },
  }
  const runtime = createToolRuntime({ tools: [toolOf(() => 1)], plugins: [keeps] })
  expect((await runtime.execute(call)).error).toMatchObject({ code: 'ABORTED', sideEffects: 'possible' })
})

test('a plugin may take another in at its setup, and a way out is used once', async () => {
  const runtime = createToolRuntime({ tools: [toolOf(() => 1)] })
  let disposed = 0
  const inner: Plugin = { name: 'inner', guard: () => 'inner says no', dispose: () => void disposed++ }
  const outer: Plugin = { name: 'outer', setup: () => void runtime.use(inner) }
  const takeOut = runtime.use(outer)
  expect((await runtime.execute(call)).error?.code).toBe('DENIED')
  await takeOut()
  runtime.use({ ...outer, setup: () => {} })
  await takeOut()
  expect(runtime.explain({ format: 'json' }).plugins.map(({ name }) => name)).toEqual(['inner', 'outer'])
  await runtime.close()
  expect(disposed).toBe(1)
})

test('a value that stands for a body that did not run is not said to have taken effect', async () => {
  const runtime = createToolRuntime({
    tools: [{ ...toolOf(() => 'x'), output: { schema: { type: 'string' } } } as AnyTool],
    plugins: [{ name: 'cache', execute: (exec) => exec.succeed(5) }],
  })
  expect((await runtime.execute(call)).error).toMatchObject({
    message: expect.stringContaining('did not run'),
    sideEffects: 'none',
  })
})

test('progress that can not be read, sessions and numbers of steps that are none', async () => {
  const runtime = createToolRuntime({ tools: [toolOf((_args, exec) => exec.progress(undefined as never))] })
  expect((await runtime.execute(call)).isError).toBe(false)
  for (const session of [5, null, {}, { id: 5 }, { id: 'a', principal: 5 }])
    await expect(runtime.execute(call, { session: session as never })).rejects.toThrow(
      /`session` has to be a string, or/,
    )
  for (const keep of [-1, 0.5, Number.NaN, 'a'])
    expect(() => memoryJournal({ keep: keep as number })).toThrow(/`keep` has to be/)
})
