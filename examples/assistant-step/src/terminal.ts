/** Marks for the eye; nothing may depend on them. */
export interface Paint {
  title(text: string): string
  good(text: string): string
  bad(text: string): string
  aside(text: string): string
  plain(text: string): string
}

/** Without colour every text stays as it is. */
export function paint(colour: boolean): Paint {
  const style = (code: number) => (text: string) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text)
  return { title: style(1), good: style(32), bad: style(31), aside: style(2), plain: (text) => text }
}

/** Without line breaks, and without characters that could command a terminal. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{C}]+/gu, ' ').trim()
}

/** At most `length` UTF-16 code units. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`
}

/** Lines of at most `length` UTF-16 code units, broken at spaces where there are some. */
export function wrap(text: string, length: number): string[] {
  const lines = text.match(new RegExp(`.{1,${length}}(?: |$)|.{${length}}`, 'g')) ?? []
  return lines.map((line) => line.trimEnd())
}

export function indent(text: string): string {
  return text.replace(/^/gm, '  ')
}
