import type { Call } from './call.ts'
import { callEntry } from './entries.ts'
import type { Journal, JournalEntry } from './journal.ts'
import { isPromiseLike } from './maybe.ts'
import { describeThrown } from './thrown.ts'
import type { Ends } from './watch.ts'

/**
 * Appends an entry about `call`, made by `make` only if there is a journal. Gives `undefined` if the journal took it, otherwise why not; a promise of either where the
 * journal answered with one, which is waited for `stageTimeoutMs` at most. Never throws or rejects.
 */
export function record<A>(
  call: Call,
  make: (call: Call, detail: A) => JournalEntry,
  detail: A,
  depth?: number,
): undefined | string | Promise<string | undefined> {
  const { journal } = call.host
  return journal === undefined ? undefined : append(call, journal, make(call, detail), depth)
}

function append(
  call: Call,
  journal: Journal,
  entry: JournalEntry,
  depth: number | undefined,
): undefined | string | Promise<string | undefined> {
  let taken: unknown
  try {
    taken = journal.append(entry)
  } catch (thrown) {
    return refused(entry.type, describeThrown(thrown).message)
  }
  if (!isPromiseLike(taken)) return undefined
  const ends: Ends<unknown, string | undefined> = {
    value: () => undefined,
    thrown: (thrown) => refused(entry.type, describeThrown(thrown).message),
    late: (ms) => refused(entry.type, `it did not answer within ${ms} ms`),
    gone: () => refused(entry.type, 'the call was over first'),
  }
  return call.watch(call.host.options.stageTimeoutMs, ends, depth).wait(taken)
}

/** Not given up on with the call: its result waits for it. */
const outsideOfAll = -1

/** Appends an entry that nothing waits for now; a failure becomes a fault of the call, and `call.aside.appends` tells when it is known. */
export function recordBeside<A>(call: Call, make: (call: Call, detail: A) => JournalEntry, detail: A): void {
  const recorded = record(call, make, detail, outsideOfAll)
  if (recorded === undefined) return
  if (typeof recorded === 'string') return noteRefusal(call, recorded)
  call.beside().appends.push(recorded.then((why) => noteRefusal(call, why)))
}

function noteRefusal(call: Call, why: string | undefined): void {
  if (why !== undefined) call.fault('tool/call', why)
}

function refused(type: string, why: string): string {
  return `the journal did not take ${type}: ${why}`
}

/** Appends `tool/call`. Where the journal takes its time, `call.aside.recording` tells when it is done; its refusal stands in `call.aside.journalFailure`. */
export function recordCall(call: Call): Promise<void> | undefined {
  const recorded = record(call, callEntry, undefined)
  if (recorded === undefined) return undefined
  const aside = call.beside()
  if (typeof recorded === 'string') aside.journalFailure = recorded
  else {
    aside.recording = recorded.then((why) => {
      aside.journalFailure = why
      aside.recording = undefined
    })
  }
  return aside.recording
}
