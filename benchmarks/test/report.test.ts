import { expect, test } from 'vitest'
import { Measurements } from '../src/measure.ts'
import { reportOf, targetTable } from '../src/report.ts'
import { targetsOf } from '../src/targets.ts'

const about = {
  date: '2026-01-01',
  command: 'npm run bench',
  node: 'v20',
  cores: 2,
  minutes: 1,
  versions: new Map([['ajv', '8']]),
}

test('a target is met, missed or not measured, by the median of ratios inside the rounds', () => {
  const measurements = new Measurements()
  measurements.add('call', 'F1', 'F1', [100, 1_000])
  measurements.add('call', 'pawl', 'pawl, bare', [300, 3_000])
  measurements.add('call', 'pawl plugins', 'six', [600, 6_000])
  const targets = targetsOf({ measurements, memory: new Map(), startup: undefined })
  const of = (what: string) => targets.find((target) => target.what === what)
  expect(of('one call, bare')).toMatchObject({ measured: '3.00 × F1', met: true })
  expect(of('one call, 6 plugins that forward')).toMatchObject({ measured: '6.00 × F1', met: false })
  expect(of('a step of 100 parallel-safe calls')).toMatchObject({ measured: undefined, met: undefined })
  expect(targetTable(targets)).toContain('| one call, beside dsh-tools | ≥ 50 × faster | not measured | – |')
})

test('rounds of several generations count alike', () => {
  const measurements = new Measurements()
  for (const slow of [1, 3]) {
    measurements.add('call', 'F1', 'F1', [10])
    measurements.add('call', 'pawl', 'pawl', [slow * 10])
  }
  expect(measurements.ratio('call', 'pawl', 'F1')?.median).toBe(2)
})

test('what leaks is told, with the listeners that are left', () => {
  const memory = new Map([
    ['clean', { calls: 1_000, growth: 0, growthInFirstHalf: 0, listeners: 0 }],
    ['leaky', { calls: 1_000, growth: 935_000, growthInFirstHalf: 467_000, listeners: 3 }],
  ])
  const targets = targetsOf({ measurements: new Measurements(), memory, startup: { ajv: 40, pawl: 90 } })
  expect(targets.find(({ what }) => what.includes('clean'))?.met).toBe(true)
  const leaky = targets.find(({ what }) => what.includes('leaky'))
  expect(leaky).toMatchObject({ measured: '3 listeners, 935.0 bytes for each call', met: false })
  expect(targets.at(-1)).toMatchObject({ measured: '90 ms (ajv 40 ms, so 80 ms)', met: false })
})

test('a report names who was left out and why', () => {
  const measurements = new Measurements()
  measurements.failed.set('MCP', 'Cannot find package')
  expect(reportOf([], measurements, about)).toContain('## Left out\n\n- MCP: Cannot find package')
})
