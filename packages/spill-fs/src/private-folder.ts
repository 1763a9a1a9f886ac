import { chmod, lstat, mkdir, readdir } from 'node:fs/promises'
import { unless } from './failures.ts'
import { isSessionFolder } from './names.ts'

const ownerOnly = 0o700

/**
 * The folder of a store, made if it is missing, and private to this user from then on.
 * @throws Error if it is a link, no folder, somebody else's, or open to others while it holds what no store put there
 */
export async function makeRoot(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: ownerOnly })
  const isPrivate = await inspect(path)
  if (isPrivate) return
  // It may be anybody's folder, named by mistake: then its mode is not ours to change.
  const foreign = (await readdir(path)).find((name) => !isSessionFolder(name))
  if (foreign !== undefined)
    throw refusal(path, `it is open to others and holds ${JSON.stringify(foreign)}, which is no store's`)
  await chmod(path, ownerOnly)
}

/** The folder of a session in a private root, made if it is missing. */
export async function makePrivate(path: string): Promise<void> {
  await unless(['EEXIST'], () => mkdir(path, { mode: ownerOnly }))
  if (!(await inspect(path))) await chmod(path, ownerOnly)
}

/**
 * Whether it is closed to others. Whoever can plant a folder or a link where a private one belongs could read all of it.
 * @throws Error if it is a link, no folder or somebody else's
 */
export async function inspect(path: string): Promise<boolean> {
  const found = await lstat(path)
  if (found.isSymbolicLink()) throw refusal(path, 'it is a link, which is not followed')
  if (!found.isDirectory()) throw refusal(path, 'it is no folder')
  // Windows knows neither owners nor modes of this kind; there the folder's own rights have to do.
  const user = process.geteuid?.()
  if (user === undefined) return true
  if (found.uid !== user) throw refusal(path, `it belongs to user ${found.uid}, and this process is user ${user}`)
  return (found.mode & 0o777) === ownerOnly
}

function refusal(path: string, why: string): Error {
  return new Error(`${JSON.stringify(path)} is not used: ${why}. Give a \`root\` that is a folder of this store alone`)
}
