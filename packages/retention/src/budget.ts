import { isAmount, need, needMembers } from './check.ts'

const unlimited = Number.POSITIVE_INFINITY

/** The units that a kind of budget may name. */
export const textUnits = ['bytes', 'characters', 'lines'] as const
export const itemUnits = ['items', 'size'] as const

/** For each unit how much may be kept; `Infinity` where the unit was not named. */
export type Amounts<Unit extends string> = { readonly [U in Unit]: number }

/** What may be kept at either side, and of the whole. */
export interface Plan<Unit extends string> {
  readonly head: Amounts<Unit>
  readonly tail: Amounts<Unit>
  /** Head and tail together: what is no more than this is kept whole. */
  readonly whole: Amounts<Unit>
}

/**
 * Reads `{ head?, tail? }`. A side that is not asked for has a budget of 0 in every unit.
 * @throws TypeError naming the budget, what it has to be, and what it is
 */
export function readPlan<Unit extends string>(
  who: string,
  units: readonly Unit[],
  { head, tail }: { readonly head?: unknown; readonly tail?: unknown },
): Plan<Unit> {
  need(
    head !== undefined || tail !== undefined,
    who,
    'what it takes',
    'told what to keep: `head`, `tail` or both',
    head,
  )
  const named = namedUnits(who, units, head === undefined ? 'tail' : 'head', head ?? tail)
  if (head !== undefined && tail !== undefined) {
    const others = namedUnits(who, units, 'tail', tail)
    // Only then is their sum a budget for the whole.
    need(
      named.join() === others.join(),
      who,
      '`tail`',
      `a budget in the same units as \`head\` (${named.join(', ')})`,
      others.join(', '),
    )
  }
  const amounts = (side: unknown): Amounts<Unit> =>
    each(units, (unit) => {
      if (side === undefined) return 0
      return named.includes(unit) ? (side as Amounts<Unit>)[unit] : unlimited
    })
  const plan = { head: amounts(head), tail: amounts(tail) }
  return { ...plan, whole: each(units, (unit) => plan.head[unit] + plan.tail[unit]) }
}

function namedUnits<Unit extends string>(
  who: string,
  units: readonly Unit[],
  side: string,
  budget: unknown,
): readonly Unit[] {
  needMembers(budget, who, `\`${side}\``, units)
  const amounts = budget as { readonly [U in Unit]?: unknown }
  const named = units.filter((unit) => amounts[unit] !== undefined)
  need(named.length > 0, who, `\`${side}\``, `a budget in at least one of ${units.join(', ')}`, budget)
  for (const unit of named)
    need(isAmount(amounts[unit]), who, `\`${side}.${unit}\``, 'a whole number from 0 on', amounts[unit])
  return named
}

/** Whether what was counted is within the budget in every unit. */
export function fits<Unit extends string>(counted: Amounts<Unit>, budget: Amounts<Unit>): boolean {
  for (const unit in budget) if (counted[unit] > budget[unit]) return false
  return true
}

/** What is left of one count without another, unit by unit. */
export function without<Unit extends string>(
  units: readonly Unit[],
  all: Amounts<Unit>,
  some: Amounts<Unit>,
): Amounts<Unit> {
  return each(units, (unit) => all[unit] - some[unit])
}

function each<Unit extends string>(units: readonly Unit[], amount: (unit: Unit) => number): Amounts<Unit> {
  return Object.fromEntries(units.map((unit) => [unit, amount(unit)])) as Amounts<Unit>
}
