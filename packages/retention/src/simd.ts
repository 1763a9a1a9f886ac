import { countModule } from './count-module.ts'

/** Counts line ends and characters sixteen bytes at a time. There is one for all, which holds nothing between two calls. */
export interface SimdCounter {
  /** How many bytes it takes at once. */
  readonly capacity: number
  /** What the last call of `count` found. */
  readonly newlines: number
  readonly characters: number
  /** Bytes that begin and end with whole characters; `false` if they are no UTF-8, and then nothing was counted. */
  count(bytes: Uint8Array): boolean
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly newlines: { readonly value: number }
  readonly continuations: { readonly value: number }
  count(length: number): number
}

interface WebAssemblyApi {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { readonly exports: unknown }
}

let counter: SimdCounter | null | undefined

/** `undefined` where the platform has no WebAssembly with SIMD, or a content security policy forbids it. */
export function simdCounter(): SimdCounter | undefined {
  if (counter === undefined) {
    try {
      counter = makeCounter()
    } catch {
      counter = null
    }
  }
  return counter ?? undefined
}

function makeCounter(): SimdCounter {
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly
  const code = Uint8Array.from(atob(countModule), (character) => character.charCodeAt(0))
  const exports = new Instance(new Module(code)).exports as Exports
  const room = new Uint8Array(exports.memory.buffer)
  const result = {
    capacity: room.length,
    newlines: 0,
    characters: 0,
    count(bytes: Uint8Array): boolean {
      room.set(bytes)
      // The module reads 64 bytes at a time; zeros are whole characters that are taken off again below.
      room.fill(0, bytes.length, (bytes.length + 63) & -64)
      if (exports.count(bytes.length) !== 0) return false
      result.newlines = exports.newlines.value
      result.characters = bytes.length - exports.continuations.value
      return true
    },
  }
  return result
}
