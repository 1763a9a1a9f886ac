import { resolve } from 'node:path'

/** What `spillFs` takes. */
export interface SpillFsOptions {
  /**
   * The folder that everything is put in, used for nothing else; it is made if it is missing. What was saved stays in it when the
   * store is closed, and another store of the same folder, in whatever process, can read it. **Default:** a new private folder
   * below the system's temporary one, removed when the store is closed.
   */
  readonly root?: string
  /** ms after which an artefact is gone, by the wall clock, from 1 on. **Default:** none expires. */
  readonly expiresAfterMs?: number
  /**
   * Bytes of all artefacts in the folder, at most; from 1 on. The oldest ones make room for a new one; one that alone is larger is
   * refused. Several processes on one folder see of each other what is some seconds old. **Default:** no bound but the disk's.
   */
  readonly quotaBytes?: number
  /** Whether the hint for the model names the file on this host too, for models with tools that read files. **Default:** `false`. */
  readonly showPaths?: boolean
}

/** The options with their defaults, as they were when the store was made. */
export interface Settings {
  /** Absolute. `undefined`: a temporary folder of the store's own. */
  readonly root: string | undefined
  readonly expiresAfterMs: number
  readonly quotaBytes: number
  readonly showPaths: boolean
}

const members = ['root', 'expiresAfterMs', 'quotaBytes', 'showPaths']
const unbounded = Number.POSITIVE_INFINITY

/** @throws TypeError naming the option, what it has to be and what it is */
export function readOptions(options: SpillFsOptions): Settings {
  const isObject = typeof options === 'object' && options !== null && !Array.isArray(options)
  need(isObject, 'what it takes', 'an object such as { root: "/var/lib/my-app/spill" }', options)
  for (const member of Object.keys(options)) {
    if (!members.includes(member))
      throw new TypeError(`[pawl] spillFs: unknown option \`${member}\`. Known are: ${members.join(', ')}.`)
  }
  const { root, expiresAfterMs, quotaBytes, showPaths = false } = options
  const isPath = typeof root === 'string' && root !== '' && !root.includes('\0')
  need(root === undefined || isPath, '`root`', 'the path of a folder; leave it out for a temporary one', root)
  const isTime = expiresAfterMs === undefined || (Number.isFinite(expiresAfterMs) && expiresAfterMs >= 1)
  need(isTime, '`expiresAfterMs`', 'a number of ms from 1 on', expiresAfterMs)
  const isSize = quotaBytes === undefined || (Number.isSafeInteger(quotaBytes) && quotaBytes >= 1)
  need(isSize, '`quotaBytes`', 'a whole number of bytes from 1 on', quotaBytes)
  need(typeof showPaths === 'boolean', '`showPaths`', 'true or false', showPaths)
  return {
    root: root === undefined ? undefined : resolve(root),
    expiresAfterMs: expiresAfterMs ?? unbounded,
    quotaBytes: quotaBytes ?? unbounded,
    showPaths,
  }
}

function need(holds: boolean, what: string, toBe: string, given: unknown): void {
  if (holds) return
  const shown = typeof given === 'string' ? JSON.stringify(given) : typeof given === 'number' ? given : typeof given
  throw new TypeError(`[pawl] spillFs: ${what} has to be ${toBe}. It is ${shown}.`)
}
