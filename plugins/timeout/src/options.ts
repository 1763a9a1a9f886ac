/** What `timeout` takes. All times are milliseconds, above 0 and up to 2³¹−1: what a timer of the platform can hold. */
export interface TimeoutOptions {
  /** The budget of a tool that neither declares `timeoutMs` nor is named in `tools`. **Default:** none, it has no deadline. */
  readonly defaultMs?: number
  /** Budgets by the tool's name, ahead of its own `timeoutMs` and of `defaultMs`; `false`: no deadline for this tool. */
  readonly tools?: { readonly [name: string]: number | false }
  /**
   * How long a call waits, after its deadline, for what was told to stop; then it is abandoned. 0: no longer than the listeners
   * of its signal need. **Default:** 1,000.
   */
  readonly graceMs?: number
}

/** The options with their defaults, as they were when the plugin was made. */
export interface Budgets {
  readonly tools: ReadonlyMap<string, number | false>
  readonly defaultMs: number | undefined
  readonly graceMs: number
}

/** The longest delay that a timer of the platform carries, ms: 2³¹−1. Beyond it a timer would fire at once. */
const longestMs = 2_147_483_647
const delay = `a number of ms above 0 and up to ${longestMs}`
const members = ['defaultMs', 'tools', 'graceMs']

/** @throws TypeError naming the option or tool, what it has to be and what it is */
export function readOptions(options: TimeoutOptions): Budgets {
  need(isObject(options), 'what it takes', 'an object such as { defaultMs: 30_000 }', options)
  for (const member of Object.keys(options)) {
    if (!members.includes(member))
      throw new TypeError(`[pawl] timeout: unknown option \`${member}\`. Known are: ${members.join(', ')}.`)
  }
  const { defaultMs, tools = {}, graceMs = 1_000 } = options
  need(
    defaultMs === undefined || isDelay(defaultMs),
    '`defaultMs`',
    `${delay}; leave it out for no deadline`,
    defaultMs,
  )
  need(isObject(tools), '`tools`', 'an object of budgets by tool name', tools)
  const budgets = new Map(Object.entries(tools))
  for (const [name, ms] of budgets) {
    need(
      ms === undefined || ms === false || isDelay(ms),
      `\`tools[${JSON.stringify(name)}]\``,
      `${delay}, or false for no deadline`,
      ms,
    )
  }
  need(graceMs === 0 || isDelay(graceMs), '`graceMs`', `0, or ${delay}`, graceMs)
  return { tools: budgets, defaultMs, graceMs }
}

function isDelay(ms: unknown): ms is number {
  return typeof ms === 'number' && ms > 0 && ms <= longestMs
}

/** A plain object: the entries of a `Map` would go unseen. */
function isObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const prototype: object | null = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function need(holds: boolean, what: string, toBe: string, given: unknown): void {
  if (!holds) throw new TypeError(`[pawl] timeout: ${what} has to be ${toBe}. It is ${show(given)}.`)
}

function show(given: unknown): string {
  if (typeof given === 'string') return JSON.stringify(given)
  return typeof given === 'object' && given !== null ? 'an object' : String(given)
}
