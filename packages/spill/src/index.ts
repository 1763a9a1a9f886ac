export type { BlobPage } from './blobs.ts'
export type {
  ReadRequest,
  SaveBlobRequest,
  SaveRequest,
  SaveTextRequest,
  SpillRange,
  SpillReader,
  SpillRef,
  SpillStore,
} from './contract.ts'
export { type MemorySpillOptions, type MemorySpillStore, memorySpillStore } from './memory-store.ts'
export type { GoOn, MatchesPage, TextPage } from './pages.ts'
export { type LineRange, type ReadLinesRequest, readLines } from './read-lines.ts'
export { readSpill, type SpillReadAnnotations } from './read-spill.ts'
export { type ReadSpillErrorCode, readSpillErrorCodes } from './read-spill-errors.ts'
export type { ReadSpillOptions } from './read-spill-options.ts'
export { readText, type TextRange } from './read-text.ts'
export { type SearchTextRequest, searchText, type TextMatch, type TextMatches } from './search-text.ts'
