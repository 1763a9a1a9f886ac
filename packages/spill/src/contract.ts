import type { Session } from '@pawl/core'

/** What both kinds of saving take. */
export interface SaveRequest {
  /**
   * Whose it is, as `exec.session` gives it: only this session can read it back. `'a'` and `{ id: 'a' }` are the same session,
   * with another principal it is another one, and calls without a session share one of their own.
   */
  readonly session: Session | undefined
  /** For people who look into the store. It never decides where something is put, so it may hold anything. */
  readonly name?: string | undefined
  /** Gives up: the saving rejects with the signal's reason and nothing remains, also where the source hangs. */
  readonly signal?: AbortSignal | undefined
}

/** A text to save. */
export interface SaveTextRequest extends SaveRequest {
  /**
   * All of it, or its pieces in order; pieces are taken one at a time, so that a large text needs little memory. Saved as UTF-8,
   * verbatim: control characters, line ends and byte-order marks stay. Half a surrogate pair is saved as U+FFFD, three bytes; the
   * two halves of one may come in two pieces. If the pieces fail, the saving rejects with their error.
   */
  readonly text: string | AsyncIterable<string>
}

/** Bytes to save: a picture, sound. */
export interface SaveBlobRequest extends SaveRequest {
  /** All of it, or its pieces in order. They are not to be changed before the saving has settled. */
  readonly data: Uint8Array | AsyncIterable<Uint8Array>
  /** As in `image/png`: kept as it is, and given back by the reader. */
  readonly mediaType: string
}

/** Where something was put. */
export interface SpillRef {
  /**
   * Opaque: it is printed and handed back, never parsed. Nobody can guess one, and it works for its own session only.
   */
  readonly locator: string
  /** Exact size: UTF-8 bytes of a text. */
  readonly bytes: number
  /** One sentence for the model that says how to read it back, with the locator in it. Names no place of the host unless the store was asked to. */
  readonly retrievalHint: string
}

/**
 * Takes what is too large for the model. What was saved is complete and never changes; nothing is ever overwritten. A failure
 * rejects, and leaves nothing behind that a locator reaches.
 */
export interface SpillStore {
  /** Resolves once the whole text can be read back. */
  saveText(request: SaveTextRequest): Promise<SpillRef>
  /** The same for bytes. A store without it holds text only. */
  saveBlob?(request: SaveBlobRequest): Promise<SpillRef>
  /** Ends what is under way, which then rejects, and lets go of what the store holds. May be called again. */
  close?(): Promise<void>
}

/** Which bytes to read. */
export interface ReadRequest {
  /** Who reads: see `SaveRequest`. */
  readonly session: Session | undefined
  /** As `SpillRef` gave it. */
  readonly locator: string
  /** The first byte, from 0 on. */
  readonly offset: number
  /** How many bytes at most, from 1 on. */
  readonly limit: number
  /** Gives up: the reading rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Some bytes of an artefact. */
export interface SpillRange {
  /** From `offset` on: `limit` bytes, fewer only where the artefact ends. The caller's to keep. */
  readonly data: Uint8Array
  /** Size of the whole artefact. */
  readonly bytes: number
  /** What `saveBlob` was given. `undefined`: it is a text, in UTF-8. */
  readonly mediaType: string | undefined
}

/**
 * A store that can read back. Lines, pages of whole characters and searching are made of this: `readText`, `readLines` and
 * `searchText` work with any reader.
 */
export interface SpillReader {
  /**
   * `undefined` if there is no such artefact for this session: it is another session's, has expired, was removed, or the locator
   * is none. Which of these it is, is not told. Rejects if the store fails.
   */
  read(request: ReadRequest): Promise<SpillRange | undefined>
}
