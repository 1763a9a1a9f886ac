const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The bytes of a character in UTF-8, at most. */
export const longestCharacter = 4

/** The nearest place not after `at` where a character begins or the bytes end, in well-formed UTF-8. */
export function characterStart(bytes: Uint8Array, at: number): number {
  let start = Math.min(at, bytes.length)
  while (start > 0 && start < bytes.length && isInner(bytes[start] as number)) start--
  return start
}

/** The nearest place not before `at` where a character begins or the bytes end. */
function characterEnd(bytes: Uint8Array, at: number): number {
  let end = Math.min(at, bytes.length)
  while (end < bytes.length && isInner(bytes[end] as number)) end++
  return end
}

/**
 * Where a page ends that begins at `from` and may have `most` bytes: between two characters. A page always has one character, so
 * that whoever goes on from its end gets on.
 */
export function pageEnd(bytes: Uint8Array, from: number, most: number): number {
  const end = characterStart(bytes, from + most)
  return end > from ? end : characterEnd(bytes, from + 1)
}

/** A byte-order mark stays. */
export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

function isInner(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}
