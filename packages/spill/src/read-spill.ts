import type { AnyTool, Exec, Outcome, ToolAnnotations } from '@pawl/core'
import { type BlobPage, blobOf, isShown, largestShown } from './blobs.ts'
import type { SpillReader } from './contract.ts'
import { type MatchesPage, pageOf, type TextPage, type Wish } from './pages.ts'
import type { ReadSpillErrorCode } from './read-spill-errors.ts'
import { type ReadSpillOptions, readPageBytes } from './read-spill-options.ts'
import { renderPage } from './render-page.ts'
import type { Place } from './scan.ts'

/**
 * Stands on a tool whose results are pages of what was spilled: they are bounded already, and spilling them again would never
 * end. It goes by this mark and not by the name, which a deployment may change.
 */
export interface SpillReadAnnotations extends ToolAnnotations {
  readonly readsSpill: true
}

type Arguments = Wish & { readonly locator: string }
type Value = TextPage | MatchesPage | BlobPage

const annotations: SpillReadAnnotations = {
  readOnlyHint: true,
  idempotentHint: true,
  openWorldHint: false,
  readsSpill: true,
}

const parameters = {
  type: 'object',
  properties: {
    locator: { type: 'string', description: 'Exactly as it was given.' },
    line: { type: 'integer', minimum: 1, description: 'First line to read, from 1 on. Default: 1.' },
    byte: {
      type: 'integer',
      minimum: 0,
      description: 'First byte to read or to search, from 0 on, instead of a line.',
    },
    search: { type: 'string', minLength: 1, maxLength: 1_000, description: 'Find this exact text instead of reading.' },
    limit: { type: 'integer', minimum: 1, description: 'Most lines (with byte: bytes, with search: matches) wanted.' },
  },
  required: ['locator'],
  additionalProperties: false,
} as const

const whole = { type: 'integer', minimum: 0 } as const
const text = { type: 'string' } as const
const output = {
  type: 'object',
  properties: {
    kind: { enum: ['text', 'matches', 'blob'] },
    bytes: whole,
    next: { type: 'object', properties: { line: whole, byte: whole, search: text }, additionalProperties: false },
    text,
    from: whole,
    to: whole,
    first: whole,
    last: whole,
    search: text,
    matches: {
      type: 'array',
      items: {
        type: 'object',
        properties: { line: whole, byte: whole, excerpt: text },
        required: ['line', 'byte', 'excerpt'],
        additionalProperties: false,
      },
    },
    mediaType: text,
    data: text,
  },
  required: ['kind', 'bytes'],
  additionalProperties: false,
} as const

/**
 * The tool `read_spill`: reads back what was spilled, by lines, by bytes or by searching it, one bounded page at a time; each page
 * says how to ask for the next one. Pictures and sound up to 4 MiB come back whole, as what they are. It reads for the session of
 * its own call only. It is plain, and may be given another name: `{ ...readSpill(store), name: 'fetch_output' }`.
 *
 * Fails with the codes of `readSpillErrorCodes`; what a failing store says is never shown to the model.
 * @throws TypeError if the reader is none or an option is wrong
 * @example
 * const store = memorySpillStore()
 * createToolRuntime({ tools: [...tools, readSpill(store)] })
 */
export function readSpill(reader: SpillReader, options: ReadSpillOptions = {}): AnyTool {
  if (typeof reader?.read !== 'function')
    throw new TypeError('[pawl] readSpill: its first argument has to be a store that can read back: one with `read`.')
  const pageBytes = readPageBytes(options)
  return {
    name: 'read_spill',
    description:
      'Reads back output that was too large to show, one page at a time: by lines (default), from a byte on, or by searching it for an exact text. Each page says how to go on.',
    annotations,
    parameters,
    output: {
      schema: output,
      render: (args: unknown, value: unknown) => renderPage((args as Arguments).locator, value as Value),
    },
    isConcurrencySafe: () => true,
    execute: (args: unknown, exec: Exec) => answer(reader, args as Arguments, exec, pageBytes),
  } as AnyTool
}

async function answer(
  reader: SpillReader,
  { locator, ...wish }: Arguments,
  exec: Exec,
  pageBytes: number,
): Promise<Value | Outcome> {
  const { session, signal } = exec
  const place: Place = { session, locator, signal }
  if (wish.line !== undefined && (wish.byte !== undefined || wish.search !== undefined))
    return fail(exec, 'SPILL_BAD_RANGE', '`line` goes with neither `byte` nor `search`. Leave one of them out.')
  try {
    const value = await pageFor(reader, place, wish, pageBytes)
    if (value === undefined) return fail(exec, 'SPILL_NOT_FOUND', notFound(locator))
    return 'refusal' in value ? fail(exec, 'SPILL_NOT_SHOWN', value.refusal, value.details) : value
  } catch (failure) {
    // Cancelled: what becomes of that is the pipeline's to say.
    if (signal.aborted) throw failure
    exec.note({ spill: { failure: String(failure) } })
    const words = 'The store of spilled output failed while it was read. Try again, or run the tool that made it again.'
    return exec.fail({ code: 'SPILL_UNREADABLE' satisfies ReadSpillErrorCode, message: words, retryable: true })
  }
}

interface NotShown {
  readonly refusal: string
  readonly details: { readonly mediaType: string; readonly bytes: number }
}

async function pageFor(
  reader: SpillReader,
  place: Place,
  wish: Wish,
  pageBytes: number,
): Promise<Value | NotShown | undefined> {
  const start = await reader.read({ ...place, offset: 0, limit: 1 })
  if (start === undefined) return undefined
  const { mediaType, bytes } = start
  if (mediaType === undefined) return pageOf(reader, place, wish, pageBytes)
  if (isShown(mediaType, bytes)) return blobOf(reader, place, mediaType)
  const refusal = `It is ${mediaType} of ${bytes} bytes; only text, and pictures and sound up to ${largestShown} bytes, can be shown.`
  return { refusal, details: { mediaType, bytes } }
}

function notFound(locator: string): string {
  const shown = JSON.stringify(locator.length > 100 ? `${locator.slice(0, 100)}…` : locator)
  return `Expired or not found: ${shown}. Give the locator exactly as it was given, or run the tool that made the output again.`
}

function fail(exec: Exec, code: ReadSpillErrorCode, message: string, details?: unknown): Outcome {
  return exec.fail({ code, message, ...(details !== undefined && { details }) })
}
