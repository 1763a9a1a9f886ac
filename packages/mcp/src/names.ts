import { createHash } from 'node:crypto'

/** What every model provider takes as a tool's name. */
const longestName = 64
const safe = /^[A-Za-z0-9_-]{1,64}$/
/** A server's name that ends where the first `__` begins, so that `a` + `b__c` and `a__b` + `c` can not look the same. */
const plainServer = /^(?!.*__)[A-Za-z0-9_-]*[A-Za-z0-9-]$/
/** What an altered name ends with. A name that ends like this by nature is altered too, or it could pass for another. */
const marked = /_[0-9a-f]{10}$/
/** Characters of the server's name in a name that has to be cut. */
const longestServer = 20

/**
 * The name under which the model knows a tool: `server__tool`, or `tool` alone where `server` is undefined. It depends on these
 * two texts and nothing else, so it is the same whatever is connected, in whatever order.
 *
 * A name that is safe already (`^[A-Za-z0-9_-]{1,64}$`) stays as it is. Any other is cleaned, cut, and marked with forty bits of
 * a hash of the two texts, so that `a.b` and `a_b` stay two names.
 */
export function exposedName(server: string | undefined, tool: string): string {
  const whole = server === undefined ? tool : `${server}__${tool}`
  const isPlain = server === undefined || plainServer.test(server)
  if (isPlain && tool !== '' && safe.test(whole) && !marked.test(whole)) return whole
  // JSON tells lone surrogates and the border between the two texts apart; UTF-8 would not.
  const identity = JSON.stringify([server ?? null, tool])
  const mark = `_${createHash('sha256').update(identity).digest('hex').slice(0, 10)}`
  return `${cut(server, tool, longestName - mark.length)}${mark}`
}

function cut(server: string | undefined, tool: string, room: number): string {
  const whole = server === undefined ? clean(tool) : `${clean(server)}__${clean(tool)}`
  if (whole.length <= room || server === undefined) return whole.slice(0, room)
  return `${clean(server).slice(0, longestServer)}__${clean(tool)}`.slice(0, room)
}

function clean(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]+/g, '_')
}
