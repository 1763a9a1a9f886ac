import type { Startup } from './children.ts'
import type { Measurements } from './measure.ts'
import type { MemoryReport } from './memory.ts'

/** Everything that one run has found out. */
export interface Findings {
  readonly measurements: Measurements
  /** By contender. */
  readonly memory: ReadonlyMap<string, MemoryReport>
  readonly startup: Startup | undefined
}

/** A promise about speed or memory, and what became of it. */
export interface Target {
  readonly what: string
  readonly target: string
  /** `undefined`: not measured in this run. */
  readonly measured: string | undefined
  readonly met: boolean | undefined
}

/** Bytes for each call that a heap may differ by and nothing leaks: collections leave some of what is cached behind. */
const noise = 8

export function targetsOf({ measurements, memory, startup }: Findings): Target[] {
  const atMost = (what: string, ratio: number | undefined, most: number, unit: string): Target => ({
    what,
    target: `≤ ${most} ${unit}`,
    measured: ratio === undefined ? undefined : `${ratio.toFixed(2)} ${unit}`,
    met: ratio === undefined ? undefined : ratio <= most,
  })
  const overF1 = (what: string, workload: 'call' | 'batch' | 'sleep', id: string, most: number): Target =>
    atMost(what, measurements.ratio(workload, id, 'F1')?.median, most, '× F1')
  const faster = (peer: string, what: string, least: number): Target => {
    const ratio = measurements.ratio('call', peer, 'pawl')?.median
    return {
      what: `one call, beside ${what}`,
      target: `≥ ${least} × faster`,
      measured: ratio === undefined ? undefined : `${ratio.toFixed(1)} × faster`,
      met: ratio === undefined ? undefined : ratio >= least,
    }
  }
  const overJson = (what: string, workload: 'text' | 'rows'): Target =>
    atMost(what, measurements.ratio(workload, 'pawl', 'json')?.median, 1.5, '× a JSON round trip')
  return [
    overF1('one call, bare', 'call', 'pawl', 3.5),
    overF1('one call, 6 plugins that forward', 'call', 'pawl plugins', 5),
    overF1('one call, a 30 s timeout and a caller signal', 'call', 'pawl deadline', 6),
    atMost('the same, the tool reads its signal', measurements.ratio('call', 'pawl signal', 'F4')?.median, 1.6, '× F4'),
    faster('OpenAI Agents', "OpenAI Agents' `invokeFunctionTool`", 4),
    faster('MCP', 'an MCP client-server pair in memory', 7),
    faster('dsh-tools', 'dsh-tools', 50),
    overF1('a step of 100 parallel-safe calls', 'batch', 'pawl', 3),
    overF1('8 calls of 20 ms each', 'sleep', 'pawl', 1.08),
    atMost(
      'a step of 10,000 calls',
      measurements.growth('pawl', 'step 10,000', 'step 1,000')?.median,
      12,
      '× one of 1,000',
    ),
    overJson('1 MB of text', 'text'),
    overJson('a value of 20,000 rows', 'rows'),
    ...[...memory].map(([id, report]) => memoryTarget(id, report)),
    startupTarget(startup),
  ]
}

function memoryTarget(id: string, { calls, growth, listeners }: MemoryReport): Target {
  const bytes = growth / calls
  return {
    what: `${calls.toLocaleString('en')} calls on one signal, ${id}`,
    target: 'no listener left, no growth',
    measured: `${listeners} listeners, ${bytes.toFixed(1)} bytes for each call`,
    met: listeners === 0 && bytes < noise,
  }
}

function startupTarget(startup: Startup | undefined): Target {
  const what = 'import, and a runtime with 1,000 tools'
  const target = '≤ 1.5 × importing ajv + 20 ms'
  if (startup === undefined) return { what, target, measured: undefined, met: undefined }
  const { ajv, pawl } = startup
  return {
    what,
    target,
    measured: `${pawl.toFixed(0)} ms (ajv ${ajv.toFixed(0)} ms, so ${(1.5 * ajv + 20).toFixed(0)} ms)`,
    met: pawl <= 1.5 * ajv + 20,
  }
}
