import { isObject } from './keywords.ts'

/** Whether no two items are equal as JSON. Linear: each item becomes a text in which member order does not matter. */
export function areUnique(items: readonly unknown[]): boolean {
  const seen = new Set<unknown>()
  for (const item of items) {
    const key =
      typeof item === 'string' ? `"${item}` : typeof item === 'object' && item !== null ? canonical(item) : item
    if (seen.size === seen.add(key).size) return false
  }
  return true
}

/** A text that two values share exactly if they are equal as JSON; member order does not matter. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isObject(value)) return JSON.stringify(value)
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`
}
