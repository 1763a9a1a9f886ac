import type { Content } from '@pawl/core'
import { expect, test } from 'vitest'
import { countingStore, follow, readableWorld } from '../support/world.ts'

const textOfFirst = ([block]: readonly Content[]): string => (block?.type === 'text' ? block.text : '')

test.each([
  ['ok \ud83d', 'ok \ufffd'],
  ['\ude00 x', '\ufffd x'],
  ['a\ud83d\ud83d\ude00b', 'a\ufffd\ud83d\ude00b'],
  ['good \ud83d\ude00', 'good \ud83d\ude00'],
])('T1: %j is well-formed in what is saved and in what is shown', async (output, text) => {
  const world = readableWorld([{ type: 'text', text: output.repeat(200) }], countingStore(), { maxInlineBytes: 300 })
  const { content } = await world.run('a')
  expect(textOfFirst(content).isWellFormed()).toBe(true)
  expect(textOfFirst(content).startsWith(text.slice(0, 4))).toBe(true)
  expect(await follow(world, textOfFirst(content), 'a')).toBe(output.repeat(200).toWellFormed())
  expect(output.repeat(200).toWellFormed()).toBe(text.repeat(200))
})

test.each([
  '\u001b[32mPASS\u001b[0m\n 10%\r 50%\r100%\nlink \u001b]8;;http://x.invalid\u0007t\u001b]8;;\u0007\nbell\u0007 nul\u0000end\r\n',
  '\ufeffimport os\r\nx\ufeffy\r\n',
])('T3: %j is saved as it came', async (output) => {
  const world = readableWorld([{ type: 'text', text: output.repeat(20) }], countingStore(), { maxInlineBytes: 256 })
  const { content } = await world.run('a')
  expect(textOfFirst(content).slice(0, 5)).toBe(output.slice(0, 5))
  expect(await follow(world, textOfFirst(content), 'a')).toBe(output.repeat(20))
})
