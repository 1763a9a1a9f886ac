import { distance } from 'fastest-levenshtein'

const longestWord = 128
/** Comparing takes a microsecond, and a model that misspells one value of a long list may misspell twenty. */
const mostCompared = 2_000

/**
 * The candidate that was probably meant: the same but for case, `-`, `_`, `.` and spaces, or a few letters away: one in three, and
 * two at least in words of four, since two exchanged letters count as two. What stands before the last `__` is a server's name,
 * which tools share and which therefore says nothing of what was meant.
 * `undefined` if none is near, or none of the first 2,000 of about its length.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word === '' || word.length > longestWord) return undefined
  const plain = plainOf(word)
  let best: string | undefined
  const letters = word.split('__').at(-1)?.length ?? 0
  let least = (letters < 4 ? 1 : Math.max(2, Math.floor(letters / 3))) + 1
  let compared = 0
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= least) continue
    if (++compared > mostCompared) break
    const away = plainOf(candidate) === plain ? 0 : distance(word, candidate)
    if (away >= least) continue
    best = candidate
    least = away
    if (away === 0) break
  }
  return best
}

function plainOf(word: string): string {
  return word.toLowerCase().replaceAll(/[-_\s.]/g, '')
}
