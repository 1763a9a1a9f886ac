import { expect, test, vi } from 'vitest'
import { type AnyTool, createToolRuntime, type Exec, type JournalEntry, type Plugin } from '../src/index.ts'
import { fakeTime } from './support/property.ts'

/*
 * Calls that are nested in others end with them: each under the signal below which it was made, and none outlives its call.
 */

fakeTime()

const call = { name: 'tool' }
const never = new Promise<never>(() => {})
const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function toolOf(execute: (args: never, exec: Exec) => unknown, name = 'tool'): AnyTool {
  return { name, description: '', parameters: {}, output: { schema: {} }, execute: execute as never }
}

async function unhandledIn(run: () => Promise<unknown>): Promise<unknown[]> {
  const unhandled: unknown[] = []
  const heard = (thrown: unknown): unknown => unhandled.push(thrown)
  process.on('unhandledRejection', heard)
  await run()
  await turnOfTheLoop()
  process.off('unhandledRejection', heard)
  return unhandled
}

test('RES-3: nested calls that nobody waits for end nothing when they fail or are cancelled', async () => {
  const parent = toolOf(async (_args, exec) => {
    const [bad] = [exec.invoke('bad'), exec.invoke('slow')]
    return bad
  })
  const bad = toolOf(() => {
    throw new Error('no')
  }, 'bad')
  const slow = toolOf(
    (_args, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject)),
    'slow',
  )
  const runtime = createToolRuntime({ tools: [parent, { ...bad, isConcurrencySafe: () => true }, slow] })
  expect(await unhandledIn(() => runtime.execute(call))).toEqual([])
})

test('a plugin that does not wait for its nested call has it cancelled, and ended before the result, within the grace', async () => {
  const entries: JournalEntry[] = []
  const told: string[] = []
  const plugin: Plugin = {
    name: 'forgetful',
    execute(exec, next) {
      if (exec.name === 'tool') void exec.invoke('deaf')
      return next()
    },
    onResult: (_exec, { name }) => void told.push(name),
  }
  let bodies = 0
  const runtime = createToolRuntime({
    abortGraceMs: 50,
    tools: [toolOf(() => ++bodies), toolOf(() => never, 'deaf')],
    plugins: [plugin],
    journal: { append: (entry) => void entries.push(entry) },
  })
  const results = runtime.dispatch([call, call])
  await turnOfTheLoop()
  expect(bodies).toBe(1)
  await vi.advanceTimersByTimeAsync(100)
  await results
  expect(told).toEqual(['deaf', 'tool', 'deaf', 'tool'])
  expect(entries.filter(({ type }) => type === 'tool/result').map(({ name }) => name)).toEqual(told)
  expect(vi.getTimerCount()).toBe(0)
})

test('calls nested in a run that was given up are given up with it, not after a grace of their own', async () => {
  const told: string[] = []
  const runtime = createToolRuntime({
    abortGraceMs: 10_000,
    tools: [
      toolOf((_args, exec) => exec.invoke('middle')),
      toolOf((_args, exec) => exec.invoke('deaf'), 'middle'),
      toolOf(() => never, 'deaf'),
    ],
    plugins: [
      {
        name: 'impatient',
        execute: (exec, next) => (exec.name === 'tool' ? Promise.race([next(), turns(exec)]) : next()),
        onResult: (_exec, { name }) => void told.push(name),
      },
    ],
  })
  const turns = async (exec: Exec): Promise<ReturnType<Exec['succeed']>> => {
    for (let turn = 0; turn < 5; turn++) await turnOfTheLoop()
    return exec.succeed('instead')
  }
  expect(await runtime.execute(call)).toMatchObject({ value: 'instead', trace: { abandoned: true } })
  expect(told).toEqual(['deaf', 'middle', 'tool'])
  expect(vi.getTimerCount()).toBe(0)
})

test("CAN-5: each wrapper's nested calls are below its own signal, in each of its tries", async () => {
  const reasons: unknown[] = []
  const listening = toolOf(
    (_args, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason)
          resolve('heard')
        })
      }),
    'listening',
  )
  let tries = 0
  const retry: Plugin = {
    name: 'retry',
    role: 'retry',
    async execute(exec, next) {
      if (exec.name !== 'tool') return next()
      await exec.invoke('quick')
      for (;;) {
        const outcome = await next()
        if (!outcome.isError || ++tries === 3) return outcome
      }
    },
  }
  const cancelling: Plugin = {
    name: 'cancelling',
    async execute(exec, next) {
      if (exec.name !== 'tool') return next()
      const controller = new AbortController()
      const outcome = next({ signal: controller })
      await turnOfTheLoop()
      controller.abort(`try ${tries}`)
      return outcome
    },
  }
  const inner: Plugin = {
    name: 'inner',
    async execute(exec, next) {
      if (exec.name !== 'tool') return next()
      await exec.invoke('listening').catch(() => {})
      return next()
    },
  }
  const runtime = createToolRuntime({
    tools: [toolOf(() => 1), toolOf(() => 2, 'quick'), listening],
    plugins: [retry, cancelling, inner],
  })
  await runtime.execute(call)
  expect(reasons).toEqual(['try 0', 'try 1', 'try 2'])
})

test('CAN-1: a stream on a signal that has aborted runs nothing, nested or not', async () => {
  let bodies = 0
  const runtime = createToolRuntime({ tools: [toolOf(() => ++bodies)] })
  const codes: unknown[] = []
  for await (const event of runtime.stream([call], { signal: AbortSignal.abort() }))
    if (event.type === 'result') codes.push(event.result.error?.code)
  expect([codes, bodies]).toEqual([['ABORTED_BEFORE_DISPATCH'], 0])
})

test('a stream that was heard to its end aborts nothing', async () => {
  let signal: AbortSignal | undefined
  const runtime = createToolRuntime({
    tools: [
      toolOf((_args, exec) => {
        signal = exec.signal
      }),
    ],
  })
  for await (const _event of runtime.stream([call]));
  expect(signal?.aborted).toBe(false)
})
