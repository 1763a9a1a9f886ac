export type { SpillBounds, SpillOptions, SpillPreview } from './options.ts'
export { spill } from './spill.ts'
