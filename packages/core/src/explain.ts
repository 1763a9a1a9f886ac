import type { Host } from './host.ts'
import type { BrokenOrder } from './order.ts'
import type { Plugin } from './plugin.ts'

/** The composed pipeline as data: what `explain({ format: 'json' })` gives. */
export interface Explanation {
  /** The layers of each stage in the order in which they run; `tools/execute` outermost first. */
  readonly stages: readonly { readonly stage: string; readonly layers: readonly string[] }[]
  readonly plugins: readonly { readonly name: string; readonly role?: string; readonly failure?: string }[]
  readonly guards: readonly string[]
  readonly brokenOrder: readonly BrokenOrder[]
  readonly tools: readonly {
    readonly name: string
    /** ms. */
    readonly timeoutMs?: number
    readonly problems: readonly string[]
  }[]
  readonly maxParallelToolCalls: number
}

/** `explain()` prints what really runs: it reads the very lists that the stages walk (ONI-3). */
export function explanationOf({ plugins, guards, registry, options, approver, journal }: Host): Explanation {
  const { layers, broken } = plugins
  const hasTimeout = layers.plugins.some(({ role }) => role === 'timeout')
  const names = (listed: readonly Plugin[]): string[] => listed.map(({ name }) => name)
  return {
    stages: [
      { stage: 'tool/call', layers: journal === undefined ? [] : ['journal'] },
      { stage: 'tools/pre-execute', layers: names(layers.preExecute) },
      { stage: 'guards', layers: guards.list.map(({ by }) => by) },
      { stage: 'ask', layers: approver === undefined ? [] : ['approver'] },
      { stage: 'tools/execute', layers: names(layers.execute) },
      { stage: 'tools/post-execute', layers: names(layers.postExecute) },
      { stage: 'tools/result', layers: names(layers.onResult) },
    ],
    plugins: layers.plugins.map(({ name, role, failure }) => ({
      name,
      ...(role && { role }),
      ...(failure && { failure }),
    })),
    guards: guards.list.map(({ by }) => by),
    brokenOrder: broken,
    tools: registry.all().map(({ info: { name, timeoutMs }, problems }) => ({
      name,
      ...(timeoutMs && { timeoutMs }),
      problems: timeoutMs === undefined || hasTimeout ? problems : [...problems, unenforced(timeoutMs)],
    })),
    maxParallelToolCalls: options.maxParallelToolCalls,
  }
}

function unenforced(timeoutMs: number): string {
  return `its timeoutMs of ${timeoutMs} binds nobody, since no plugin of role timeout is set up`
}

/** For a terminal. */
export function asText({ stages, plugins, brokenOrder, tools, maxParallelToolCalls }: Explanation): string {
  const of = (wanted: string): readonly string[] => stages.find(({ stage }) => stage === wanted)?.layers ?? []
  const roles = new Map(plugins.map(({ name, role }) => [name, role]))
  const named = (name: string): string => {
    const role = roles.get(name)
    return role === undefined || role === name ? name : `${name} (${role})`
  }
  const chain = (layers: readonly string[]): string => (layers.length === 0 ? '-' : layers.map(named).join(' → '))
  const execute = of('tools/execute')
  const nested = execute.map((name, depth) => `${'  '.repeat(depth + 2)}└ ${named(name)}`)
  const lines = [
    `tool/call             ${of('tool/call').length === 0 ? 'no journal' : 'journalled before anything runs'}`,
    `  admit               ${tools.length} tool${tools.length === 1 ? '' : 's'}; name and arguments checked`,
    `tools/pre-execute     ${chain(of('tools/pre-execute'))}`,
    `  guards              ${chain(of('guards'))}`,
    `  ask                 ${of('ask').length === 0 ? 'nobody: ask means no' : 'the approver, one question at a time'}`,
    `tools/execute         ${execute.length === 0 ? 'no wrappers' : 'outermost first'}; up to ${maxParallelToolCalls} bodies at once`,
    ...nested,
    `${'  '.repeat(execute.length + 2)}└ execute()`,
    'projectContent        once per call',
    `tools/post-execute    ${chain(of('tools/post-execute'))}`,
    "finalizeContent       the tool's own",
    `tools/result          ${chain(of('tools/result'))}`,
  ]
  const broken = brokenOrder.map(({ message }) => `! unsafe order: ${message}`)
  const problems = tools.flatMap(({ name, problems }) => problems.map((problem) => `! ${name}: ${problem}`))
  return [...lines, ...broken, ...problems].join('\n')
}

/** For a page: a Mermaid flowchart. */
export function asMermaid({ stages }: Explanation): string {
  const steps = stages.flatMap(({ stage, layers }) => {
    const inner = layers.map((layer) => `${stage}: ${layer}`)
    return stage === 'tool/call' ? [...inner, 'admit'] : inner
  })
  const at = steps.findIndex((step) => step.startsWith('tools/post-execute') || step.startsWith('tools/result'))
  const all = at === -1 ? [...steps, 'execute()'] : [...steps.slice(0, at), 'execute()', ...steps.slice(at)]
  const nodes = all.map((step, n) => `  s${n}["${step.replaceAll('"', '#quot;')}"]`)
  const arrows = all.slice(1).map((_, n) => `  s${n} --> s${n + 1}`)
  return ['flowchart TD', ...nodes, ...arrows].join('\n')
}
