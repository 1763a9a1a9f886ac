/*
 * How a store takes in what it is given. Every store has this file, the same to the letter, for it takes nothing but types from
 * `@pawl/spill`.
 */

/** Takes one piece; the next one is not asked for before it has settled. */
type Take = (piece: Uint8Array) => void | Promise<void>

/** What pieces have to be. */
interface Kind<Piece> {
  readonly member: string
  readonly toBe: string
  is(value: unknown): value is Piece
}

const text: Kind<string> = {
  member: '`text`',
  toBe: 'a string',
  is: (value) => typeof value === 'string',
}
const bytes: Kind<Uint8Array> = {
  member: '`data`',
  toBe: 'a Uint8Array',
  is: (value) => value instanceof Uint8Array,
}

/** UTF-16 code units that are encoded at a time: what a large text needs beside itself. */
const unitsAtATime = 262_144

/** Gives a text to `take` as UTF-8, piece by piece. */
export async function takeText(source: string | AsyncIterable<string>, signal: AbortSignal, take: Take): Promise<void> {
  // Half a surrogate pair at the end of a piece: its other half may come with the next one.
  let half = ''
  const takeUnits = async (units: string, end: number): Promise<void> => {
    for (let at = 0; at < end; ) {
      const most = Math.min(at + unitsAtATime, end)
      const stop = most < end && isHighSurrogate(units, most - 1) ? most - 1 : most
      signal.throwIfAborted()
      await take(Buffer.from(units.slice(at, stop)))
      at = stop
    }
  }
  await eachPiece(text, source, signal, async (piece) => {
    const units = half + piece
    const end = isHighSurrogate(units, units.length - 1) ? units.length - 1 : units.length
    half = units.slice(end)
    await takeUnits(units, end)
  })
  await takeUnits(half, half.length)
}

/** Gives bytes to `take`, piece by piece. */
export function takeBytes(
  source: Uint8Array | AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  take: Take,
): Promise<void> {
  return eachPiece(bytes, source, signal, take)
}

function isHighSurrogate(units: string, at: number): boolean {
  return (units.charCodeAt(at) & 0xfc00) === 0xd800
}

async function eachPiece<Piece>(
  kind: Kind<Piece>,
  source: Piece | AsyncIterable<Piece>,
  signal: AbortSignal,
  take: (piece: Piece) => void | Promise<void>,
): Promise<void> {
  signal.throwIfAborted()
  if (kind.is(source)) return take(source)
  const { member, toBe } = kind
  if (typeof source?.[Symbol.asyncIterator] !== 'function')
    throw wrong(member, `${toBe}, or an async iterable of them`, source)
  await drain(source, signal, (piece) => {
    if (!kind.is(piece)) throw wrong(`a piece of ${member}`, toBe, piece)
    return take(piece)
  })
}

/** Rejects as soon as the signal aborts, whatever the source does; it is then told that no more is wanted, and not waited for. */
async function drain<Piece>(
  source: AsyncIterable<Piece> & { destroy?(): unknown },
  signal: AbortSignal,
  take: (piece: Piece) => void | Promise<void>,
): Promise<void> {
  const iterator = source[Symbol.asyncIterator]()
  let interrupt: ((reason: unknown) => void) | undefined
  const onAbort = (): void => interrupt?.(signal.reason)
  const next = (): Promise<IteratorResult<Piece, unknown>> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      interrupt = reject
      Promise.resolve(iterator.next()).then(resolve, reject)
    })
  let isOpen = true
  signal.addEventListener('abort', onAbort)
  try {
    for (let result = await next(); !result.done; result = await next()) await take(result.value)
    isOpen = false
  } finally {
    signal.removeEventListener('abort', onAbort)
    // The iterator of a Node stream closes only after the chunk that it waits for, and that may never come.
    if (isOpen) quietly(() => (source.destroy === undefined ? iterator.return?.() : source.destroy()))
  }
}

function quietly(close: () => unknown): void {
  const closed = async (): Promise<unknown> => close()
  closed().catch(() => {})
}

function wrong(what: string, toBe: string, given: unknown): TypeError {
  return new TypeError(`[pawl] ${what} to spill has to be ${toBe}. It is ${given === null ? 'null' : typeof given}.`)
}
