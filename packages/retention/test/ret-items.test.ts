import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ItemBudget, ItemRetainer, type ItemRetainerOptions, type RetainedItems } from '../src/index.ts'
import { property } from './support/property.ts'

type Sizes = readonly number[]

function retain(options: ItemRetainerOptions<number>, items: Sizes): RetainedItems<number> {
  const retainer = new ItemRetainer(options)
  for (const item of items) retainer.push(item)
  return retainer.finish()
}

const count = (items: Sizes) => ({ items: items.length, size: items.reduce((sum, size) => sum + size, 0) })
const within = (items: Sizes, budget: ItemBudget): boolean =>
  items.length <= (budget.items ?? Number.POSITIVE_INFINITY) &&
  count(items).size <= (budget.size ?? Number.POSITIVE_INFINITY)

/** All items in memory, and each possible cut tried. */
function reference(items: Sizes, { head, tail }: ItemRetainerOptions<number>): RetainedItems<number> {
  const none = { items: 0, size: 0 }
  const whole = Object.fromEntries(
    (['items', 'size'] as const)
      .filter((unit) => (head ?? tail)?.[unit] !== undefined)
      .map((unit) => [unit, (head?.[unit] ?? 0) + (tail?.[unit] ?? 0)]),
  )
  if (within(items, whole)) return { truncated: false, items, seen: count(items), kept: count(items), omitted: none }
  const places = Array.from({ length: items.length + 1 }, (_, at) => at)
  const end = head === undefined ? 0 : places.findLast((at) => within(items.slice(0, at), head))!
  const start = tail === undefined ? items.length : places.find((at) => at >= end && within(items.slice(at), tail))!
  const kept = [...items.slice(0, end), ...items.slice(start)]
  return {
    truncated: true,
    head: items.slice(0, end),
    tail: items.slice(start),
    seen: count(items),
    kept: count(kept),
    omitted: count(items.slice(end, start)),
  }
}

const budgets = fc.record({ items: fc.nat(6), size: fc.nat(20) })
const options = fc
  .record({
    side: fc.constantFrom('head', 'tail', 'both'),
    units: fc.subarray(['items', 'size'] as const, { minLength: 1 }),
    head: budgets,
    tail: budgets,
  })
  .map(({ side, units, head, tail }): ItemRetainerOptions<number> => {
    const pick = (budget: Required<ItemBudget>): ItemBudget =>
      Object.fromEntries(units.map((unit) => [unit, budget[unit]]))
    return {
      sizeOf: (size) => size,
      ...(side === 'tail' ? {} : { head: pick(head) }),
      ...(side === 'head' ? {} : { tail: pick(tail) }),
    }
  })
const items = fc.array(fc.nat(9), { maxLength: 20 })

property(
  'RET-1 RET-3 RET-4 RET-5 of items: exact counts, all within budget, first and last otherwise, nothing for 0',
  fc.record({ items, options }),
  ({ items, options }, witness) => {
    const result = retain(options, items)
    expect(result).toEqual(reference(items, options))
    for (const unit of ['items', 'size'] as const)
      expect(result.kept[unit] + result.omitted[unit]).toBe(result.seen[unit])
    if (result.truncated && result.kept.items > 0) witness()
  },
)

describe('items, by example', () => {
  test('the first two and the last one of five', () => {
    const rows = new ItemRetainer<string>({ head: { items: 2 }, tail: { items: 1 } })
    for (const row of ['a', 'b', 'c', 'd', 'e']) rows.push(row)
    expect(rows.finish()).toEqual({
      truncated: true,
      head: ['a', 'b'],
      tail: ['e'],
      seen: { items: 5, size: 0 },
      kept: { items: 3, size: 0 },
      omitted: { items: 2, size: 0 },
    })
  })

  test('an item that alone is over the budget is left out, and so is what follows it at the head', () => {
    const result = retain({ head: { size: 5 }, sizeOf: (size) => size }, [2, 9, 1])
    expect(result).toMatchObject({ truncated: true, head: [2], omitted: { items: 2, size: 10 } })
  })

  test('a size that is no size is refused, and the item does not count', () => {
    const retainer = new ItemRetainer<number>({ head: { items: 9 }, sizeOf: (size) => size })
    expect(() => retainer.push(Number.NaN)).toThrow(
      new TypeError('[pawl] ItemRetainer: the size of an item has to be a whole number from 0 on. It is NaN.'),
    )
    expect(retainer.finish().seen.items).toBe(0)
  })

  test('after finish() nothing can be pushed, and the result stays the same object', () => {
    const retainer = new ItemRetainer({ tail: { items: 1 } })
    const result = retainer.finish()
    expect(() => retainer.push(1)).toThrow('[pawl] ItemRetainer: finish() was called')
    expect(retainer.finish()).toBe(result)
  })
})
