/*
 * How a store takes in what it is given. Every store has this file, the same to the letter, for it takes nothing but types from
 * `@pawl/spill`.
 */

/** Takes one piece; the next one is not asked for before it has settled. */
type Take = (piece: Uint8Array) => void | Promise<void>

/** UTF-16 code units that are encoded at a time: what a large text needs beside itself. */
const unitsAtATime = 262_144

/** Gives a text to `take` as UTF-8, piece by piece. */
export async function takeText(text: string | AsyncIterable<string>, signal: AbortSignal, take: Take): Promise<void> {
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
  await eachPiece(text, 'text', isText, signal, async (piece) => {
    const units = half + piece
    const end = isHighSurrogate(units, units.length - 1) ? units.length - 1 : units.length
    half = units.slice(end)
    await takeUnits(units, end)
  })
  await takeUnits(half, half.length)
}

/** Gives bytes to `take`, piece by piece. */
export function takeBytes(
  data: Uint8Array | AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  take: Take,
): Promise<void> {
  return eachPiece(data, 'data', isBytes, signal, take)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array
}

function isHighSurrogate(units: string, at: number): boolean {
  return (units.charCodeAt(at) & 0xfc00) === 0xd800
}

async function eachPiece<Piece>(
  source: Piece | AsyncIterable<Piece>,
  name: string,
  isPiece: (value: unknown) => value is Piece,
  signal: AbortSignal,
  take: (piece: Piece) => void | Promise<void>,
): Promise<void> {
  signal.throwIfAborted()
  if (isPiece(source)) return take(source)
  if (typeof source?.[Symbol.asyncIterator] !== 'function') throw wrong(`\`${name}\``, source)
  await drain(source, signal, (piece) => {
    if (!isPiece(piece)) throw wrong(`a piece of \`${name}\``, piece)
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

function wrong(what: string, given: unknown): TypeError {
  const toBe = what.includes('data') ? 'a Uint8Array' : 'a string'
  const orPieces = what.startsWith('a piece') ? '' : ', or an async iterable of them'
  const shown = given === null ? 'null' : typeof given
  return new TypeError(`[pawl] ${what} to spill has to be ${toBe}${orPieces}. It is ${shown}.`)
}
