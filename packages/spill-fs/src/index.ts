export type { SpillFsOptions } from './options.ts'
export { type SpillFs, spillFs } from './spill-fs.ts'
