// What the other scripts share: where the packages are, and what their package.json says.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repositoryRoot = dirname(dirname(fileURLToPath(import.meta.url)))

/** Folders with packages below them, and folders that are packages; the same as in pnpm-workspace.yaml. */
const parents = ['packages', 'plugins', 'examples']
const singles = ['conformance', 'benchmarks']

/** @returns {{ folder: string, manifest: any }[]} every package, `folder` with forward slashes, relative to `root`. */
export function workspacePackages(root = repositoryRoot) {
  const folders = parents.flatMap((parent) =>
    existsSync(join(root, parent)) ? readdirSync(join(root, parent)).map((name) => `${parent}/${name}`) : [],
  )
  return [...folders, ...singles]
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .sort()
    .map((folder) => ({ folder, manifest: readJson(join(root, folder, 'package.json')) }))
}

export function publishablePackages(root = repositoryRoot) {
  return workspacePackages(root).filter(({ manifest }) => manifest.private !== true)
}

export function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/**
 * Files below `folder`, sorted, as paths relative to it with forward slashes; leaves out what is built or installed, and folders
 * with a manifest of their own, which are other packages.
 */
export function filesBelow(folder, prefix = '') {
  if (!existsSync(folder)) return []
  const left = new Set(['node_modules', 'dist', 'coverage', '.turbo'])
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        const isOther = left.has(entry.name) || existsSync(join(path, 'package.json'))
        return isOther ? [] : filesBelow(path, `${prefix}${entry.name}/`)
      }
      return entry.isFile() ? [`${prefix}${entry.name}`] : []
    })
}
