import { execFileSync } from 'node:child_process'
import { createToolRuntime, type ToolResult } from '@pawl/core'
import { expect, test, vi } from 'vitest'
import { timeout } from '../src/index.ts'
import { type ProcessToolOptions, processTool } from './process-tool.ts'

/** The commands of a process group that still run; a zombie does not. */
function commandsOf(group: number): string[] {
  const table = execFileSync('ps', ['-A', '-o', 'pgid=,stat=,args='], { encoding: 'utf8' })
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/))
  return rows
    .filter(([pgid, stat]) => pgid === `${group}` && !stat?.startsWith('Z'))
    .map((row) => row.slice(2).join(' '))
}

interface Run {
  readonly result: ToolResult
  readonly tookMs: number
  readonly group: number
}

async function run(script: string, more: Partial<ProcessToolOptions> = {}, signal?: AbortSignal): Promise<Run> {
  let group = 0
  const tool = processTool({
    name: 'shell',
    command: 'sh',
    args: ['-c', script],
    onStart: (pid) => {
      group = pid
    },
    ...more,
  })
  const runtime = createToolRuntime({ tools: [tool], plugins: [timeout()] })
  const begun = performance.now()
  const result = await runtime.execute({ name: 'shell' }, { signal })
  return { result, tookMs: performance.now() - begun, group }
}

/** A killed process may take a moment to be gone. */
async function expectNobodyLeft(group: number): Promise<void> {
  expect(group).toBeGreaterThan(1)
  await vi.waitFor(() => expect(commandsOf(group)).toEqual([]), { timeout: 2_000, interval: 20 })
}

test('O3: a process that ignores TERM and whose child holds the pipe is timed out soon, and nothing of it is left', async () => {
  const { result, tookMs, group } = await run('trap : TERM; sleep 47 & wait; sleep 47', { timeoutMs: 200 })
  expect(result).toMatchObject({ isError: true, error: { code: 'TOOL_TIMEOUT', details: { timeoutMs: 200 } } })
  // The body itself ended the processes in time: it is not abandoned.
  expect(result.trace.abandoned).toBeUndefined()
  expect(tookMs).toBeLessThan(2_000)
  await expectNobodyLeft(group)
})

test('O3: what has been written before the deadline stands in the journal', async () => {
  const executed: unknown[] = []
  const tool = processTool({ name: 'shell', command: 'sh', args: ['-c', 'echo part; exec sleep 47'], timeoutMs: 200 })
  const runtime = createToolRuntime({
    tools: [tool],
    plugins: [timeout()],
    journal: { append: (entry) => void (entry.type === 'tool/executed' && executed.push(entry.outcome)) },
  })
  await runtime.execute({ name: 'shell' })
  expect(executed).toMatchObject([
    { isError: true, error: { code: 'STOPPED', message: expect.stringContaining('part') } },
  ])
})

test('O3: a command that ends by itself settles at once, with what it wrote, and takes what it left running with it', async () => {
  const { result, tookMs, group } = await run('sleep 47 & echo done')
  expect(result).toMatchObject({ isError: false, value: { exitCode: 0, signal: null, output: 'done\n' } })
  expect(tookMs).toBeLessThan(2_000)
  await expectNobodyLeft(group)
})

test("O3: the caller's abort ends the whole group too", async () => {
  const controller = new AbortController()
  const onStart = vi.fn(() => controller.abort())
  const running = run('sleep 47 & sleep 47', { onStart }, controller.signal)
  const { result, tookMs } = await running
  expect(result).toMatchObject({ isError: true, error: { code: 'STOPPED', details: { aborted: true } } })
  expect(tookMs).toBeLessThan(2_000)
  const [[group] = [0]] = onStart.mock.calls as unknown as [number][]
  await expectNobodyLeft(group)
})

test('O3: what the command started has its own grace to clean up, also when the command itself has ended', async () => {
  const controller = new AbortController()
  const tidy = "trap 'sleep 0.1; echo cleaned; exit' TERM; echo ready; while :; do sleep 0.05; done"
  const onOutput = (output: string): void => void (output === 'ready\n' && controller.abort())
  const { result, group } = await run(`(${tidy}) & wait`, { killGraceMs: 900, onOutput }, controller.signal)
  expect(result).toMatchObject({ isError: true, error: { message: expect.stringMatching(/ready\n.*cleaned/s) } })
  await expectNobodyLeft(group)
})

test('O3: a pipe that is held by somebody who has left the group does not hold the call', async () => {
  const script = `
    const child = require('node:child_process').spawn('sleep', ['47'], { detached: true, stdio: 'inherit' })
    child.unref()
    console.log(child.pid)`
  const { result, tookMs } = await run('', { command: process.execPath, args: ['-e', script] })
  const pid = Number(result.isError ? 0 : (result.value as { output: string }).output)
  expect(pid).toBeGreaterThan(1)
  try {
    expect(commandsOf(pid)).toEqual(['sleep 47'])
    expect(tookMs).toBeLessThan(2_000)
  } finally {
    process.kill(pid, 'SIGKILL')
  }
  await expectNobodyLeft(pid)
})

test('O3: a command that is not there is a failure in words', async () => {
  const { result } = await run('', { command: 'no-such-command-here' })
  expect(result).toMatchObject({
    isError: true,
    error: { code: 'NOT_STARTED', message: expect.stringContaining('ENOENT') },
  })
})
