import type { SpillStore } from '@pawl/spill'

/**
 * What is shown of a text that is over budget: its beginning, as suits a search, whose best matches come first; its end, as suits
 * a shell, whose last words say how it went; or half of the room for either.
 */
export type SpillPreview = 'head' | 'tail' | 'headTail'

/** What a result may hold of each kind, and what is shown of the rest. Sizes are bytes. */
export interface SpillBounds {
  /**
   * UTF-8 bytes of all texts of a result together, those of embedded resources included; from 256 on. Beyond it they are saved,
   * and what stands in their place, preview and notice, is no more than this. **Default:** 16,384.
   */
  readonly maxInlineBytes?: number
  /**
   * Bytes of all pictures, sound and embedded binary resources of a result together, decoded; from 0 on. Beyond it the largest are
   * saved one by one until the rest is within it. **Default:** 1,048,576 (1 MiB).
   */
  readonly maxBlobBytes?: number
  /** **Default:** `'headTail'`. */
  readonly preview?: SpillPreview
}

/** What `spill` takes. */
export interface SpillOptions extends SpillBounds {
  /** Where what is too large goes. It stays its owner's to close. `undefined`: nothing can be saved, which is warned of. */
  readonly store: SpillStore | undefined
  /** Other bounds by the tool's name; `false`: results of this tool are left alone. */
  readonly tools?: { readonly [name: string]: SpillBounds | false }
  /** How long a call waits for the store, ms, above 0 and up to 2³¹−1, whatever it has to save. **Default:** 10,000. */
  readonly saveTimeoutMs?: number
  /**
   * What becomes of what could not be saved: it stays as it is, or is cut all the same, and the notice says that the rest is lost.
   * **Default:** `'whole'`.
   */
  readonly ifUnsaved?: 'whole' | 'cut'
}

/** The bounds of one tool, with their defaults. */
export type Bounds = Required<SpillBounds>

/** The options with their defaults, as they were when the plugin was made. */
export interface Policy {
  readonly store: SpillStore | undefined
  readonly usual: Bounds
  readonly tools: ReadonlyMap<string, Bounds | false>
  readonly saveTimeoutMs: number
  readonly ifUnsaved: 'whole' | 'cut'
}

/** Room for a notice with the hint of a store: below it no preview could say where the rest is. */
const leastInlineBytes = 256
/** The longest delay that a timer of the platform carries, ms: 2³¹−1. Beyond it a timer would fire at once. */
export const longestMs = 2_147_483_647

const boundMembers = ['maxInlineBytes', 'maxBlobBytes', 'preview']
const members = ['store', ...boundMembers, 'tools', 'saveTimeoutMs', 'ifUnsaved']
const defaults: Bounds = { maxInlineBytes: 16_384, maxBlobBytes: 1_048_576, preview: 'headTail' }

/** @throws TypeError naming the option or tool, what it has to be and what it is */
export function readOptions(options: SpillOptions): Policy {
  need(isObject(options), 'what it takes', 'an object such as { store }', options)
  refuseUnknown(options, members, '')
  const { store, tools = {}, saveTimeoutMs = 10_000, ifUnsaved = 'whole' } = options
  if (!('store' in options))
    throw new TypeError('[pawl] spill: `store` is missing. Give a store, or write `store: undefined` for none.')
  need(isStore(store), '`store`', 'a store with `saveText`, or undefined for none', store)
  need(isObject(tools), '`tools`', 'an object of bounds by tool name', tools)
  need(isDelay(saveTimeoutMs), '`saveTimeoutMs`', `a number of ms above 0 and up to ${longestMs}`, saveTimeoutMs)
  need(ifUnsaved === 'whole' || ifUnsaved === 'cut', '`ifUnsaved`', "'whole' or 'cut'", ifUnsaved)
  const usual = readBounds(options, defaults, '')
  const byTool = Object.entries(tools).map(([name, bounds]) => [name, readTool(name, bounds, usual)] as const)
  return { store, usual, tools: new Map(byTool), saveTimeoutMs, ifUnsaved }
}

function readTool(name: string, bounds: SpillBounds | false, usual: Bounds): Bounds | false {
  if (bounds === false) return false
  const where = `tools[${JSON.stringify(name)}]`
  need(isObject(bounds), `\`${where}\``, 'bounds such as { preview: "tail" }, or false to leave it alone', bounds)
  refuseUnknown(bounds, boundMembers, `${where}.`)
  return readBounds(bounds, usual, `${where}.`)
}

function readBounds(bounds: SpillBounds, usual: Bounds, where: string): Bounds {
  const { maxInlineBytes = usual.maxInlineBytes, maxBlobBytes = usual.maxBlobBytes, preview = usual.preview } = bounds
  const bytesFrom = (least: number): string => `a whole number of bytes from ${least} on`
  need(
    isSize(maxInlineBytes, leastInlineBytes),
    `\`${where}maxInlineBytes\``,
    bytesFrom(leastInlineBytes),
    maxInlineBytes,
  )
  need(isSize(maxBlobBytes, 0), `\`${where}maxBlobBytes\``, bytesFrom(0), maxBlobBytes)
  need(['head', 'tail', 'headTail'].includes(preview), `\`${where}preview\``, "'head', 'tail' or 'headTail'", preview)
  return { maxInlineBytes, maxBlobBytes, preview }
}

function refuseUnknown(options: object, known: readonly string[], where: string): void {
  for (const member of Object.keys(options)) {
    if (!known.includes(member))
      throw new TypeError(`[pawl] spill: unknown option \`${where}${member}\`. Known are: ${known.join(', ')}.`)
  }
}

function isStore(store: unknown): boolean {
  return store === undefined || typeof (store as SpillStore | null)?.saveText === 'function'
}

function isSize(bytes: unknown, least: number): boolean {
  return Number.isSafeInteger(bytes) && (bytes as number) >= least
}

function isDelay(ms: unknown): boolean {
  return typeof ms === 'number' && ms > 0 && ms <= longestMs
}

/** A plain object: the entries of a `Map` would go unseen. */
function isObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const prototype: object | null = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function need(holds: boolean, what: string, toBe: string, given: unknown): void {
  if (!holds) throw new TypeError(`[pawl] spill: ${what} has to be ${toBe}. It is ${show(given)}.`)
}

function show(given: unknown): string {
  if (typeof given === 'string') return JSON.stringify(given)
  return typeof given === 'object' && given !== null ? 'an object' : String(given)
}
