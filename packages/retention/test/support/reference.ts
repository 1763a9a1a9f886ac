import type { RetainedText, TextBudget, TextCounts, TextRetainerOptions } from '../../src/index.ts'

/** One code point of the decoded input, and the bytes that it was decoded from. */
interface Cell {
  readonly text: string
  readonly bytes: number
  /** Which line it stands in. */
  readonly line: number
}

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

/** What a retainer has to give, with the whole input in memory and every possible cut tried. */
export function reference(input: string | Uint8Array, { head, tail, cut }: TextRetainerOptions): RetainedText {
  const cells = cellsOf(typeof input === 'string' ? new TextEncoder().encode(input) : input)
  const text = textOf(cells)
  const seen = count(cells)
  const none: TextCounts = { bytes: 0, characters: 0, lines: 0 }
  if (within(seen, sum(head, tail))) return { truncated: false, text, seen, kept: seen, omitted: none }

  const places = allowedCuts(cells, cut)
  const headEnd = head === undefined ? 0 : (places.findLast((at) => within(count(cells.slice(0, at)), head)) ?? 0)
  const tailStart =
    tail === undefined
      ? cells.length
      : (places.find((at) => at >= headEnd && within(count(cells.slice(at)), tail)) ?? cells.length)
  const missing = cells.slice(headEnd, tailStart)
  const torn = new Set(missing.map(({ line }) => line))
  const keptCells = [...cells.slice(0, headEnd), ...cells.slice(tailStart)]
  const wholeLines = new Set(keptCells.map(({ line }) => line).filter((line) => !torn.has(line)))
  return {
    truncated: true,
    head: textOf(cells.slice(0, headEnd)),
    tail: textOf(cells.slice(tailStart)),
    seen,
    kept: { ...count(keptCells), lines: wholeLines.size },
    omitted: { ...count(missing), lines: torn.size },
  }
}

/** A cut stands between two characters exactly if both sides decode to what the whole decodes to. */
function cellsOf(bytes: Uint8Array): Cell[] {
  const whole = decode(bytes)
  const cells: Cell[] = []
  let start = 0
  let line = 0
  for (let end = 1; end <= bytes.length; end++) {
    if (decode(bytes.subarray(0, end)) + decode(bytes.subarray(end)) !== whole) continue
    const text = decode(bytes.subarray(start, end))
    cells.push({ text, bytes: end - start, line })
    if (text === '\n') line++
    start = end
  }
  return cells
}

function allowedCuts(cells: readonly Cell[], cut: TextRetainerOptions['cut']): number[] {
  const all = Array.from({ length: cells.length + 1 }, (_, at) => at)
  if (cut !== 'graphemes') return all
  const segments = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(textOf(cells))]
  const starts = new Set(segments.map(({ index }) => index))
  return all.filter((at) => at === cells.length || starts.has(textOf(cells.slice(0, at)).length))
}

function count(cells: readonly Cell[]): TextCounts {
  return {
    bytes: cells.reduce((total, { bytes }) => total + bytes, 0),
    characters: cells.length,
    lines: new Set(cells.map(({ line }) => line)).size,
  }
}

function textOf(cells: readonly Cell[]): string {
  return cells.map(({ text }) => text).join('')
}

const units = ['bytes', 'characters', 'lines'] as const

function within(counts: TextCounts, budget: TextBudget): boolean {
  return units.every((unit) => counts[unit] <= (budget[unit] ?? Number.POSITIVE_INFINITY))
}

function sum(head: TextBudget | undefined, tail: TextBudget | undefined): TextBudget {
  const named = units.filter((unit) => (head ?? tail)?.[unit] !== undefined)
  return Object.fromEntries(named.map((unit) => [unit, (head?.[unit] ?? 0) + (tail?.[unit] ?? 0)]))
}
