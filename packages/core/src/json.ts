import { types } from 'node:util'
import { disown } from './maybe.ts'
import { describeThrown } from './thrown.ts'

/** Any JSON value, as it stands in arguments, values, details and the journal: always deep-frozen. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json }

type Members = { readonly [member: string]: unknown }

/** What a value may measure. Beyond it comes a clear failure, never a stack overflow or a hang (VAL-4). */
export interface Limits {
  /** Levels of arrays and objects. */
  readonly depth: number
  /** Values of every kind, members of members included; a shared reference counts each time. */
  readonly nodes: number
  /** UTF-8 bytes of all texts and member names. */
  readonly bytes: number
}

/** 100 levels, 1,000,000 nodes, 64 MiB. */
export const defaultLimits: Limits = Object.freeze({ depth: 100, nodes: 1_000_000, bytes: 64 * 1024 * 1024 })

/** Why a value is not JSON, and where: `path` is `$.rows[3].when`. */
export class ValueRefused extends Error {
  override readonly name = 'ValueRefused'
  readonly path: string
  readonly reason: string

  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`)
    this.path = path
    this.reason = reason
  }
}

/**
 * Copies, checks and freezes a value in one walk that reads each property once: what it gave is the value (VAL-7). An
 * `undefined` member counts as absent, any other `undefined` as null, −0 as 0; bytes become base64 text; symbol keys and members
 * that are not enumerable do not count. The value handed in is neither frozen, changed nor kept. `toJSON` is not called.
 *
 * @throws ValueRefused naming the member and the way out, and nothing else
 */
export function snapshot(value: unknown, limits: Limits): Json {
  if (typeof value === 'string' && value.length * 3 <= limits.bytes && limits.nodes > 0) return value
  // A getter or a proxy may start another walk inside this one, which then puts the counters back.
  const outerNodes = nodes
  const outerUnits = units
  const outerGuarded = guarded
  nodes = units = 0
  guarded = isPolluted()
  try {
    const copy = copyOf(value, 0, limits)
    if (units * 3 > limits.bytes) checkBytes(copy, limits)
    return copy
  } catch (thrown) {
    throw explained(refusalOf(thrown))
  } finally {
    nodes = outerNodes
    units = outerUnits
    guarded = outerGuarded
  }
}

/** Whether a JSON value is an object, not an array and not null. */
export function isJsonObject(value: unknown): value is { readonly [member: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Exact UTF-8 bytes, a lone surrogate as three. Only for texts that come near the limit: a UTF-16 code unit takes one to three
 * bytes, so that most values are known to fit from the lengths alone.
 */
function checkBytes(value: Json, limits: Limits): void {
  let bytes = 0
  const pending: Json[] = [value]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') bytes += Buffer.byteLength(next)
    else if (Array.isArray(next)) for (const item of next) pending.push(item)
    else if (isJsonObject(next)) {
      for (const member of Object.keys(next)) {
        bytes += Buffer.byteLength(member)
        pending.push(next[member] as Json)
      }
    }
    if (bytes > limits.bytes) throw new Refusal(tooBig(limits))
  }
}

/** What a walk has seen so far: values, and UTF-16 code units of texts and names, which are at most as many as UTF-8 bytes. */
let nodes = 0
let units = 0
/** Whether `for … in` over a plain object gives more than its own members, because somebody added to `Object.prototype`. */
let guarded = false

/** Thrown from deep inside a walk; on the way out it collects where it was, so that a walk that succeeds keeps no path. */
class Refusal {
  readonly reason: string
  readonly trail: { readonly of: object; readonly key: string | number }[] = []

  constructor(reason: string) {
    this.reason = reason
  }
}

function copyOf(value: unknown, depth: number, limits: Limits): Json {
  if (++nodes > limits.nodes) throw new Refusal(tooMany(limits))
  if (typeof value === 'string') {
    units += value.length
    if (units > limits.bytes) throw new Refusal(tooBig(limits))
    return value
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Refusal(refusal(value))
    return value === 0 ? 0 : value
  }
  if (typeof value === 'boolean' || value === null) return value
  if (value === undefined) return null
  if (typeof value !== 'object') throw new Refusal(refusal(value))
  if (depth >= limits.depth) throw new Refusal(`it is nested deeper than ${limits.depth} levels`)
  if (Array.isArray(value)) return arrayOf(value, depth + 1, limits)
  const prototype: object | null = Object.getPrototypeOf(value)
  if (prototype === Object.prototype) return objectOf(value as Members, depth + 1, limits, guarded)
  if (prototype === null) return objectOf(value as Members, depth + 1, limits, false)
  return isObjectPrototype(prototype)
    ? objectOf(value as Members, depth + 1, limits, true)
    : bytesOf(value, prototype, limits)
}

function arrayOf(value: readonly unknown[], depth: number, limits: Limits): Json {
  const { length } = value
  // Known before an item is read, so that a long array with holes or a proxy that lies costs nothing.
  if (length >>> 0 !== length || length > limits.nodes - nodes) throw new Refusal(tooMany(limits))
  const copied = new Array<Json>(length)
  let index = 0
  try {
    for (; index < length; index++) {
      const item = value[index]
      if (item === undefined && !Object.hasOwn(value, index))
        throw new Refusal('an array with holes; fill them with null')
      copied[index] = copyOf(item, depth, limits)
    }
  } catch (thrown) {
    throw steppedOut(thrown, value, index)
  }
  return Object.freeze(copied)
}

/** `for … in` takes half the time of `Object.keys`; `isGuarded` where it would give inherited members too. */
function objectOf(value: Members, depth: number, limits: Limits, isGuarded: boolean): Json {
  const copied: { [member: string]: Json } = {}
  let reading: string | undefined
  try {
    for (const member in value) {
      if (isGuarded && !Object.hasOwn(value, member)) continue
      reading = member
      const item = value[member]
      if (item !== undefined) {
        units += member.length
        const copy = copyOf(item, depth, limits)
        if (member === '__proto__') define(copied, member, copy)
        else copied[member] = copy
      }
      // What throws between two members is the listing of a proxy, and no member's fault.
      reading = undefined
    }
  } catch (thrown) {
    throw reading === undefined ? refusalOf(thrown) : steppedOut(thrown, value, reading)
  }
  return Object.freeze(copied)
}

function bytesOf(value: object, prototype: object, limits: Limits): Json {
  const bytes = ArrayBuffer.isView(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : types.isAnyArrayBuffer(value)
      ? Buffer.from(value)
      : undefined
  if (bytes === undefined) disown(value)
  if (bytes === undefined) throw new Refusal(instance(prototype, types.isNativeError(value) || value instanceof Error))
  units += Math.ceil(bytes.length / 3) * 4
  if (units > limits.bytes) throw new Refusal(tooBig(limits))
  return bytes.toString('base64')
}

function refusalOf(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown
  // No regular expression: compiling one so near the end of the stack would throw in turn.
  if (thrown instanceof RangeError && thrown.message.includes('call stack')) {
    return new Refusal('it is nested too deeply for this stack')
  }
  const said = describeThrown(thrown).message
  return new Refusal(`reading it threw (${said.slice(0, 160).toWellFormed()}); give plain data`)
}

function steppedOut(thrown: unknown, of: object, key: string | number): Refusal {
  const refused = refusalOf(thrown)
  refused.trail.push({ of, key })
  return refused
}

function explained({ reason, trail }: Refusal): ValueRefused {
  const seen = new Set<object>()
  const fromRoot = trail.toReversed()
  const cycle = fromRoot.findIndex(({ of }) => seen.size === seen.add(of).size)
  const keys = (cycle === -1 ? fromRoot : fromRoot.slice(0, cycle)).map(({ key }) => key)
  return new ValueRefused(pathOf(keys), cycle === -1 ? reason : 'it contains itself; a cycle can not be JSON')
}

function pathOf(keys: readonly (string | number)[]): string {
  const steps = keys.map((key) => {
    if (typeof key === 'number') return `[${key}]`
    return /^[A-Za-z_$][\w$]*$/.test(key) && key.length <= 80
      ? `.${key}`
      : `[${JSON.stringify(key.slice(0, 80).toWellFormed())}]`
  })
  const path = `$${steps.join('')}`
  return path.length <= 600 || steps.length <= 6 ? path : `$${steps.slice(0, 3).join('')} … ${steps.slice(-3).join('')}`
}

function isPolluted(): boolean {
  for (const _ in Object.prototype) return true
  return false
}

/** Whether it is the `Object.prototype` of another realm: an object below it loses nothing that a class would have given. */
function isObjectPrototype(prototype: object): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf')
}

function define(target: object, member: string, value: Json): void {
  Object.defineProperty(target, member, { value, enumerable: true, configurable: true, writable: true })
}

function tooBig({ bytes }: Limits): string {
  return `its text is longer than ${bytes} UTF-8 bytes`
}

function tooMany({ nodes }: Limits): string {
  return `it has more than ${nodes} values`
}

const wayOut: ReadonlyMap<string, string> = new Map([
  ['Date', 'a Date; use its toISOString()'],
  ['Map', 'a Map; use Object.fromEntries(map)'],
  ['Set', 'a Set; use [...set]'],
  ['URL', 'a URL; use its href'],
  ['RegExp', 'a RegExp; use its source'],
  ['Promise', 'a Promise; await it'],
])

/** Why a primitive or a function can not be JSON. */
function refusal(value: unknown): string {
  if (typeof value === 'bigint') return 'a bigint; use String(value)'
  if (typeof value === 'number') return `${value} is no JSON number; use null or a text`
  return typeof value === 'symbol' ? 'a symbol; use its description' : 'a function; call it or leave it out'
}

/** Why an object of a class can not be JSON. The class is asked, not the object, whose properties are data. */
function instance(prototype: object, isError: boolean): string {
  const kind = classOf(prototype)
  if (isError) return `${/^[AEIOU]/.test(kind) ? 'an' : 'a'} ${kind}; use its message`
  return wayOut.get(kind) ?? `an instance of ${kind}; give a plain object`
}

function classOf(prototype: object): string {
  try {
    const { name } = prototype.constructor
    return typeof name === 'string' && name !== '' ? name.slice(0, 80).toWellFormed() : 'a class'
  } catch {
    return 'a class'
  }
}
