import { expect, test } from 'vitest'
import { readOptions } from '../src/options.ts'

test('the defaults measure everything', () => {
  expect(readOptions([])).toMatchObject({
    rounds: 15,
    generations: 3,
    withPeers: true,
    isQuick: false,
    only: undefined,
  })
  expect(readOptions(['--', '--quick'])).toMatchObject({ rounds: 3, generations: 1, isQuick: true })
  expect(readOptions(['--only', 'pawl', '--no-peers', '--rounds', '7'])).toMatchObject({
    only: 'pawl',
    withPeers: false,
    rounds: 7,
  })
})

test('what is wrong is named', () => {
  expect(() => readOptions(['--round', '3'])).toThrow(/--round/)
  for (const text of ['0', '-1', '1.5', 'many', ''])
    expect(() => readOptions([`--rounds=${text}`])).toThrow(
      `--rounds has to be a whole number from 1 on; it is "${text}".`,
    )
})
