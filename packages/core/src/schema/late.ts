import { createRequire } from 'node:module'

/** Loads a dependency when it is first needed: one that a deployment never needs costs it no start. */
export const load: NodeJS.Require = createRequire(import.meta.url)

/** Does in the first idle turn what would be done later anyway; a process that has nothing else to do by then ends without it. */
export function loadSoon(ahead: () => unknown): void {
  setImmediate(() => {
    try {
      ahead()
    } catch {
      // Who needs it will be told.
    }
  }).unref()
}
