/** What `readSpill` takes. */
export interface ReadSpillOptions {
  /** Bytes of text in one answer, at most; from 512 on. **Default:** 16,384. */
  readonly pageBytes?: number
}

/** @throws TypeError naming the option, what it has to be and what it is */
export function readPageBytes(options: ReadSpillOptions): number {
  for (const member of Object.keys(options)) {
    if (member !== 'pageBytes')
      throw new TypeError(`[pawl] readSpill: unknown option \`${member}\`. Known is: pageBytes.`)
  }
  const { pageBytes = 16_384 } = options
  if (!Number.isSafeInteger(pageBytes) || pageBytes < 512)
    throw new TypeError(
      `[pawl] readSpill: \`pageBytes\` has to be a whole number of bytes from 512 on. It is ${String(pageBytes)}.`,
    )
  return pageBytes
}
