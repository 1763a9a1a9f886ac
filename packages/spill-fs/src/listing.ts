import { lstat, readdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { unless } from './failures.ts'
import { isSessionFolder } from './names.ts'

/** A file in the folder of a session. */
export interface Listed {
  readonly name: string
  readonly path: string
  readonly bytes: number
  /** ms since 1970, by the clock of the disk. */
  readonly changedAt: number
}

const gone = ['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST', 'EACCES', 'EPERM', 'EBUSY']

/** The files of all sessions. Whatever other processes add or take away meanwhile may be in it or not. */
export async function* listed(root: string): AsyncGenerator<Listed> {
  for (const folder of (await readdir(root)).filter(isSessionFolder)) {
    const path = join(root, folder)
    // A folder that is a link is nobody's session, and leads elsewhere.
    if (!(await unless(gone, () => lstat(path)))?.isDirectory()) continue
    for (const name of (await unless(gone, () => readdir(path))) ?? []) {
      const found = await unless(gone, () => lstat(join(path, name)))
      if (found?.isFile()) yield { name, path: join(path, name), bytes: found.size, changedAt: found.mtimeMs }
    }
  }
}

/** Takes the folders of sessions away that have held nothing for some ms. A younger one may be about to be written to. */
export async function removeEmptyFolders(root: string, emptyForMs: number): Promise<void> {
  for (const folder of (await readdir(root)).filter(isSessionFolder)) {
    const path = join(root, folder)
    const found = await unless(gone, () => lstat(path))
    if (found !== undefined && Date.now() - found.mtimeMs >= emptyForMs) await unless(gone, () => rmdir(path))
  }
}
