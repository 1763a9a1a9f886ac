import { omissionNotice, TextRetainer, textWithNotice } from '@pawl/retention'
import type { SpillPreview } from './options.ts'

/** A cut text with its notice. */
export interface Preview {
  readonly text: string
  /** How many of its bytes are not in it. */
  readonly omittedBytes: number
}

/** A text, and how it may be shown. */
export interface Cut {
  readonly text: string
  /** Its size in UTF-8, which is more than `budget`. */
  readonly bytes: number
  /** Bytes of text and notice together. */
  readonly budget: number
  readonly preview: SpillPreview
}

/** A line break at either side of the notice. */
const lineBreaks = 2

/**
 * What is kept of a text, and the notice with the exact number of bytes that are not. `undefined` where the notice alone is over
 * the budget.
 * @param rest says in a sentence where the rest is
 */
export function previewOf({ text, bytes, budget, preview }: Cut, rest: string): Preview | undefined {
  const notice = (omitted: number): string => {
    const words = (count: number): string => `(${number(count)} of ${number(bytes)} bytes left out.`
    return omissionNotice({ bytes: omitted }, 'bytes', { words, hint: `${rest})` })
  }
  // No number of bytes that are left out is longer than that of all.
  const reserved = Buffer.byteLength(notice(bytes))
  if (reserved > budget) return undefined
  const room = Math.max(0, budget - reserved - lineBreaks)
  const { head, tail } = sides(preview, room)
  const retainer = new TextRetainer({ head: { bytes: head }, tail: { bytes: tail } })
  // Neither side reaches further: each UTF-16 unit has a byte at least. The rest of a long text is passed over.
  retainer.push(text.slice(0, head + 1))
  retainer.push(text.slice(-tail - 1))
  const retained = retainer.finish()
  const omittedBytes = bytes - retained.kept.bytes
  return { text: textWithNotice(retained, notice(omittedBytes)), omittedBytes }
}

function sides(preview: SpillPreview, room: number): { readonly head: number; readonly tail: number } {
  if (preview === 'head') return { head: room, tail: 0 }
  if (preview === 'tail') return { head: 0, tail: room }
  return { head: Math.ceil(room / 2), tail: Math.floor(room / 2) }
}

function number(count: number): string {
  return count.toLocaleString('en-US')
}
