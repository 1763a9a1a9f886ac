import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { SpillFs } from '../../src/index.ts'

/** Everything below a folder, by its path in it, with its mode in octal digits. */
export async function treeOf(root: string): Promise<Map<string, string>> {
  const tree = new Map<string, string>()
  for (const path of (await readdir(root, { recursive: true })).sort()) {
    const found = await lstat(join(root, path)).catch(() => undefined)
    if (found !== undefined) tree.set(path, (found.mode & 0o777).toString(8))
  }
  return tree
}

/** The files below a folder. */
export async function filesOf(root: string): Promise<string[]> {
  return [...(await treeOf(root)).keys()].filter((path) => path.includes('/'))
}

/** A text that session `a` saved, whole. */
export async function textOf(store: SpillFs, locator: string | undefined): Promise<string | undefined> {
  const range = await store.read({ session: 'a', locator: locator ?? '', offset: 0, limit: 1_000_000 })
  return range && Buffer.from(range.data).toString()
}
