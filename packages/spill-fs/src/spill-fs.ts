import { join } from 'node:path'
import type { SpillReader, SpillStore } from '@pawl/spill'
import { Gate } from './gate.ts'
import { folderOf, nameOf } from './names.ts'
import { readOptions, type SpillFsOptions } from './options.ts'
import { readRange } from './read.ts'
import { Root } from './root.ts'
import { saver } from './save.ts'
import { takeBytes, takeText } from './source.ts'
import { Sweeper } from './sweep.ts'
import { UnderWay } from './under-way.ts'

/** A store in private files: it saves everything, and reads it back. */
export type SpillFs = Required<SpillStore> & SpillReader

/** Files that are open at once, but for those that wait for their sources: nobody else is to wait for these. */
const filesAtOnce = 64

/**
 * A `SpillStore` in files: one for each artefact, in a folder for each session, all of them readable by this user only. An
 * artefact appears under its name all at once, when it is complete; a writer that dies before leaves nothing that can be read.
 *
 * Saving rejects with an error that names the folder, the cause and the way out, meant for the operator: only the hint is for
 * the model. Closing ends what is under way, and removes a temporary folder.
 * @throws TypeError if an option is unknown or of the wrong kind
 * @example
 * const store = spillFs({ root: '/var/lib/my-app/spill', expiresAfterMs: 86_400_000 })
 */
export function spillFs(options: SpillFsOptions = {}): SpillFs {
  const settings = readOptions(options)
  const root = new Root(settings.root)
  const sweeper = new Sweeper(settings.expiresAfterMs)
  const underWay = new UnderWay()
  const gate = new Gate(filesAtOnce)
  const save = saver(settings, root, sweeper)

  return {
    saveText: async (request) =>
      underWay.run(request.signal, (signal) => {
        const { text } = request
        const run = () => save(request, undefined, signal, (take) => takeText(text, signal, take))
        return typeof text === 'string' ? gate.through(run) : run()
      }),
    saveBlob: async (request) =>
      underWay.run(request.signal, (signal) => {
        const { data, mediaType } = request
        const run = () => save(request, mediaType, signal, (take) => takeBytes(data, signal, take))
        return data instanceof Uint8Array ? gate.through(run) : run()
      }),
    async read({ session, locator, offset, limit, signal }) {
      underWay.check()
      signal?.throwIfAborted()
      const name = nameOf(locator)
      if (name === undefined) return undefined
      const path = await root.existing()
      if (path === undefined) return undefined
      const folder = join(path, folderOf(session))
      const range = await gate.through(() => readRange(folder, name.file, offset, limit, settings.expiresAfterMs))
      return range && { ...range, mediaType: name.mediaType }
    },
    close: () =>
      underWay.end(closed, async () => {
        await sweeper.end()
        await root.close()
      }),
  }
}

function closed(): Error {
  return new Error('[pawl] spillFs: the store is closed. Make a new one.')
}
