import { type Workload, workloads } from './contender.ts'
import type { Measurements } from './measure.ts'
import type { Quartiles } from './statistics.ts'
import type { Target } from './targets.ts'

/** The facts about a run that no number tells. */
export interface Circumstances {
  readonly date: string
  readonly command: string
  readonly node: string
  readonly cores: number
  readonly minutes: number
  /** Packages and their versions, pawl's own left out. */
  readonly versions: ReadonlyMap<string, string>
}

const titles: { readonly [W in Workload]: string } = {
  call: 'One call',
  batch: 'A step of 100 calls that give the turn back once',
  sleep: 'A step of 8 calls of 20 ms',
  text: '1 MB of text',
  rows: 'A value of 20,000 rows',
  'step 1,000': 'A step of 1,000 calls',
  'step 10,000': 'A step of 10,000 calls',
}

/** The report in Markdown. */
export function reportOf(targets: readonly Target[], measurements: Measurements, about: Circumstances): string {
  return [
    `${about.date}, Node ${about.node}, ${about.cores} cores, ${about.minutes.toFixed(1)} min. \`${about.command}\``,
    'Absolute times belong to this machine and moment; read the ratios.',
    '## Targets',
    targetTable(targets),
    ...workloads.flatMap((workload) => section(workload, measurements)),
    ...failures(measurements),
    '## Versions',
    [...about.versions].map(([name, version]) => `- ${name} ${version}`).join('\n'),
  ].join('\n\n')
}

export function targetTable(targets: readonly Target[]): string {
  const verdict = (met: boolean | undefined): string => (met === undefined ? '–' : met ? 'yes' : '**no**')
  const rows = targets.map(({ what, target, measured = 'not measured', met }) => [what, target, measured, verdict(met)])
  return table(['what', 'target', 'measured', 'met'], rows)
}

function section(workload: Workload, measurements: Measurements): string[] {
  const measured = measurements.of(workload)
  if (measured.size === 0) return []
  const reference = workload === 'text' || workload === 'rows' ? 'json' : 'F1'
  const rows = [...measured].map(([id, { label }]) => [
    label,
    time(measurements.ns(workload, id)),
    ratio(measurements.ratio(workload, id, reference)),
  ])
  return [`## ${titles[workload]}`, table(['contender', 'median', `÷ ${reference} (quartiles)`], rows)]
}

function failures({ failed }: Measurements): string[] {
  if (failed.size === 0) return []
  return ['## Left out', [...failed].map(([id, why]) => `- ${id}: ${why}`).join('\n')]
}

function time(ns: number | undefined): string {
  if (ns === undefined) return '–'
  if (ns < 1e5) return `${ns.toFixed(0)} ns`
  return ns < 1e6 ? `${(ns / 1e3).toFixed(0)} µs` : `${(ns / 1e6).toFixed(2)} ms`
}

function ratio(quartiles: Quartiles | undefined): string {
  if (quartiles === undefined) return '–'
  const show = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))
  return `${show(quartiles.median)} × (${show(quartiles.low)}–${show(quartiles.high)})`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
