import type { ToolResult } from '@pawl/core'
import type { StepRun } from './demo.ts'
import { oneLine, type Paint } from './terminal.ts'
import { overlap } from './timeline.ts'

/**
 * A row for each call of a step, with a bar for the time that it ran. Two columns stand for each begin and each end in the step,
 * so the bars show what came before what, and not how long it took.
 */
export function timetable({ results, spans }: StepRun, paint: Paint): string[] {
  const head = [' # call', 'outcome', 'before, beside, after →', '']
  const rows = results.map((result, index) => [
    `${String(index + 1).padStart(2)} ${oneLine(result.name)}`,
    result.isError ? oneLine(result.error.code) : 'ok',
    barOf(spans[index], result),
    aboutRun(spans, index),
  ])
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((cells) => cells[column]?.length ?? 0)))
  const line = (cells: string[], mark: (outcome: string) => string): string => {
    const [call = '', outcome = '', bar = '', run = ''] = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    return `  ${call}  ${mark(outcome)}  ${bar}  ${run}`.trimEnd()
  }
  return [
    line(head, paint.plain),
    ...rows.map((cells, index) => line(cells, results[index]?.isError ? paint.bad : paint.good)),
  ]
}

/** A body that was abandoned has no end to show: its bar fades. */
function barOf(span: StepRun['spans'][number], { trace }: ToolResult): string {
  if (span === undefined) return ''
  const columns = (span.ended - span.began + 1) * 2
  const end = trace.abandoned ? '░░' : '██'
  return ' '.repeat(span.began * 2) + end.padStart(columns, '█')
}

function aboutRun(spans: StepRun['spans'], index: number): string {
  const span = spans[index]
  if (span === undefined) return 'nothing ran'
  const beside = spans.flatMap((other, at) => (at !== index && other && overlap(span, other) ? [at + 1] : []))
  return `${beside.length === 0 ? 'alone' : `beside ${beside.join(', ')}`}, ${Math.round(span.ms)} ms`
}
