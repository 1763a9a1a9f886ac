/** The codes that `read_spill` fails with, beside those of the pipeline, with their meaning. */
export const readSpillErrorCodes = {
  SPILL_NOT_FOUND:
    'There is no such artefact for this session: it expired, was removed, is another session’s, or the locator is not as it was given.',
  SPILL_BAD_RANGE: 'The arguments do not go together. Nothing was read.',
  SPILL_NOT_SHOWN: 'It is no text, and no picture or sound that is small enough to be shown (`details`).',
  SPILL_UNREADABLE:
    'The store failed. What it said stays out of the model’s sight and is in the trace (`spill.failure`).',
} as const

/** A code of `readSpillErrorCodes`. */
export type ReadSpillErrorCode = keyof typeof readSpillErrorCodes
