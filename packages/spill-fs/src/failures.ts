/** What a code of the system means here, and what to do about it. */
const meanings: { readonly [code: string]: string } = {
  ENOSPC: 'the disk is full (ENOSPC). Free some space, or give a `root` elsewhere',
  EDQUOT: 'the disk quota is used up (EDQUOT). Free some space, or give a `root` elsewhere',
  EFBIG:
    'the file would be larger than this process or disk allows (EFBIG). Raise that limit, or set `quotaBytes` below it',
  EROFS: 'it is on a disk that is mounted read-only (EROFS). Give a `root` that can be written to',
  EACCES: 'this process may not write there (EACCES). Give a `root` that it may write to',
  EPERM: 'this process may not write there (EPERM). Give a `root` that it may write to',
  ENOTDIR: 'something on the way to it is no folder (ENOTDIR). Give a `root` whose parents are folders',
  EEXIST: 'something that is no folder stands in its place (EEXIST). Move it away, or give another `root`',
  ENOENT: 'it is not there (ENOENT). Do not remove the folder of a store that is in use',
  EMFILE: 'too many files are open in this process (EMFILE). Close some, or raise the limit',
}

/** Does something with the disk; what goes wrong names the folder, the cause and the way out. */
export async function attempt<T>(doing: string, root: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    const meaning = meanings[codeOf(cause) ?? ''] ?? String((cause as Error)?.message ?? cause)
    throw new Error(`[pawl] spillFs: ${doing} in ${JSON.stringify(root)} failed: ${meaning}.`, { cause })
  }
}

/** The system's code of a failure, such as `ENOSPC`. */
export function codeOf(failure: unknown): string | undefined {
  const { code } = (failure ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

/** Gives `undefined` for a failure with one of these codes. */
export async function unless<T>(codes: readonly string[], act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act()
  } catch (failure) {
    if (codes.includes(codeOf(failure) ?? '')) return undefined
    throw failure
  }
}
