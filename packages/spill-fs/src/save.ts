import { join } from 'node:path'
import type { SaveRequest, SpillRef } from '@pawl/spill'
import { type Draft, openDraft } from './draft.ts'
import { folderOf, newName } from './names.ts'
import type { Settings } from './options.ts'
import { Quota } from './quota.ts'
import type { Root } from './root.ts'
import type { Sweeper } from './sweep.ts'

/** Hands all pieces of what is saved to `take`. */
type Fill = (take: (piece: Uint8Array) => Promise<void>) => Promise<void>

type Save = (request: SaveRequest, mediaType: string | undefined, signal: AbortSignal, fill: Fill) => Promise<SpillRef>

/** What saves artefacts in a root, one whole file at a time. */
export function saver({ root: asked, quotaBytes, showPaths }: Settings, root: Root, sweeper: Sweeper): Save {
  const isBounded = quotaBytes !== Number.POSITIVE_INFINITY
  // A folder that goes with its store has nothing to survive.
  const isSynced = asked !== undefined
  let quota: Quota | undefined

  const publish = (draft: Draft, path: string, folder: string, file: string): Promise<void> => {
    if (!isBounded) return draft.publish(file)
    quota ??= new Quota(path, quotaBytes)
    return quota.publish(join(path, folder, file), draft.bytes, () => draft.publish(file))
  }

  return async (request, mediaType, signal, fill) => {
    signal.throwIfAborted()
    const { locator, file } = newName(request.name, mediaType)
    const folder = folderOf(request.session)
    const path = await root.open()
    sweeper.sometimes(path)
    const draft = await openDraft(path, folder)
    try {
      await fill((piece) => {
        if (draft.bytes + piece.length > quotaBytes) throw tooLarge(quotaBytes)
        return draft.write(piece)
      })
      await draft.complete(isSynced)
      signal.throwIfAborted()
      await publish(draft, path, folder, file)
    } finally {
      await draft.discard()
    }
    const where = showPaths ? ` It is the file ${join(path, folder, file)}` : ''
    return { locator, bytes: draft.bytes, retrievalHint: `Read it with read_spill: {"locator":"${locator}"}${where}` }
  }
}

function tooLarge(quotaBytes: number): Error {
  return new Error(
    `[pawl] spillFs: what is saved is larger than the whole quota of ${quotaBytes} bytes. Raise \`quotaBytes\`, or save less.`,
  )
}
