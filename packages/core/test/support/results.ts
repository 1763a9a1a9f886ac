import { expect } from 'vitest'
import type { ToolResult } from '../../src/index.ts'

/** Every object of a value, itself included. */
function* objectsOf(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return
  yield value
  for (const key of Reflect.ownKeys(value)) yield* objectsOf((value as { [key: PropertyKey]: unknown })[key])
}

/** Every text of a value, member names included. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsOf(member)])
}

export function expectDeepFrozen(value: unknown): void {
  for (const object of objectsOf(value))
    if (!Object.isFrozen(object)) expect.fail(`not frozen: ${JSON.stringify(object)}`)
}

/** The words of a result's content. */
export function wordsOf({ content }: Pick<ToolResult, 'content'>): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
}

export const codeOf = (result: ToolResult | undefined): string | undefined =>
  result?.isError === true ? result.error.code : undefined

/** A result without the ids that are new each time. */
export function anonymous(result: ToolResult | undefined): unknown {
  if (result === undefined) return undefined
  const { executionId: _, ...rest } = result
  return rest
}

/** A result without ids and without what its trace tells of the way. */
export function bare(result: ToolResult | undefined): unknown {
  if (result === undefined) return undefined
  const { executionId: _, trace: __, ...rest } = result
  return rest
}

/** A value in its default words: a text as it is, everything else as compact JSON, without lone surrogates. */
export function rendered(value: unknown): string {
  const whole = wellFormed(value)
  return typeof whole === 'string' ? whole : JSON.stringify(whole)
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.toWellFormed(), wellFormed(member)]))
}
