import { expect, test } from 'vitest'
import { takeTurns } from '../src/turns.ts'

test('every runner has its turn in every round, with slices of a size that fits its speed', async () => {
  const asked: { id: string; count: number }[] = []
  const runner = (id: string, ns: number) => ({
    id,
    async slice(_workload: string, count: number) {
      asked.push({ id, count })
      return ns
    },
  })
  const rounds: number[] = []
  const samples = await takeTurns([runner('fast', 1_000), runner('slow', 30e6)], 'call', {
    rounds: 4,
    sliceMs: 15,
    warmMs: 0,
    onRound: (round) => rounds.push(round),
  })
  expect(samples).toEqual(
    new Map([
      ['fast', [1_000, 1_000, 1_000, 1_000]],
      ['slow', [30e6, 30e6, 30e6, 30e6]],
    ]),
  )
  expect(rounds).toEqual([0, 1, 2, 3])
  const timed = asked.slice(2) // after the warming up
  for (let round = 0; round < 4; round++) {
    const both = timed.slice(round * 2, round * 2 + 2).toSorted((a, b) => b.count - a.count)
    expect(both).toEqual([
      { id: 'fast', count: 15_000 },
      { id: 'slow', count: 1 },
    ])
  }
})
