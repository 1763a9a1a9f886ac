import type { Content } from '@pawl/core'
import type { BlobPage } from './blobs.ts'
import type { MatchesPage, TextPage } from './pages.ts'

/**
 * A page for the model: what was read, exactly, in a block of its own, and after it where that stands and how to go on. Pages'
 * first blocks, joined, are the text.
 */
export function renderPage(locator: string, page: TextPage | MatchesPage | BlobPage): readonly Content[] {
  if (page.kind === 'blob')
    return [
      { type: page.mediaType.startsWith('audio/') ? 'audio' : 'image', data: page.data, mimeType: page.mediaType },
    ]
  const words = `(${page.kind === 'text' ? whereOf(page) : countOf(page)}. ${wayOn(locator, page)})`
  const shown = page.kind === 'text' ? page.text : page.matches.map(lineOf).join('\n')
  return shown === '' ? [text(words)] : [text(shown), text(words)]
}

function whereOf({ from, to, bytes, first, last }: TextPage): string {
  if (bytes === 0) return 'It is empty'
  if (from === to) return `That is past the end: it has ${count(bytes)} bytes`
  const range = `${count(from)} to ${count(to)} of ${count(bytes)}`
  if (first === undefined || last === undefined) return `Bytes ${range}`
  return `${first === last ? `Line ${count(first)}` : `Lines ${count(first)} to ${count(last)}`}, bytes ${range}`
}

function countOf({ matches, search, bytes }: MatchesPage): string {
  const what = `${JSON.stringify(search)} in ${count(bytes)} bytes`
  if (matches.length === 0) return `No match for ${what}`
  return `${count(matches.length)} ${matches.length === 1 ? 'match' : 'matches'} for ${what}`
}

function wayOn(locator: string, { next }: TextPage | MatchesPage): string {
  return next === undefined ? 'Nothing follows.' : `Go on with ${JSON.stringify({ locator, ...next })}`
}

function lineOf({ line, byte, excerpt }: MatchesPage['matches'][number]): string {
  return `line ${line}, byte ${byte}: ${excerpt}`
}

function text(words: string): Content {
  return { type: 'text', text: words }
}

function count(amount: number): string {
  return amount.toLocaleString('en-US')
}
