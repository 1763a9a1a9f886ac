export interface Quartiles {
  readonly low: number
  readonly median: number
  readonly high: number
}

/** The value below which the share `at` (0 to 1) of the values lies, interpolated; NaN of none. */
export function quantile(values: readonly number[], at: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * at
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}

export function quartilesOf(values: readonly number[]): Quartiles {
  return { low: quantile(values, 0.25), median: quantile(values, 0.5), high: quantile(values, 0.75) }
}

/**
 * One value over another, taken inside each round: a slow moment of the machine hits both alike and leaves the ratio as it is.
 */
export function ratiosInRounds(values: readonly number[], others: readonly number[]): number[] {
  const rounds = Math.min(values.length, others.length)
  return Array.from({ length: rounds }, (_, round) => (values[round] as number) / (others[round] as number))
}

export function shuffled<T>(items: readonly T[], random: () => number = Math.random): T[] {
  const order = [...items]
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const kept = order[at] as T
    order[at] = order[other] as T
    order[other] = kept
  }
  return order
}
