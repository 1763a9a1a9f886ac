import type { Call } from './call.ts'
import type { JournalEntry, RecordedOutcome } from './journal.ts'
import type { ToolResult } from './result.ts'

/*
 * One literal for each type of entry: spreading a common head into them would cost microseconds on every call.
 */

export function callEntry(call: Call): JournalEntry {
  const { executionId, stepId, index, callId, name, arguments: args, malformed } = call
  const { session } = call.lane.step
  const entry = {
    type: 'tool/call' as const,
    executionId,
    stepId,
    index,
    callId,
    name,
    at: Date.now(),
    arguments: args,
  }
  if (malformed !== undefined) Object.assign(entry, { malformed })
  if (session !== undefined) Object.assign(entry, { session })
  return withParent(call, entry)
}

export function rewrittenEntry(call: Call, by: string): JournalEntry {
  const { executionId, stepId, index, callId, name, arguments: args } = call
  const at = Date.now()
  return withParent(call, { type: 'tool/rewritten', executionId, stepId, index, callId, name, at, arguments: args, by })
}

export function dispatchEntry(call: Call, attempt: number): JournalEntry {
  const { executionId, stepId, index, callId, name } = call
  return withParent(call, { type: 'tool/dispatch', executionId, stepId, index, callId, name, at: Date.now(), attempt })
}

export function executedEntry(
  call: Call,
  { attempt, outcome }: { readonly attempt: number; readonly outcome: RecordedOutcome },
): JournalEntry {
  const { executionId, stepId, index, callId, name } = call
  const at = Date.now()
  const plain = outcome.isError
    ? { isError: true as const, error: outcome.error }
    : { isError: false as const, value: outcome.value }
  const entry = {
    type: 'tool/executed' as const,
    executionId,
    stepId,
    index,
    callId,
    name,
    at,
    attempt,
    outcome: plain,
  }
  return withParent(call, entry)
}

export function lateEntry(
  call: Call,
  { attempt, message }: { readonly attempt: number; readonly message: string },
): JournalEntry {
  const { executionId, stepId, index, callId, name } = call
  const at = Date.now()
  return withParent(call, { type: 'tool/late', executionId, stepId, index, callId, name, at, attempt, message })
}

export function resultEntry(call: Call, result: ToolResult): JournalEntry {
  const { executionId, stepId, index, callId, name } = call
  return withParent(call, { type: 'tool/result', executionId, stepId, index, callId, name, at: Date.now(), result })
}

function withParent({ lane: { parent } }: Call, entry: JournalEntry): JournalEntry {
  return parent === undefined ? entry : Object.assign(entry, { parent: parent.executionId })
}
