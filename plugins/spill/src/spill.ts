import type { Content, Exec, Plugin, PostDecision } from '@pawl/core'
import type { SpillReadAnnotations } from '@pawl/spill'
import { blobsOf, tooLarge } from './blobs.ts'
import { boundBlobs } from './bound-blobs.ts'
import { boundText } from './bound-text.ts'
import { type Bounds, longestMs, readOptions, type SpillOptions } from './options.ts'
import { Saving, type Savings } from './saving.ts'
import { textsExceed } from './texts.ts'

/** Time beyond `saveTimeoutMs` in which the content is put together, ms. The pipeline would count a later answer as a failure. */
const answerMs = 1_000

/**
 * Bounds what a result costs the model. Texts that are over `maxInlineBytes` are saved, whole, and a preview with a notice takes
 * their place: how many bytes are left out, exactly, and how to read them back, all within the same bound. Pictures, sound and
 * binary resources over `maxBlobBytes` are saved one by one, and a notice takes the place of each. The value is left alone, for
 * programs and observers; so are calls nested in another one, results within the bounds, and reads of what was spilled.
 *
 * What is replaced has been saved before. If the store fails, or does not settle within `saveTimeoutMs`, or the plugin is disposed
 * of meanwhile, the content stays as it was (`ifUnsaved`), whatever the size. The trace tells both: `spill` holds `locator`,
 * `bytes` and `omittedBytes` of the text, `blobs` with the same of each blob, and `failure`.
 *
 * It stands outside of what redacts, since what it saves would hold the secrets otherwise.
 *
 * @throws TypeError if an option is unknown or wrong
 * @example
 * const store = memorySpillStore()
 * const tools = { shell: { preview: 'tail' }, grep: { preview: 'head', maxInlineBytes: 4_096 } } as const
 * createToolRuntime({ tools: [shell, grep, readSpill(store)], plugins: [spill({ store, tools })] })
 */
export function spill(options: SpillOptions): Plugin {
  const { store, usual, tools, saveTimeoutMs, ifUnsaved } = readOptions(options)
  const running: Savings = new Set()
  let runtimes = 0
  let disposed = false

  const bound = async (exec: Exec, content: readonly Content[], bounds: Bounds): Promise<PostDecision> => {
    const saving = new Saving(store, { session: exec.session, name: exec.name }, saveTimeoutMs, running)
    try {
      const cutsUnsaved = ifUnsaved === 'cut'
      const { content: left, blobs } = await boundBlobs(content, bounds.maxBlobBytes, saving, cutsUnsaved)
      // The notices of blobs are texts, too.
      const { content: right, ref } = textsExceed(left, bounds.maxInlineBytes)
        ? await boundText(left, bounds, saving, cutsUnsaved)
        : { content: left }
      const failure = saving.failures.join('; ')
      exec.note({ spill: { ...ref, ...(blobs.length > 0 && { blobs }), ...(failure !== '' && { failure }) } })
      return right === content ? { kind: 'accept' } : { kind: 'accept', content: right }
    } finally {
      saving.close()
    }
  }

  return {
    name: 'spill',
    role: 'spill',
    order: { outside: ['redact'], because: 'What spill saves would hold the secrets that redact takes out' },
    failure: 'open',
    stageTimeoutMs: Math.min(saveTimeoutMs + answerMs, longestMs),
    setup({ tools: registry, logger }) {
      runtimes++
      disposed = false
      if (store === undefined) logger.warn('[pawl] spill: there is no `store`, so no result can be saved.')
      else if (!registry.list().some(readsSpilled)) logger.warn(noReader)
      for (const name of tools.keys()) if (registry.get(name) === undefined) logger.warn(unknownTool(name))
    },
    postExecute(exec, { content }, next) {
      const bounds = tools.get(exec.name) ?? usual
      if (bounds === false || disposed || exec.parent !== undefined) return next()
      return isWithin(content, bounds) || readsSpilled(exec.tool) ? next() : bound(exec, content, bounds)
    },
    dispose() {
      if (--runtimes > 0) return
      disposed = true
      for (const saving of running) saving.giveUp('the plugin was taken out')
    },
  }
}

function isWithin(content: readonly Content[], { maxInlineBytes, maxBlobBytes }: Bounds): boolean {
  return !textsExceed(content, maxInlineBytes) && tooLarge(blobsOf(content), maxBlobBytes).length === 0
}

/** Its pages are bounded already, and what is read of them must not go back to where it came from. */
function readsSpilled({ annotations }: Exec['tool']): boolean {
  return (annotations as Partial<SpillReadAnnotations> | undefined)?.readsSpill === true
}

const noReader =
  '[pawl] spill: no tool that reads back what is saved is registered so far, and the model will be told to use it: add readSpill(store).'

/** It may be registered later, so this is no mistake yet. */
function unknownTool(name: string): string {
  return `[pawl] spill: \`tools\` has bounds for "${name}", and no tool of that name is registered so far.`
}
