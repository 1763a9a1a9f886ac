import { createRequire } from 'node:module'

/** Loads a dependency when it is first needed: one that a deployment never needs costs it no start. */
export const load: NodeJS.Require = createRequire(import.meta.url)
