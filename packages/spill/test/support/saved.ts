import * as fc from 'fast-check'
import { memorySpillStore, type SpillReader } from '../../src/index.ts'

/** A text in a store, and what it takes to read it. */
export interface Saved {
  readonly reader: SpillReader
  readonly place: { readonly session: string; readonly locator: string }
  readonly text: string
  readonly bytes: Buffer
}

export async function saved(text: string): Promise<Saved> {
  const reader = memorySpillStore()
  const { locator } = await reader.saveText({ session: 'a', text })
  return { reader, place: { session: 'a', locator }, text, bytes: Buffer.from(text) }
}

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('\n', '\r\n', '\0', '\ufeff', '\u{1f600}', 'é', '漢', 'ab', 'abc') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
)

/** Well-formed texts of many short lines and characters of every width. */
export const texts: fc.Arbitrary<string> = fc
  .array(piece, { maxLength: 40, size: 'max' })
  .map((pieces) => pieces.join('').toWellFormed())

/** Such a text across the border between two pieces of a megabyte, which is what a scan reads at a time. */
export const acrossPieces: fc.Arbitrary<string> = fc
  .tuple(texts, fc.integer({ min: 0, max: 300 }), fc.constantFrom('x', `${'ab'.repeat(31)}\r\n`))
  .map(([text, before, filler]) => filler.repeat(1_048_576 / filler.length).slice(before) + text + text)

/** The lines of a text, line ends included. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}
