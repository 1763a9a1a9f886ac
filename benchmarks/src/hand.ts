import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Workload } from './contender.ts'
import type { Hello, SliceAnswer, SliceRequest } from './worker.ts'

/** The process of one contender, seen from here. */
export class Hand {
  readonly id: string
  readonly label: string
  readonly workloads: readonly Workload[]
  readonly #process: ChildProcess

  private constructor(id: string, process: ChildProcess, hello: Exclude<Hello, { failed: string }>) {
    this.id = id
    this.label = hello.label
    this.workloads = hello.workloads
    this.#process = process
  }

  /** @throws Error if the contender can not be set up or does not do the work */
  static async start(id: string): Promise<Hand> {
    const worker = fileURLToPath(new URL('./worker.js', import.meta.url))
    const child = fork(worker, [id], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    const hello = await answerOf<Hello>(child)
    if ('failed' in hello) {
      child.kill()
      throw new Error(hello.failed)
    }
    return new Hand(id, child, hello)
  }

  /** @throws Error if the work failed or the process ended */
  async slice(workload: Workload, count: number): Promise<number> {
    const answer = answerOf<SliceAnswer>(this.#process)
    this.#process.send({ workload, count } satisfies SliceRequest)
    const got = await answer
    if ('failed' in got) throw new Error(`${this.id}, ${workload}: ${got.failed}`)
    return got.ns
  }

  stop(): void {
    this.#process.kill()
  }
}

async function answerOf<T>(child: ChildProcess): Promise<T | { failed: string }> {
  const over = new AbortController()
  const heard = once(child, 'message', over).then(([message]) => message as T)
  const ended = once(child, 'exit', over).then(([code]) => ({ failed: `its process ended (exit code ${code})` }))
  try {
    return await Promise.race([heard, ended])
  } finally {
    heard.catch(() => {})
    ended.catch(() => {})
    over.abort()
  }
}
