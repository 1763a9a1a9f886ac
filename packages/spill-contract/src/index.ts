import { failing } from './failing.ts'
import { keepingApart } from './keeping-apart.ts'
import { limits } from './limits.ts'
import { saving } from './saving.ts'
import type { Rule, Target } from './target.ts'

export { hostileNames } from './arbitraries.ts'
export type { Claim, Making, Rule, Target, TestedStore } from './target.ts'

/** Everything that is asked of a spill store. */
export const spillStoreRules: readonly Rule[] = [...saving, ...keepingApart, ...failing, ...limits]

/** The rules that a target can be asked for: all that need no claim, and those that it claims. */
export function rulesFor({ claims }: Target): readonly Rule[] {
  return spillStoreRules.filter(({ needs }) => needs === undefined || claims.includes(needs))
}
