import { expect, test } from 'vitest'
import { quantile, quartilesOf, ratiosInRounds, shuffled } from '../src/statistics.ts'

test('quantiles are interpolated and do not change what they are given', () => {
  const values = Object.freeze([4, 1, 3, 2])
  expect(quantile(values, 0.5)).toBe(2.5)
  expect(quartilesOf(values)).toEqual({ low: 1.75, median: 2.5, high: 3.25 })
  expect(quantile([7], 0.9)).toBe(7)
  expect(quantile([], 0.5)).toBeNaN()
})

test('a round in which the machine was slow changes no ratio', () => {
  expect(ratiosInRounds([2, 200, 4], [1, 100, 2])).toEqual([2, 2, 2])
  expect(ratiosInRounds([1, 2], [1])).toEqual([1])
})

test('a shuffled list holds the same items', () => {
  const items = Array.from({ length: 20 }, (_, at) => at)
  expect(shuffled(items).toSorted((a, b) => a - b)).toEqual(items)
  expect(shuffled(items, () => 0)).not.toEqual(items)
})
