export type { TimeoutOptions } from './options.ts'
export { timeout } from './timeout.ts'
