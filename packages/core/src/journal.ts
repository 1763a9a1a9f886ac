import { type CallError, ConfigError } from './errors.ts'
import type { Json } from './json.ts'
import type { Session } from './plugin.ts'
import type { ToolResult } from './result.ts'

/** What every entry says of the call that it is about. */
export interface EntryHead {
  /** Unique over all processes that share a journal. */
  readonly executionId: string
  /** The step, shared by all its calls, nested ones too. */
  readonly stepId: string
  /** The call's position in its step, or in its parent's lane. */
  readonly index: number
  readonly callId: string
  readonly name: string
  /** Wall clock, ms since the epoch. */
  readonly at: number
  /** The `executionId` of the call that this one is nested in. */
  readonly parent?: string
}

/** What a body came to. */
export type RecordedOutcome =
  | { readonly isError: false; readonly value: Json }
  | { readonly isError: true; readonly error: CallError }

/**
 * One line of the journal: plain JSON, the journal's own to keep; what it holds of the call is frozen.
 * - `tool/call`: the call is known; `malformed` says why its text was no JSON object (then `arguments` is `{}`)
 * - `tool/rewritten`: a plugin replaced the arguments
 * - `tool/dispatch`: the body is about to run, for the `attempt`-th time
 * - `tool/executed`: what that run came to
 * - `tool/late`: an abandoned run ended after its call had its result
 * - `tool/suspended`: an approval was deferred
 * - `tool/result`: the one result
 */
export type JournalEntry = EntryHead &
  (
    | { readonly type: 'tool/call'; readonly arguments: Json; readonly malformed?: string; readonly session?: Session }
    | { readonly type: 'tool/rewritten'; readonly arguments: Json; readonly by: string }
    | { readonly type: 'tool/dispatch'; readonly attempt: number }
    | { readonly type: 'tool/executed'; readonly attempt: number; readonly outcome: RecordedOutcome }
    | { readonly type: 'tool/late'; readonly attempt: number; readonly message: string }
    | { readonly type: 'tool/suspended'; readonly reason?: string }
    | { readonly type: 'tool/result'; readonly result: ToolResult }
  )

/**
 * Where calls are written down before they run. `append` may answer at once or with a promise, which is then awaited
 * (at most `stageTimeoutMs`); a throw or rejection before a body means that the body does not run. Entries of one call
 * are appended in order; entries of different calls may be handed over while earlier promises are pending.
 * A runtime never closes a journal: whoever opened it does, after the runtime's own `close()`.
 */
export interface Journal {
  append(entry: JournalEntry): void | Promise<void>
  entries?(): AsyncIterable<JournalEntry>
  close?(): void | Promise<void>
}

/** Options of `memoryJournal`. */
export interface MemoryJournalOptions {
  /** How many closed steps stay readable, the newest first kept. **Default:** 0, a step is forgotten once it is closed. */
  keep?: number
}

interface StepEntries {
  readonly id: string
  open: number
  readonly entries: JournalEntry[]
  /** Whether it stands in the map already; most steps are over before a second one begins, and never do. */
  listed: boolean
}

/**
 * A journal in this process's memory. A step is closed once each of its calls has its result.
 * @throws ConfigError if `keep` is no number of steps
 */
export function memoryJournal({
  keep = 0,
}: MemoryJournalOptions = {}): Journal & { entries(): AsyncIterable<JournalEntry> } {
  if (!(Number.isInteger(keep) && keep >= 0) && keep !== Number.POSITIVE_INFINITY)
    throw new ConfigError(
      `[pawl] memoryJournal: \`keep\` has to be a whole number of steps, or Infinity. It is ${String(keep)}.`,
    )
  const steps = new Map<string, StepEntries>()
  const closed: string[] = []
  let current: StepEntries | undefined

  function list(step: StepEntries | undefined): void {
    if (step === undefined || step.listed) return
    step.listed = true
    steps.set(step.id, step)
  }

  function stepOf({ stepId, type }: JournalEntry): StepEntries | undefined {
    if (current?.id === stepId) return current
    list(current)
    current = steps.size === 0 ? undefined : steps.get(stepId)
    // Otherwise it is a late word on a step that is already forgotten.
    if (current === undefined && type === 'tool/call') current = { id: stepId, open: 0, entries: [], listed: false }
    return current
  }

  function close(step: StepEntries): void {
    if (keep > 0) {
      list(step)
      closed.push(step.id)
      if (closed.length > keep) steps.delete(closed.shift() as string)
    } else if (step.listed) steps.delete(step.id)
    current = undefined
  }

  return {
    append(entry) {
      const step = stepOf(entry)
      if (step === undefined) return
      step.entries.push(entry)
      if (entry.type === 'tool/call') step.open++
      else if (entry.type === 'tool/result' && --step.open === 0) close(step)
    },
    async *entries() {
      list(current)
      for (const step of [...steps.values()]) yield* [...step.entries]
    },
  }
}
