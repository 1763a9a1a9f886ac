import { type ChildProcess, spawn } from 'node:child_process'
import { type AnyTool, defineTool, ToolError } from '@pawl/core'

/** What `processTool` takes. All times are ms. */
export interface ProcessToolOptions {
  readonly name: string
  readonly command: string
  readonly args?: readonly string[]
  readonly timeoutMs?: number
  /** How long the processes may take to end after TERM; then they are killed. Keep it below the grace of the timeout plugin. **Default:** 300. */
  readonly killGraceMs?: number
  /** How long to read on once the process has ended, for somebody may still hold its pipe. **Default:** 100. */
  readonly drainMs?: number
  /** UTF-16 code units of output that are kept, from the start. **Default:** 100,000. */
  readonly maxOutput?: number
  /** Told the id of the process, which is that of its group too. */
  readonly onStart?: (pid: number) => void
  /** Told all that has been written so far, as it comes. */
  readonly onOutput?: (output: string) => void
}

/** How a process ended and what it wrote. */
interface ProcessEnd {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly output: string
}

/**
 * A tool that runs a process, the way it has to be done:
 *
 * - the process leads a group of its own, so that what it starts can be ended with it;
 * - an abort sends TERM to the whole group, and KILL to whatever is left after a short grace;
 * - the call settles when the *process* has ended, not when its pipe has closed: a grandchild may hold that for hours;
 * - no process of the group outlives the call, also if the command ended by itself.
 *
 * For POSIX systems.
 */
export function processTool(options: ProcessToolOptions): AnyTool {
  const { name, command, args = [], timeoutMs } = options
  return defineTool({
    name,
    description: `Runs ${command}.`,
    parameters: {},
    output: {
      schema: {
        type: 'object',
        properties: {
          exitCode: { type: ['integer', 'null'] },
          signal: { type: ['string', 'null'] },
          output: { type: 'string' },
        },
        required: ['exitCode', 'signal', 'output'],
      },
      render: (_args: unknown, value: unknown) => [{ type: 'text', text: (value as ProcessEnd).output }],
    },
    ...(timeoutMs === undefined ? undefined : { timeoutMs }),
    execute: (_args: unknown, { signal }: { readonly signal: AbortSignal }) => run(command, args, signal, options),
  }) as AnyTool
}

async function run(
  command: string,
  args: readonly string[],
  signal: AbortSignal,
  { killGraceMs = 300, drainMs = 100, maxOutput = 100_000, onStart, onOutput }: ProcessToolOptions,
): Promise<ProcessEnd> {
  signal.throwIfAborted()
  const child = spawn(command, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = collect(child, maxOutput, onOutput)
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let timer: NodeJS.Timeout | undefined
  const stop = (): void => {
    signalGroup(child, 'SIGTERM')
    timer = setTimeout(() => signalGroup(child, 'SIGKILL'), killGraceMs)
  }
  try {
    const [exitCode, endedBy] = await new Promise<[number | null, string | null]>((resolve, reject) => {
      child.once('error', (error) => reject(new ToolError('NOT_STARTED', error.message, { cause: error })))
      child.once('exit', (code, by) => resolve([code, by]))
      child.once('spawn', () => onStart?.(child.pid as number))
      signal.addEventListener('abort', stop)
    })
    // The others of the group were told to stop as well, and may need the rest of the grace for it.
    if (signal.aborted) await withinMs(closed, killGraceMs)
    // Whatever the command left behind belongs to this call: it ends now.
    signalGroup(child, 'SIGKILL')
    await withinMs(closed, drainMs)
    if (signal.aborted) throw new ToolError('STOPPED', `it was stopped; it had written: ${output()}`)
    return { exitCode, signal: endedBy, output: output() }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
}

/** Both streams as one text, as it comes, up to `most`. */
function collect(child: ChildProcess, most: number, onOutput?: (output: string) => void): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8')
    stream?.on('data', (chunk: string) => {
      if (text.length < most) text += chunk.slice(0, most - text.length)
      onOutput?.(text)
    })
  }
  return () => text
}

/** A negative id stands for the group. That nobody of it is left is no error. */
function signalGroup({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function withinMs(promise: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([promise, late])
  clearTimeout(timer)
}
