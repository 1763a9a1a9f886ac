import { expect, test, vi } from 'vitest'
import { type AnyTool, createToolRuntime, type Exec, type JournalEntry, type Plugin, ToolError } from '../src/index.ts'
import { fakeTime } from './support/property.ts'

/*
 * What is left over, of attempts that were abandoned, hooks that were too late, promises that nobody waits for, changes nothing
 * and ends nothing.
 */

fakeTime()

const call = { name: 'tool' }
const never = new Promise<never>(() => {})
const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function toolOf(execute: (args: never, exec: Exec) => unknown, name = 'tool'): AnyTool {
  return { name, description: '', parameters: {}, output: { schema: {} }, execute: execute as never }
}

/** Answers by itself as soon as what is inside waits. */
const impatient: Plugin = {
  name: 'impatient',
  execute(exec, next) {
    void next()
    exec.note({ impatient: true })
    exec.deferContext('from the wrapper')
    return exec.succeed('instead')
  },
}

test('ONI-5: what a body said before it was abandoned is not told, and what the wrapper said is', async () => {
  const nested = toolOf((_args, exec) => exec.deferContext('from a nested call') as never, 'nested')
  const tool = toolOf(async (_args, exec) => {
    exec.deferContext('from the body')
    exec.note({ body: true })
    void exec.invoke('nested')
    return never
  })
  const runtime = createToolRuntime({ tools: [tool, nested], plugins: [impatient] })
  const result = await runtime.execute(call)
  expect(result).toMatchObject({ value: 'instead', context: ['from the wrapper'], trace: { impatient: true } })
  expect(result.trace).not.toHaveProperty('body')
})

test('a call nested in an abandoned run tells the model nothing, though it ends before the result', async () => {
  let finish = (): void => {}
  const nested = toolOf(async (_args, exec) => {
    exec.deferContext('from a nested call')
    await new Promise<void>((resolve) => {
      finish = resolve
    })
  }, 'nested')
  const patient: Plugin = {
    name: 'patient',
    async postExecute(_exec, _result, next) {
      finish()
      await turnOfTheLoop()
      return next()
    },
  }
  const tool = toolOf((_args, exec) => exec.invoke('nested'))
  const runtime = createToolRuntime({ tools: [tool, nested], plugins: [patient, impatient] })
  expect((await runtime.execute(call)).context).toEqual(['from the wrapper'])
})

test('a hook that was too late can have nothing run beside the result', async () => {
  const entries: JournalEntry[] = []
  let face: Exec | undefined
  let refused: unknown
  const late: Plugin = {
    name: 'late',
    stageTimeoutMs: 10,
    postExecute(exec) {
      face = exec
      return never
    },
  }
  const runtime = createToolRuntime({
    tools: [toolOf(() => 1), toolOf(() => 2, 'nested')],
    plugins: [late],
    journal: {
      async append(entry) {
        entries.push(entry)
        if (entry.type !== 'tool/result') return
        refused = await face?.invoke('nested').catch((thrown: unknown) => thrown) // the result is on its way
      },
    },
  })
  const result = runtime.execute(call)
  for (let turn = 0; turn < 5; turn++) await turnOfTheLoop()
  await vi.advanceTimersByTimeAsync(10)
  expect((await result).error?.code).toBe('PLUGIN_ERROR')
  expect(refused).toMatchObject({ code: 'ABORTED_BEFORE_DISPATCH' })
  expect(entries.filter(({ name }) => name === 'nested')).toEqual([])
})

test('ONI-9: next() after the call has its result is told to the logger', async () => {
  const warnings: string[] = []
  let later: (() => Promise<unknown>) | undefined
  const plugin: Plugin = {
    name: 'late',
    execute(exec, next) {
      later = next
      return exec.succeed(1)
    },
  }
  const runtime = createToolRuntime({
    tools: [toolOf(() => 2)],
    plugins: [plugin],
    logger: { warn: (message) => warnings.push(message) },
  })
  const { trace } = await runtime.execute(call)
  expect(await later?.()).toMatchObject({ error: { code: 'PLUGIN_ERROR' } })
  expect(trace.faults).toEqual([])
  expect(warnings).toEqual([expect.stringContaining('plugin "late" called next() after it had settled')])
})

test('no promise that nobody waits for goes unhandled, and the one with which a grant is kept is told of', async () => {
  const unhandled: unknown[] = []
  const heard = (thrown: unknown): unknown => unhandled.push(thrown)
  process.on('unhandledRejection', heard)
  const rejected = (): never => Promise.reject(new Error('nobody hears this')) as never
  const asking: Plugin = { name: 'asks', preExecute: () => ({ kind: 'ask', onAnswer: rejected }) }
  const replacing: Plugin = { name: 'replaces', postExecute: () => ({ kind: 'accept', content: rejected() }) }
  const tool = {
    ...toolOf(rejected),
    output: { schema: {}, render: () => rejected() },
    finalizeContent: () => rejected(),
  }
  const runtime = createToolRuntime({
    tools: [{ ...tool, isConcurrencySafe: () => rejected() }, toolOf(() => [rejected()], 'nests')],
    plugins: [replacing, asking],
    approver: { request: () => 'allow' },
  })
  const [asked] = await runtime.dispatch([call, { name: 'nests' }])
  await turnOfTheLoop()
  process.off('unhandledRejection', heard)
  expect(unhandled).toEqual([])
  expect(asked?.trace.faults).toContainEqual({ stage: 'ask', plugin: 'asks', message: 'nobody hears this' })
})

test('an approver that calls what needs approval itself gets a no, and not a wait for itself', async () => {
  const runtime = createToolRuntime({
    tools: [toolOf(() => 1), toolOf(() => 2, 'risky')],
    plugins: [{ name: 'asks', preExecute: () => ({ kind: 'ask' }) }],
    approver: {
      async request(exec) {
        if (exec.name !== 'tool') return 'allow'
        const code = await exec.invoke('risky').then(String, (thrown: ToolError) => thrown.code)
        return code === 'APPROVAL_UNAVAILABLE' ? 'allow' : 'deny'
      },
    },
  })
  const [first, second] = await runtime.dispatch([call, { name: 'risky' }])
  expect([first?.value, second?.value]).toEqual([1, 2])
})

test('defaults that are filled in are as frozen as what the model said', async () => {
  let seen: unknown
  const runtime = createToolRuntime({
    applyDefaults: true,
    tools: [
      {
        ...toolOf((args) => {
          seen = args
        }),
        parameters: { type: 'object', properties: { deep: { default: { n: [1] } } } },
      } as AnyTool,
    ],
  })
  expect((await runtime.execute(call)).isError).toBe(false)
  expect(seen).toEqual({ deep: { n: [1] } })
  const { deep } = seen as { deep: { n: number[] } }
  expect([seen, deep, deep.n].every(Object.isFrozen)).toBe(true)
})

test('a plugin is disposed of once, and none is taken in once the runtime is closed', async () => {
  let disposed = 0
  const plugin: Plugin = { name: 'plugin', dispose: () => void disposed++ }
  const runtime = createToolRuntime()
  const takeOut = runtime.use(plugin)
  await Promise.all([runtime.close(), takeOut()])
  await takeOut()
  expect(disposed).toBe(1)
  expect(() => runtime.use({ ...plugin, name: 'other' })).toThrow(
    '[pawl] the runtime is closed and takes no more plugins.',
  )
})

test('CON-9: thousands of nested calls that are refused as they get the lock are refused in a row', async () => {
  const parents = 5_000
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const parent = {
    ...toolOf((_args, exec) => exec.invoke('nested').catch(({ code }) => code)),
    isConcurrencySafe: () => true,
  }
  const runtime = createToolRuntime({ maxParallelToolCalls: parents, tools: [parent, toolOf(() => opened, 'nested')] })
  const results = runtime.dispatch(Array.from({ length: parents }, () => call))
  await turnOfTheLoop()
  runtime.guard(({ name }) => (name === 'nested' ? 'no more' : undefined))
  open()
  const values = (await results).map(({ value }) => value)
  expect(values.slice(1)).toEqual(new Array(parents - 1).fill('DENIED'))
})

test('a `ToolError` is read once', async () => {
  let reads = 0
  const error = new ToolError('MINE', 'said once')
  Object.defineProperty(error, 'retryable', { get: () => (reads++ === 0 ? true : Symbol('twice')) })
  const runtime = createToolRuntime({
    tools: [
      toolOf(() => {
        throw error
      }),
    ],
  })
  expect((await runtime.execute(call)).error).toMatchObject({ code: 'MINE', retryable: true })
  expect(reads).toBe(1)
})
