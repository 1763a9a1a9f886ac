export type { TextCut } from './cut.ts'
export {
  type CutItems,
  type ItemAccount,
  type ItemBudget,
  type ItemCounts,
  ItemRetainer,
  type ItemRetainerOptions,
  type RetainedItems,
  type WholeItems,
} from './item-retainer.ts'
export { LineWindow, type LineWindowOptions, type LineWindowResult } from './line-window.ts'
export {
  describeOmitted,
  type OmissionNoticeOptions,
  type OmissionUnit,
  type OmissionWords,
  omissionNotice,
  textWithNotice,
} from './notice.ts'
export {
  type RetainedStream,
  type Retainer,
  type RetainStreamOptions,
  retainStream,
  type StreamEnd,
} from './retain-stream.ts'
export type { StreamSource, WebReader } from './stream-source.ts'
export type { TextCounts } from './tally.ts'
export {
  type CutText,
  type RetainedText,
  type TextAccount,
  type TextBudget,
  TextRetainer,
  type TextRetainerOptions,
  type WholeText,
} from './text-retainer.ts'
