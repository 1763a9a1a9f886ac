import { getEventListeners } from 'node:events'
import { type AnyTool, createToolRuntime, type Exec, type JournalEntry, type Plugin } from '@pawl/core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { timeout } from '../src/index.ts'

afterEach(() => {
  vi.useRealTimers()
})

const fakeTime = (): void => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })

function toolOf(
  execute: (exec: Exec) => unknown,
  more: { readonly name?: string; readonly timeoutMs?: number } = {},
): AnyTool {
  return {
    name: 'work',
    description: 'Works.',
    parameters: {},
    output: { schema: {} },
    ...more,
    execute: (_args, exec) => execute(exec as Exec) as null,
  }
}

/** What the process warns of while `run` runs, and in the turn after. */
async function warningsDuring(run: () => Promise<unknown>): Promise<string[]> {
  const warnings: string[] = []
  const warned = ({ name }: Error): void => void warnings.push(name)
  process.on('warning', warned)
  await run()
  await new Promise(setImmediate)
  process.off('warning', warned)
  return warnings
}

describe('O1: a time that no timer holds never fires at once', () => {
  const longest = 2_147_483_647

  test.each([
    ['of the tool', toolOf(() => 'done', { timeoutMs: longest }), timeout()],
    ['of the deployment', toolOf(() => 'done'), timeout({ defaultMs: longest, graceMs: longest })],
    ['of the deployment for one tool', toolOf(() => 'done'), timeout({ tools: { work: longest } })],
  ])('the longest budget %s is a budget', async (_, tool, plugin) => {
    const runtime = createToolRuntime({ tools: [tool], plugins: [plugin] })
    const warnings = await warningsDuring(async () => {
      expect(await runtime.execute({ name: 'work' })).toMatchObject({ isError: false, value: 'done' })
    })
    expect(warnings).toEqual([])
  })

  test('a body that takes 50 ms is not cut off by it', async () => {
    fakeTime()
    const slow = toolOf(() => new Promise((resolve) => setTimeout(resolve, 50, 'done')), { timeoutMs: longest })
    const call = createToolRuntime({ tools: [slow], plugins: [timeout()] }).execute({ name: 'work' })
    await vi.advanceTimersByTimeAsync(50)
    expect(await call).toMatchObject({ isError: false, value: 'done' })
    expect(vi.getTimerCount()).toBe(0)
  })

  const noDelays = [longest + 1, 1e10, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER, 0, -1, Number.NaN, '1000']

  test.each(noDelays)('a budget of %s is refused when the tool is registered or the plugin is built', (ms) => {
    const timeoutMs = ms as number
    const tool = toolOf(() => 'done', { timeoutMs })
    expect(() => createToolRuntime({ tools: [tool], plugins: [timeout()] })).toThrow(/"work".*timeoutMs.*2147483647/)
    expect(() => timeout({ defaultMs: timeoutMs })).toThrow(/`defaultMs`.*2147483647/)
    expect(() => timeout({ tools: { work: timeoutMs } })).toThrow(/"work".*2147483647/)
    if (ms !== 0) expect(() => timeout({ graceMs: timeoutMs })).toThrow(/`graceMs`.*2147483647/)
  })
})

interface Watched {
  readonly plugins: readonly Plugin[]
  /** Values that the cache took. */
  readonly stored: unknown[]
  /** What the metrics counted. */
  readonly counted: string[]
}

/** A cache, a retry and metrics, each as somebody would write it by hand. */
function wrappers(tries: number): Watched {
  const stored: unknown[] = []
  const counted: string[] = []
  const metrics: Plugin = {
    name: 'metrics',
    role: 'metrics',
    async execute(_exec, next) {
      const outcome = await next()
      counted.push(outcome.isError ? outcome.error.code : 'ok')
      return outcome
    },
  }
  const cache: Plugin = {
    name: 'cache',
    role: 'cache',
    async execute(exec, next) {
      if (stored.length > 0) return exec.succeed(stored[0])
      const outcome = await next()
      if (!outcome.isError) stored.push(outcome.value)
      return outcome
    },
  }
  const retry: Plugin = {
    name: 'retry',
    role: 'retry',
    async execute(_exec, next) {
      let outcome = await next()
      for (let tried = 0; tried < tries && outcome.isError; tried++) outcome = await next()
      return outcome
    },
  }
  return { plugins: [metrics, cache, retry, timeout()], stored, counted }
}

describe('O2: a body that hangs after it has written something is a timeout everywhere', () => {
  const deaf = (exec: Exec): Promise<never> => {
    exec.progress({ progress: 1, message: 'part' })
    return new Promise(() => {})
  }
  const obedient = (exec: Exec): Promise<never> => {
    exec.progress({ progress: 1, message: 'part' })
    return new Promise((_, reject) => exec.signal.addEventListener('abort', () => reject(exec.signal.reason)))
  }
  const withItsPart = (exec: Exec): Promise<string> => {
    exec.progress({ progress: 1, message: 'part' })
    return new Promise((resolve) => exec.signal.addEventListener('abort', () => resolve('part')))
  }

  test.each([
    ['ignores its signal', deaf, true],
    ['throws at its signal', obedient, undefined],
    ['answers with what it has at its signal', withItsPart, undefined],
  ])('where it %s', async (_, body, abandoned) => {
    fakeTime()
    const { plugins, stored, counted } = wrappers(0)
    const entries: JournalEntry[] = []
    const runtime = createToolRuntime({
      tools: [toolOf(body, { timeoutMs: 100 })],
      plugins,
      journal: { append: (entry) => void entries.push(entry) },
    })
    const heard: unknown[] = []
    const listening = (async () => {
      for await (const event of runtime.stream([{ name: 'work' }])) heard.push(event)
    })()
    await vi.advanceTimersByTimeAsync(1_100)
    await listening
    const [progress, told] = heard.slice(-2) as [unknown, { readonly result: unknown }]
    expect(progress).toMatchObject({ type: 'progress', message: 'part' })
    expect(told.result).toMatchObject({
      isError: true,
      error: { code: 'TOOL_TIMEOUT', sideEffects: 'possible', details: { timeoutMs: 100 } },
      content: [{ type: 'text', text: expect.stringMatching(/^TOOL_TIMEOUT: .*\b100 ms/) }],
      trace: { bodyInvocations: 1, attempts: 1 },
    })
    expect((told.result as { trace: { abandoned?: true } }).trace.abandoned).toBe(abandoned)
    expect(stored).toEqual([])
    expect(counted).toEqual(['TOOL_TIMEOUT'])
    expect(entries.at(-1)).toMatchObject({ type: 'tool/result', result: { error: { code: 'TOOL_TIMEOUT' } } })
    expect(vi.getTimerCount()).toBe(0)
  })
})

const nothing = Object.create(null) as unknown

test.each<[string, () => unknown]>([
  ['undefined', () => undefined],
  ['null', () => null],
  ['a plain text', () => 'plain text'],
  ['0', () => 0],
  ['a frozen error', () => Object.freeze(new Error('frozen'))],
  ['an object without a prototype', () => nothing],
  [
    'an object whose message throws',
    () =>
      Object.defineProperty({}, 'message', {
        get: () => {
          throw 1
        },
      }),
  ],
  ['an error with a cause that is no error', () => Object.assign(new Error('x'), { cause: 'c' })],
])(
  'R5: below a timeout, a retry and metrics, a body that throws %s is tried three times and fails in words',
  async (_, make) => {
    fakeTime()
    const { plugins, stored, counted } = wrappers(2)
    const tool = toolOf(
      async () => {
        throw make()
      },
      { timeoutMs: 100 },
    )
    const result = await createToolRuntime({ tools: [tool], plugins }).execute({ name: 'work' })
    expect(result).toMatchObject({
      isError: true,
      error: { code: 'TOOL_ERROR', message: expect.stringMatching(/\S/) },
      content: [{ type: 'text', text: expect.stringMatching(/^TOOL_ERROR: \S/) }],
      trace: { attempts: 3, bodyInvocations: 3, faults: [] },
    })
    expect([stored, counted]).toEqual([[], ['TOOL_ERROR']])
    expect(vi.getTimerCount()).toBe(0)
  },
)

test('B1: two thousand calls below one signal, whose bodies end, fail or run out of time, leave no listener and no timer', async () => {
  fakeTime()
  const waits = ({ signal }: Exec): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
  const fails = async (): Promise<never> => Promise.reject(new Error('no'))
  const runtime = createToolRuntime({
    tools: [
      toolOf(({ signal }) => signal.aborted, { name: 'works', timeoutMs: 100 }),
      toolOf(fails, { name: 'fails', timeoutMs: 100 }),
      toolOf(waits, { name: 'waits', timeoutMs: 100 }),
      toolOf(() => new Promise(() => {}), { name: 'deaf', timeoutMs: 100 }),
    ],
    plugins: [timeout({ graceMs: 50 })],
  })
  const names = ['works', 'fails', 'waits', 'deaf']
  const codes = [undefined, 'TOOL_ERROR', 'TOOL_TIMEOUT', 'TOOL_TIMEOUT']
  const { signal } = new AbortController()
  const warnings = await warningsDuring(async () => {
    for (let at = 0; at < 2_000; at++) {
      const call = runtime.execute({ name: names[at % 4] as string }, { signal })
      if (at % 4 > 1) await vi.advanceTimersByTimeAsync(150)
      const result = await call
      expect(result.isError ? result.error.code : undefined).toBe(codes[at % 4])
      expect(getEventListeners(signal, 'abort')).toHaveLength(0)
      expect(vi.getTimerCount()).toBe(0)
    }
  })
  expect(warnings).toEqual([])
})
