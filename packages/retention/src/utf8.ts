/**
 * UTF-8 as the decoder of the WHATWG Encoding Standard reads it (section "UTF-8 decoder"): a *character* is a whole sequence, or
 * the longest piece of one that what follows does not continue, which is read as one U+FFFD.
 */

export const newline = 0x0a

/** How many bytes may follow this one in its character. 0 also for a byte that begins none: such a byte is one U+FFFD. */
function followers(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 0
  if (lead < 0xe0) return 1
  return lead < 0xf0 ? 2 : 3
}

/** The bounds of the byte after the first, which keep out overlong forms, surrogates and what is beyond U+10FFFF. */
function lowestSecond(lead: number): number {
  if (lead === 0xe0) return 0xa0
  return lead === 0xf0 ? 0x90 : 0x80
}

function highestSecond(lead: number): number {
  if (lead === 0xed) return 0x9f
  return lead === 0xf4 ? 0x8f : 0xbf
}

function continues(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

/** Where the character ends that begins at `at`, which has to be the beginning of one. */
export function characterEnd(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number
  const last = Math.min(at + followers(lead), bytes.length - 1)
  let lowest = lowestSecond(lead)
  let highest = highestSecond(lead)
  let end = at + 1
  for (; end <= last; end++) {
    const byte = bytes[end] as number
    if (byte < lowest || byte > highest) break
    lowest = 0x80
    highest = 0xbf
  }
  return end
}

/** The nearest place, not after `at`, where a character begins or the bytes end. Three bytes before it tell. */
export function characterStart(bytes: Uint8Array, at: number): number {
  if (at >= bytes.length || !continues(bytes[at] as number)) return at
  for (let lead = at - 1; lead >= Math.max(0, at - 3); lead--) {
    if (!continues(bytes[lead] as number)) return characterEnd(bytes, lead) > at ? lead : at
  }
  return at
}

/** The nearest place, not before `at`, where a character begins or the bytes end. */
export function nextCharacterStart(bytes: Uint8Array, at: number): number {
  let start = at
  while (characterStart(bytes, start) < start) start++
  return start
}

/** `stop`, or where the character begins that bytes after `stop` could still complete. */
export function beforeOpenCharacter(bytes: Uint8Array, from: number, stop: number): number {
  for (let lead = stop - 1; lead >= Math.max(from, stop - 3); lead--) {
    const byte = bytes[lead] as number
    if (continues(byte)) continue
    const isOpen = lead + followers(byte) >= stop && characterEnd(bytes.subarray(0, stop), lead) === stop
    return isOpen ? lead : stop
  }
  return stop
}

/** Counts characters and line ends byte by byte, over any number of chunks. */
export class Walk {
  characters = 0
  newlines = 0
  #needed = 0
  #lowest = 0x80
  #highest = 0xbf

  /** Whether the next byte may belong to the last character. */
  get isMidCharacter(): boolean {
    return this.#needed > 0
  }

  over(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number
      if (this.#needed > 0) {
        const isContinued = byte >= this.#lowest && byte <= this.#highest
        this.#needed = isContinued ? this.#needed - 1 : 0
        this.#lowest = 0x80
        this.#highest = 0xbf
        if (isContinued) continue
      }
      this.characters++
      if (byte === newline) this.newlines++
      else if (byte >= 0xc2) {
        this.#needed = followers(byte)
        this.#lowest = lowestSecond(byte)
        this.#highest = highestSecond(byte)
      }
    }
  }
}
