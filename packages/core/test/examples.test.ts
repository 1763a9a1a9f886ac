import { expect, test } from 'vitest'
import { createToolRuntime, defineTool, type Journal, type JournalEntry, type Plugin, textOf } from '../src/index.ts'

const numbers = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const

test('what a body gives to exec.succeed and is refused there is INVALID_TOOL_OUTPUT, as if it had returned it', async () => {
  const bad = defineTool({
    name: 'bad',
    description: 'Answers.',
    parameters: {},
    output: { schema: numbers },
    execute: (_args, exec) => exec.succeed({ n: 'one' }) as never,
  })
  const claimed = defineTool({
    name: 'claimed',
    description: 'Answers.',
    parameters: {},
    output: { schema: numbers },
    execute: (_args, exec) => exec.fail({ code: 'INVALID_TOOL_OUTPUT', message: 'said the tool' }) as never,
  })
  const runtime = createToolRuntime({ tools: [bad, claimed] })
  const results = await runtime.dispatch([{ name: 'bad' }, { name: 'claimed' }])
  expect(results).toMatchObject([
    { error: { code: 'INVALID_TOOL_OUTPUT', stage: 'execute', details: { violations: [{ path: '/n' }] } } },
    { error: { code: 'TOOL_ERROR', message: 'said the tool', details: { code: 'INVALID_TOOL_OUTPUT' } } },
  ])
})

test('what goes wrong while the journal takes the result is logged, since the trace is written by then', async () => {
  const warnings: string[] = []
  let answer: (() => void) | undefined
  let asked: (() => void) | undefined
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  const journal: Journal = {
    append({ type }: JournalEntry) {
      if (type !== 'tool/result') return
      asked?.()
      return new Promise<void>((resolve) => {
        answer = resolve
      })
    },
  }
  let late: (() => unknown) | undefined
  const clumsy: Plugin = {
    name: 'clumsy',
    execute(_exec, next) {
      late = next
      return next()
    },
  }
  const tool = defineTool({
    name: 'tool',
    description: 'Answers.',
    parameters: {},
    output: { schema: {} },
    execute: () => 1,
  })
  const logger = { warn: (message: string) => warnings.push(message) }
  const runtime = createToolRuntime({ tools: [tool], plugins: [clumsy], journal, logger })
  const running = runtime.execute({ name: 'tool' })
  await isAsked
  await late?.()
  answer?.()
  expect((await running).trace.faults).toEqual([])
  expect(warnings.join()).toMatch(/tool .*plugin "clumsy" called next\(\) after it had settled/)
})

test('a server that tools share is no reason to suggest another tool of its', async () => {
  const named = (name: string) =>
    defineTool({ name, description: 'Answers.', parameters: {}, output: { schema: {} }, execute: () => 1 })
  const runtime = createToolRuntime({ tools: [named('fs__write_file'), named('fs__read_file')] })
  const [other, near] = await runtime.dispatch([{ name: 'fs__delete_file' }, { name: 'fs__raed_file' }])
  expect(textOf(other?.content ?? [])).not.toContain('Did you mean')
  expect(textOf(near?.content ?? [])).toContain('Did you mean "fs__read_file"?')
})

test('explain() says whether there is a journal', () => {
  expect(createToolRuntime().explain()).toContain('no journal')
  const journal: Journal = { append() {} }
  expect(createToolRuntime({ journal }).explain()).toContain('journalled before anything runs')
})
