import type { RetainedText } from './text-retainer.ts'

/** What can be counted. */
export type OmissionUnit = 'bytes' | 'characters' | 'lines' | 'items' | 'size'

/** Says in a sentence that something was left out. `count` is above 0. */
export type OmissionWords<Unit extends OmissionUnit = OmissionUnit> = (count: number, unit: Unit) => string

/** What `omissionNotice` takes. */
export interface OmissionNoticeOptions<Unit extends OmissionUnit> {
  /** What a reader can do about it, in a sentence. **Default:** nothing is said. */
  readonly hint?: string
  /** **Default:** English, `1,500 lines left out.` */
  readonly words?: OmissionWords<Unit>
}

const english: OmissionWords = (count, unit) => {
  const noun = count === 1 && unit !== 'size' ? unit.slice(0, -1) : unit
  return unit === 'size' ? `Left out: a size of ${number(count)}.` : `${number(count)} ${noun} left out.`
}

/**
 * What was left out, in words: `1,500 lines left out.`; `''` if nothing was.
 * @param omitted the `omitted` of a result
 * @param unit which of its counts to tell
 * @param words says it in other words
 */
export function describeOmitted<Unit extends OmissionUnit>(
  omitted: { readonly [U in Unit]: number },
  unit: Unit,
  words: OmissionWords<Unit> = english,
): string {
  const count = omitted[unit]
  return count === 0 ? '' : words(count, unit)
}

/**
 * A notice for the reader of a cut text: what was left out, and what can be done about it, with a space between them. `''` if
 * nothing was left out.
 */
export function omissionNotice<Unit extends OmissionUnit>(
  omitted: { readonly [U in Unit]: number },
  unit: Unit,
  { hint = '', words = english }: OmissionNoticeOptions<Unit> = {},
): string {
  const sentence = describeOmitted(omitted, unit, words)
  return sentence === '' || hint === '' ? sentence : `${sentence} ${hint}`
}

/** The text that was kept, with the notice on a line of its own where something is missing. A whole text stays as it is. */
export function textWithNotice(retained: RetainedText, notice: string): string {
  if (!retained.truncated) return retained.text
  return [retained.head, notice, retained.tail].filter((part) => part !== '').reduce(onNewLine, '')
}

function onNewLine(text: string, part: string): string {
  return text === '' || text.endsWith('\n') ? text + part : `${text}\n${part}`
}

function number(count: number): string {
  return count.toLocaleString('en-US')
}
