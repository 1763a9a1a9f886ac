import type { Json } from './json.ts'

/**
 * What goes to a model: each lone surrogate in texts and member names is U+FFFD, which providers take; they refuse a request with
 * half a character in it. The value itself where it has none.
 */
export function wellFormed(value: Json): Json {
  return isWellFormed(value) ? value : repaired(value)
}

/** Nearly always true, and then nothing has to be copied. */
function isWellFormed(value: Json): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isWellFormed)
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isWellFormed(member))
}

function repaired(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(repaired))
  const members = Object.entries(value).map(([name, member]) => [name.toWellFormed(), repaired(member)] as const)
  return Object.freeze(Object.fromEntries(members))
}
