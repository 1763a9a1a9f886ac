import { ConfigError } from './errors.ts'
import type { Journal } from './journal.ts'
import { defaultLimits, type Limits } from './json.ts'
import type { Approver, Guard, Logger, Plugin } from './plugin.ts'
import { isDelay, longestDelayMs, refuseUnknownMembers } from './take-in.ts'
import type { AnyTool } from './tool.ts'

/** What `createToolRuntime` takes. */
export interface ToolRuntimeOptions {
  readonly tools?: readonly AnyTool[]
  /** The onion, outermost first, for every stage. */
  readonly plugins?: readonly Plugin[]
  readonly guards?: readonly Guard[]
  /** Where calls are written down before they run. **Default:** nowhere, since nobody could read it; see `memoryJournal`. */
  readonly journal?: Journal
  /** Who is asked where a plugin says `ask`. **Default:** nobody, which is a no. */
  readonly approver?: Approver
  /** **Default:** silence; what it would be told stands in traces and `explain()` too, as far as it belongs there. */
  readonly logger?: Logger
  /** How many bodies of one step may run at once; 1 is serial. **Default:** 10. */
  readonly maxParallelToolCalls?: number
  /** How long a body may go on after an abort before it is given up on, ms. **Default:** 5,000. */
  readonly abortGraceMs?: number
  /** How long a plugin's stage or an append of the journal may keep a call waiting, ms. **Default:** 30,000. */
  readonly stageTimeoutMs?: number
  /** How long an approver may take once asked, ms. **Default:** as long as it likes. */
  readonly approvalTimeoutMs?: number
  /** Fill in the defaults of the parameter schemas. **Default:** `false`, what the model did not say is not invented. */
  readonly applyDefaults?: boolean
  /** What arguments and values may measure: nesting, nodes, UTF-8 bytes. **Default:** 100, 1,000,000, 64 MiB. */
  readonly limits?: Partial<Limits>
  /** `timings` adds the ms of each stage to every trace. */
  readonly trace?: 'timings'
  /** Build the runtime even if the order of `plugins` breaks what a plugin states; `explain()` shows it. **Default:** `false`. */
  readonly unsafeOrder?: boolean
}

/** The options with their defaults. */
export interface ResolvedOptions {
  readonly maxParallelToolCalls: number
  readonly abortGraceMs: number
  readonly stageTimeoutMs: number
  readonly approvalTimeoutMs: number | undefined
  readonly applyDefaults: boolean
  readonly limits: Limits
  readonly timings: boolean
  readonly unsafeOrder: boolean
}

const members = [
  'tools',
  'plugins',
  'guards',
  'journal',
  'approver',
  'logger',
  'maxParallelToolCalls',
  'abortGraceMs',
  'stageTimeoutMs',
  'approvalTimeoutMs',
  'applyDefaults',
  'limits',
  'trace',
  'unsafeOrder',
]

/** Values and schemas are walked by recursion, here and in JSON.stringify; deeper than this a stack might not do. */
const deepest = 1_000

/** @throws ConfigError naming the option, what it has to be and what it is */
export function resolveOptions(options: ToolRuntimeOptions): ResolvedOptions {
  if (options === null || typeof options !== 'object' || Array.isArray(options))
    throw new ConfigError('[pawl] createToolRuntime takes an object of options.')
  refuseUnknownMembers(options, members, 'the options of createToolRuntime')
  const {
    maxParallelToolCalls = 10,
    abortGraceMs = 5_000,
    stageTimeoutMs = 30_000,
    approvalTimeoutMs,
    applyDefaults = false,
  } = options
  const { limits = {}, trace, unsafeOrder = false } = options
  need(
    Number.isInteger(maxParallelToolCalls) && maxParallelToolCalls >= 1,
    'maxParallelToolCalls',
    'a whole number from 1 on; 1 runs one body at a time',
    maxParallelToolCalls,
  )
  const delay = `a number of ms above 0 and up to ${longestDelayMs}`
  need(abortGraceMs === 0 || isDelay(abortGraceMs), 'abortGraceMs', `0, or ${delay}`, abortGraceMs)
  need(isDelay(stageTimeoutMs), 'stageTimeoutMs', delay, stageTimeoutMs)
  need(
    approvalTimeoutMs === undefined || isDelay(approvalTimeoutMs),
    'approvalTimeoutMs',
    `${delay}, or left out to wait as long as it takes`,
    approvalTimeoutMs,
  )
  for (const [seam, method] of [
    ['journal', 'append'],
    ['approver', 'request'],
    ['logger', 'warn'],
  ] as const) {
    const given = options[seam] as { readonly [member: string]: unknown } | undefined
    const fits = given === undefined || (typeof given === 'object' && typeof given?.[method] === 'function')
    need(fits, seam, `an object with a method \`${method}\``, given)
  }
  for (const list of ['tools', 'plugins', 'guards'] as const) {
    const given = options[list]
    need(given === undefined || Array.isArray(given), list, 'an array', given)
  }
  need(trace === undefined || trace === 'timings', 'trace', '"timings", or left out', trace)
  for (const [option, value] of Object.entries({ applyDefaults, unsafeOrder }))
    need(typeof value === 'boolean', option, 'true or false', value)
  return {
    maxParallelToolCalls,
    abortGraceMs,
    stageTimeoutMs,
    approvalTimeoutMs,
    applyDefaults,
    limits: resolveLimits(limits),
    timings: trace === 'timings',
    unsafeOrder,
  }
}

function resolveLimits(given: Partial<Limits>): Limits {
  need(typeof given === 'object' && given !== null, 'limits', 'an object of limits', given)
  refuseUnknownMembers(given, Object.keys(defaultLimits), '`limits`')
  const limits = { ...defaultLimits, ...given }
  for (const [limit, value] of Object.entries(limits))
    need(Number.isInteger(value) && Number(value) >= 1, `limits.${limit}`, 'a whole number from 1 on', value)
  need(
    limits.depth <= deepest,
    'limits.depth',
    `${deepest} at most: deeper values can not be walked safely`,
    limits.depth,
  )
  return Object.freeze(limits)
}

function need(holds: boolean, option: string, what: string, value: unknown): void {
  if (!holds) throw new ConfigError(`[pawl] \`${option}\` has to be ${what}; it is ${shown(value)}.`)
}

/** A value in words, whatever it is: the members of an object are not touched. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80))
  if (value instanceof Promise) return 'a promise; await it'
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}
