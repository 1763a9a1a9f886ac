import { types } from 'node:util'

/** Any JSON value, as it stands in arguments, values, details and the journal: always deep-frozen. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json }

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
 * `undefined` member counts as absent, any other `undefined` as null, −0 as 0; bytes become base64 text. The value handed in is
 * neither frozen, changed nor kept. `toJSON` is not called.
 *
 * @throws ValueRefused naming the member and the way out
 */
export function snapshot(value: unknown, limits: Limits): Json {
  // A getter or a proxy may start another walk inside this one, which then puts the counters back.
  const [outerNodes, outerUnits] = [nodes, units]
  nodes = units = 0
  try {
    const copy = copyOf(value, 0, limits)
    if (units * 3 > limits.bytes) checkBytes(copy, limits)
    return copy
  } catch (thrown) {
    throw thrown instanceof ValueRefused ? thrown : explained(refusalOf(thrown))
  } finally {
    nodes = outerNodes
    units = outerUnits
  }
}

/** Whether a JSON value is an object, not an array and not null. */
export function isJsonObject(value: unknown): value is { readonly [member: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Exact, and only for texts that come near the limit: a code unit takes one to three bytes. */
function checkBytes(value: Json, limits: Limits): void {
  let bytes = 0
  const pending: Json[] = [value]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') bytes += Buffer.byteLength(next)
    else if (Array.isArray(next)) pending.push(...next)
    else if (isJsonObject(next)) {
      for (const member of Object.keys(next)) {
        bytes += Buffer.byteLength(member)
        pending.push(next[member] as Json)
      }
    }
    if (bytes > limits.bytes) throw new ValueRefused('$', tooBig(limits))
  }
}

/** What a walk has seen so far: values, and UTF-16 code units of texts and names, which are at most as many as UTF-8 bytes. */
let nodes = 0
let units = 0

/** Thrown from deep inside a walk; on the way out it collects where it was, so that a walk that succeeds keeps no path. */
class Refusal {
  readonly reason: string
  readonly trail: { readonly of: object; readonly key: string | number }[] = []

  constructor(reason: string) {
    this.reason = reason
  }
}

function copyOf(value: unknown, depth: number, limits: Limits): Json {
  if (++nodes > limits.nodes) throw new Refusal(`it has more than ${limits.nodes} values`)
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
  if (depth === limits.depth) throw new Refusal(`it is nested deeper than ${depth} levels`)
  if (Array.isArray(value)) return arrayOf(value, depth + 1, limits)
  return isPlain(value)
    ? objectOf(value as { readonly [member: string]: unknown }, depth + 1, limits)
    : bytesOf(value, limits)
}

function arrayOf(value: readonly unknown[], depth: number, limits: Limits): Json {
  const { length } = value
  const copied: Json[] = []
  let index = 0
  try {
    for (; index < length; index++) {
      const item = value[index]
      if (item === undefined && !Object.hasOwn(value, index))
        throw new Refusal('an array with holes; fill them with null')
      copied.push(copyOf(item, depth, limits))
    }
  } catch (thrown) {
    throw steppedOut(thrown, value, index)
  }
  return Object.freeze(copied)
}

function objectOf(value: { readonly [member: string]: unknown }, depth: number, limits: Limits): Json {
  const copied: { [member: string]: Json } = {}
  const members = Object.keys(value)
  let at = 0
  try {
    for (; at < members.length; at++) {
      const member = members[at] as string
      const item = value[member]
      if (item === undefined) continue
      units += member.length
      if (member === '__proto__') define(copied, member, copyOf(item, depth, limits))
      else copied[member] = copyOf(item, depth, limits)
    }
  } catch (thrown) {
    throw steppedOut(thrown, value, members[at] as string)
  }
  return Object.freeze(copied)
}

function bytesOf(value: object, limits: Limits): Json {
  const bytes = ArrayBuffer.isView(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : types.isAnyArrayBuffer(value)
      ? Buffer.from(value)
      : undefined
  if (bytes === undefined) throw new Refusal(refusal(value))
  units += Math.ceil(bytes.length / 3) * 4
  if (units > limits.bytes) throw new Refusal(tooBig(limits))
  return bytes.toString('base64')
}

function refusalOf(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown
  return new Refusal(
    thrown instanceof RangeError ? 'it is nested too deeply for this stack' : 'reading it threw; give plain data',
  )
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
  const shown = steps.length <= 20 ? steps : [...steps.slice(0, 12), ' … ', ...steps.slice(-6)]
  return `$${shown.join('')}`
}

/** Made by a literal, by JSON.parse or with no prototype, in this realm or another: nothing of its class would be lost. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null
}

function define(target: object, member: string, value: Json): void {
  Object.defineProperty(target, member, { value, enumerable: true, configurable: true, writable: true })
}

function tooBig({ bytes }: Limits): string {
  return `its text is longer than ${bytes} UTF-8 bytes`
}

const wayOut: { readonly [kind: string]: string } = {
  Date: 'a Date; use its toISOString()',
  Map: 'a Map; use Object.fromEntries(map)',
  Set: 'a Set; use [...set]',
  URL: 'a URL; use its href',
  RegExp: 'a RegExp; use its source',
  Promise: 'a Promise; await it',
}

function refusal(value: unknown): string {
  if (typeof value === 'bigint') return 'a bigint; use String(value)'
  if (typeof value === 'number') return `${value} is no JSON number; use null or a text`
  if (typeof value !== 'object') return `a ${typeof value} can not be JSON`
  const kind = classOf(value as object)
  if (value instanceof Error) return `an ${kind}; use its message`
  return wayOut[kind] ?? `an instance of ${kind}; give a plain object`
}

function classOf(value: object): string {
  try {
    const { name } = value.constructor
    return typeof name === 'string' && name !== '' ? name.slice(0, 80).toWellFormed() : 'a class'
  } catch {
    return 'a class'
  }
}
