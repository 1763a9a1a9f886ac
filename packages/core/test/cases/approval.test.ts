import { expect, test, vi } from 'vitest'
import type { Approver, Exec, Plugin, ToolCall, ToolResult, ToolRuntime } from '../../src/index.ts'
import { wordsOf } from '../support/results.ts'
import { Deferred, errorOf, runtimeOf, statusOf, toolOf } from './bench.ts'

const asks: Plugin = { name: 'careful', preExecute: () => ({ kind: 'ask', reason: 'it writes' }) }

test('V1: an abort ends a question that nobody answers, and a yes that comes later runs nothing', async () => {
  const body = vi.fn()
  const answer = new Deferred<'allow'>()
  const asked = new Deferred<AbortSignal>()
  const approver: Approver = {
    request(_exec, { signal }) {
      asked.resolve(signal)
      return answer.promise
    },
  }
  const { runtime, entries } = runtimeOf(toolOf(body), { plugins: [asks], approver })
  const controller = new AbortController()
  const call = runtime.execute({ name: 'work' }, { signal: controller.signal })
  const prompt = await asked.promise
  expect(prompt.aborted).toBe(false)
  controller.abort()
  expect(prompt.aborted).toBe(true)
  const result = await call
  expect(errorOf(result)).toMatchObject({ code: 'ABORTED_BEFORE_DISPATCH', sideEffects: 'none' })

  const written = entries.length
  answer.resolve('allow')
  await new Promise(setImmediate)
  expect(body).not.toHaveBeenCalled()
  expect(entries).toHaveLength(written)
  expect(result.trace.decisions).not.toContainEqual(expect.objectContaining({ by: 'approver' }))
})

test('V1: where nobody can be asked, the answer is no, at once and in words of its own', async () => {
  const body = vi.fn()
  const result = await runtimeOf(toolOf(body), { plugins: [asks] }).runtime.execute({ name: 'work' })
  expect(errorOf(result)).toMatchObject({ code: 'APPROVAL_UNAVAILABLE', sideEffects: 'none' })
  expect(wordsOf(result)).toContain('no approver is set up')
  expect(body).not.toHaveBeenCalled()
})

test.each<[string, (runtime: ToolRuntime, calls: ToolCall[]) => Promise<readonly ToolResult[]>]>([
  ['in one step', (runtime, calls) => runtime.dispatch(calls)],
  ['in steps beside each other', (runtime, calls) => Promise.all(calls.map((call) => runtime.execute(call)))],
])(
  'V2: each call has its own question and its own answer, one question at a time in call order, %s',
  async (_, run) => {
    const answers = new Map(['a', 'b', 'c'].map((id) => [id, new Deferred<'allow' | 'deny'>()]))
    const shown: string[] = []
    let [open, most] = [0, 0]
    const approver: Approver = {
      async request({ callId }: Exec) {
        shown.push(callId)
        most = Math.max(most, ++open)
        const answer = await answers.get(callId)!.promise
        open--
        return answer
      },
    }
    const ran: string[] = []
    const tool = { ...toolOf(({ callId }) => ran.push(callId)), isConcurrencySafe: () => true }
    const { runtime } = runtimeOf(tool, { plugins: [asks], approver })
    const running = run(
      runtime,
      ['a', 'b', 'c'].map((id) => ({ id, name: 'work' })),
    )
    const turns: string[][] = []
    const given = { c: 'allow', a: 'deny', b: 'allow' } as const
    for (const [id, answer] of Object.entries(given)) {
      answers.get(id)!.resolve(answer)
      await new Promise(setImmediate)
      turns.push([...shown])
    }
    // The answer for c comes before its question and is kept until then.
    expect(turns).toEqual([['a'], ['a', 'b'], ['a', 'b', 'c']])
    const results = await running
    expect(results.map(({ callId }) => callId)).toEqual(['a', 'b', 'c'])
    expect(results.map(statusOf)).toEqual(['APPROVAL_REJECTED', 'ok', 'ok'])
    expect(ran).toEqual(['b', 'c'])
    expect([open, most]).toEqual([0, 1])
  },
)
