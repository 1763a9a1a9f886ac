import type { Content } from '@pawl/core'
import type { SpillRef } from '@pawl/spill'
import type { Bounds } from './options.ts'
import { type Preview, previewOf } from './preview.ts'
import type { Saving } from './saving.ts'
import { joinedText, withText } from './texts.ts'

/** Content with a preview in place of its texts, and where all of them are. */
export interface BoundedText {
  readonly content: readonly Content[]
  readonly ref?: Pick<SpillRef, 'locator' | 'bytes'> & Pick<Preview, 'omittedBytes'>
}

/** Saves all texts as one, and puts a preview of it where the first one stood. */
export async function boundText(
  content: readonly Content[],
  { maxInlineBytes: budget, preview }: Bounds,
  saving: Saving,
  cutsUnsaved: boolean,
): Promise<BoundedText> {
  const text = joinedText(content)
  const ref = await saving.text(text)
  const cut = { text, bytes: ref?.bytes ?? Buffer.byteLength(text), budget, preview }
  if (ref !== undefined) {
    const { locator, bytes, retrievalHint } = ref
    const shown = previewOf(cut, `All of it was saved. ${retrievalHint}`)
    if (shown !== undefined)
      return { content: withText(content, shown.text), ref: { locator, bytes, omittedBytes: shown.omittedBytes } }
    saving.failures.push('the hint of the store does not fit into `maxInlineBytes`')
  }
  const shown = cutsUnsaved ? previewOf(cut, 'They could not be kept.') : undefined
  return { content: shown === undefined ? content : withText(content, shown.text) }
}
