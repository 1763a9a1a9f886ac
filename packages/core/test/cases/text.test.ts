import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { ToolResult } from '../../src/index.ts'
import { wordsOf } from '../support/results.ts'
import { echo, errorOf, runtimeOf, toolOf } from './bench.ts'

const texts: [text: string, shown: string][] = [
  ['ok \ud83d', 'ok \ufffd'],
  ['\ude00 x', '\ufffd x'],
  ['a\ud83d\ud83d\ude00b', 'a\ufffd\ud83d\ude00b'],
  ['good \ud83d\ude00', 'good \ud83d\ude00'],
]

const resultOf = (execute: () => unknown): Promise<ToolResult> =>
  runtimeOf(toolOf(execute)).runtime.execute({ name: 'work' })

describe.each(texts)('T1: %j is shown to the model as whole characters', (text, shown) => {
  test('as a value, which itself stays as it is', async () => {
    const result = await resultOf(() => text)
    expect(wordsOf(result)).toBe(shown)
    expect(result).toMatchObject({ value: text })
  })

  test('as the name of a member and deep inside a value', async () => {
    expect(wordsOf(await resultOf(() => ({ [text]: [text] })))).toBe(JSON.stringify({ [shown]: [shown] }))
  })

  test('as the description of a tool and of its parameters', () => {
    const { tool } = echo({ a: { type: 'string', description: text } }, { description: text })
    const { runtime } = runtimeOf(tool)
    expect(runtime.tools.schemas()).toMatchObject([
      { description: shown, parameters: { properties: { a: { description: shown } } } },
    ])
  })

  test('as the message of an error', async () => {
    const result = await resultOf(() => {
      throw new Error(text)
    })
    expect(errorOf(result).message).toBe(shown)
    expect(wordsOf(result)).toBe(`TOOL_ERROR: ${shown}`)
  })

  test('as an argument: told back where it is refused, handed on as it is where it is not', async () => {
    const { tool, seen } = echo({ free: { type: 'string' }, fixed: { const: 'x' } })
    const { runtime } = runtimeOf(tool)
    const [handed, refused, unknown] = await runtime.dispatch(
      [{ free: text }, { fixed: text }, { [text]: 1 }].map((args) => ({
        name: 'work',
        arguments: JSON.stringify(args),
      })),
    )
    expect(seen).toEqual([{ free: text }])
    expect(wordsOf(handed!)).toBe(JSON.stringify({ free: shown }))
    for (const result of [refused!, unknown!]) {
      expect(wordsOf(result)).toContain(shown)
      expect(wordsOf(result).isWellFormed()).toBe(true)
      expect(errorOf(result).message.isWellFormed()).toBe(true)
    }
  })

  test('as the name of a tool that is not there, and as a reason to deny', async () => {
    expect(wordsOf(await runtimeOf([]).runtime.execute({ name: text }))).toContain(shown)
    const { runtime } = runtimeOf(
      toolOf(() => 1),
      { guards: [() => text] },
    )
    expect(wordsOf(await runtime.execute({ name: 'work' }))).toContain(shown)
  })
})

const terminal =
  '\u001b[32mPASS\u001b[0m\n 10%\r 50%\r100%\nlink \u001b]8;;http://x.invalid\u0007t\u001b]8;;\u0007\nbell\u0007 nul\u0000end\r\n'

/** What a terminal would show at the end: no control sequences, and of a line that was written over, the last. */
function asOnScreen(output: string): string {
  const lines = stripVTControlCharacters(output).split('\n')
  const written = lines.map((line) => line.replace(/\r$/, '').split('\r').at(-1) ?? '')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return written.join('\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
}

test('T3: a renderer may clean what a terminal wrote; the value keeps it as it came, line ends included', async () => {
  const { runtime, entries } = runtimeOf({
    ...toolOf(() => terminal),
    output: { schema: { type: 'string' }, render: (_, value) => [{ type: 'text', text: asOnScreen(value as string) }] },
  })
  const result = await runtime.execute({ name: 'work' })
  expect(wordsOf(result).trimEnd().split('\n')).toEqual(['PASS', '100%', 'link t', 'bell nulend'])
  expect(result).toMatchObject({ isError: false, value: terminal })
  expect(entries.find(({ type }) => type === 'tool/executed')).toMatchObject({ outcome: { value: terminal } })
})

test('T3: without a renderer nothing is taken out of a text, so no byte-order mark and no line end goes missing', async () => {
  const file = '\ufeffimport os\r\nx\ufeffy\r\n'
  // One leading mark could be left out of the view; pawl leaves that to the tool's renderer.
  for (const output of [file, terminal]) {
    const result = await resultOf(() => output)
    expect(wordsOf(result)).toBe(output)
    expect(result).toMatchObject({ isError: false, value: output })
  }
})

test('T3: a byte-order mark before the arguments does not make them unreadable, and one inside them stays', async () => {
  const { tool, seen } = echo()
  await runtimeOf(tool).runtime.execute({ name: 'work', arguments: '\ufeff{"x":"\ufeffy\\r\\n"}' })
  expect(seen).toEqual([{ x: '\ufeffy\r\n' }])
})
