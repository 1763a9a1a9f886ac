import type { Call } from './call.ts'
import { disown } from './maybe.ts'

/**
 * Whether this very call said that it may overlap others: exactly `true`, given its own final arguments. Everything else, a
 * missing, throwing or asynchronous answer, invalid arguments, an unknown tool, is exclusive (CON-1).
 */
export function isParallel(call: Call): boolean {
  const ask = call.tool?.isConcurrencySafe
  if (ask === undefined || !call.valid) return false
  try {
    const said: unknown = ask(call.arguments)
    disown(said)
    return said === true
  } catch {
    return false
  }
}
