import { type RetainedText, TextRetainer, type TextRetainerOptions } from '../../src/index.ts'

/** Pushes the chunks and finishes. */
export function retain(options: TextRetainerOptions, ...chunks: readonly (string | Uint8Array)[]): RetainedText {
  const retainer = new TextRetainer(options)
  for (const chunk of chunks) retainer.push(chunk)
  return retainer.finish()
}

/** All text that was kept, without a word about what is missing. */
export function keptText(retained: RetainedText): string {
  return retained.truncated ? retained.head + retained.tail : retained.text
}
