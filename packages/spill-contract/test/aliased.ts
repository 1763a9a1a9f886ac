import type { SpillRef } from '@pawl/spill'
import type { TestedStore } from '../src/index.ts'

/** A good store that goes by other locators. */
export function aliased(good: Required<TestedStore>, make: () => string): Partial<TestedStore> {
  const names = new Map<string, string>()
  const rename = async (saving: Promise<SpillRef>): Promise<SpillRef> => {
    const ref = await saving
    const locator = make()
    names.set(locator, ref.locator)
    return { ...ref, locator, retrievalHint: JSON.stringify({ locator }) }
  }
  return {
    saveText: (request) => rename(good.saveText(request)),
    saveBlob: (request) => rename(good.saveBlob(request)),
    read: (request) => good.read({ ...request, locator: names.get(request.locator) ?? '' }),
  }
}
