import { type FileHandle, open, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { attempt, codeOf } from './failures.ts'
import { unfinishedName } from './names.ts'
import { makePrivate } from './private-folder.ts'

/** A file that becomes an artefact all at once, or never. */
export interface Draft {
  /** Bytes so far. */
  readonly bytes: number
  write(piece: Uint8Array): Promise<void>
  /** Ends it. With `isSynced` all of it is on the disk then: what gets its name after that is whole, also after a loss of power. */
  complete(isSynced: boolean): Promise<void>
  /** Gives it its name, once it is complete: from then on it can be read. */
  publish(file: string): Promise<void>
  /** Removes what was not published. Never rejects: what can not be removed is left to a later sweep. */
  discard(): Promise<void>
}

/** @throws Error saying what went wrong with which folder, and the way out; as do the others but `discard` */
export async function openDraft(root: string, folder: string): Promise<Draft> {
  const path = join(root, folder, unfinishedName())
  const handle = await attempt('making a file', root, () => create(join(root, folder), path))
  let bytes = 0
  let isOpen = true
  let isPublished = false
  const close = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    await handle.close()
  }
  return {
    get bytes() {
      return bytes
    },
    async write(piece) {
      bytes += piece.length
      await attempt('writing', root, () => handle.writeFile(piece))
    },
    complete: (isSynced) =>
      attempt('writing', root, async () => {
        if (isSynced) await handle.datasync()
        // Closing may be when a disk far away says that it is full.
        await close()
      }),
    async publish(file) {
      await attempt('saving', root, () => rename(path, join(root, folder, file)))
      isPublished = true
    },
    async discard() {
      if (isPublished) return
      await close().catch(() => {})
      await unlink(path).catch(() => {})
    },
  }
}

/** Another process may take an empty folder away between its making and its use. */
async function create(folder: string, path: string, tries = 5): Promise<FileHandle> {
  try {
    await makePrivate(folder)
    // `wx` makes a new file or fails: it follows no link and overwrites nothing.
    return await open(path, 'wx', 0o600)
  } catch (failure) {
    if (codeOf(failure) !== 'ENOENT' || tries === 0) throw failure
    return create(folder, path, tries - 1)
  }
}
