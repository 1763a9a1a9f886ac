import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, unless } from './failures.ts'
import { inspect } from './private-folder.ts'

/** Some bytes of a file, and how many it has. */
export interface FileRange {
  readonly data: Uint8Array
  readonly bytes: number
}

/** A link is not followed, and what is no plain file does not make the opening hang. Windows has neither flag. */
const plainly = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
const absent = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK']

/**
 * A range of an artefact. `undefined` if it is not there, is older than it may be, or is not what a store puts there.
 * @throws Error with the system's code and without any path of the host
 */
export async function readRange(
  folder: string,
  file: string,
  offset: number,
  limit: number,
  expiresAfterMs: number,
): Promise<FileRange | undefined> {
  try {
    if ((await unless(absent, () => inspect(folder))) === undefined) return undefined
    const handle = await unless(absent, () => open(join(folder, file), plainly))
    if (handle === undefined) return undefined
    try {
      return await readFrom(handle, offset, limit, expiresAfterMs)
    } finally {
      await handle.close()
    }
  } catch (cause) {
    throw new Error(`[pawl] spillFs: the artefact could not be read (${codeOf(cause) ?? 'not a plain folder'}).`, {
      cause,
    })
  }
}

async function readFrom(
  handle: FileHandle,
  offset: number,
  limit: number,
  expiresAfterMs: number,
): Promise<FileRange | undefined> {
  const found = await handle.stat()
  const { size, mtimeMs } = found
  if (!found.isFile() || Date.now() >= mtimeMs + expiresAfterMs) return undefined
  const data = Buffer.allocUnsafeSlow(Math.max(0, Math.min(limit, size - offset)))
  for (let at = 0; at < data.length; ) {
    const { bytesRead } = await handle.read(data, at, data.length - at, offset + at)
    if (bytesRead === 0) throw Object.assign(new Error('it became shorter while it was read'), { code: 'EIO' })
    at += bytesRead
  }
  return { data, bytes: size }
}
