import { type ToolResult, textOf } from '@pawl/core'
import type { DemoRun, StepRun } from './demo.ts'
import { cut, indent, oneLine, type Paint, wrap } from './terminal.ts'
import { timetable } from './timetable.ts'

/** Columns for text behind the number of a call; a line has a hundred. */
const room = 95

/** Characters of a result. The whole of it is in the messages to send back. */
const shown = 180

/** The run in words, for a terminal. */
export function report({ pipeline, steps, ok }: DemoRun, paint: Paint): string {
  const calls = steps.flatMap(({ message }) => message.calls).length
  const verdict = ok
    ? paint.good('ok: every call has its one result, in order')
    : paint.bad('FAILED: a result is missing or out of order')
  return [
    paint.title('The pipeline'),
    indent(pipeline),
    ...steps.map((step) => stepReport(step, paint)),
    `${verdict} (messages: ${steps.length}, calls: ${calls})`,
  ].join('\n\n')
}

function stepReport(step: StepRun, paint: Paint): string {
  const { file, provider, calls, finishReason } = step.message
  return [
    paint.title(file),
    `  ${provider.name} · calls: ${calls.length} · stopped for: ${oneLine(finishReason ?? 'no reason')}`,
    '',
    ...timetable(step, paint),
    '',
    paint.title('  Results in the order of the calls, each with its trace'),
    ...step.results.flatMap((result, index) => resultLines(result, index, paint)),
    '',
    paint.title('  To send back to the model'),
    ...step.reply.flatMap(messageLines),
  ].join('\n')
}

/** What the model reads of a result, and how it came about. */
function resultLines({ callId, isError, content, trace }: ToolResult, index: number, paint: Paint): string[] {
  const { attempts, bodyInvocations, abandoned, decisions, faults, spill } = trace
  const facts = [
    callId,
    `attempts: ${attempts}`,
    `bodies: ${bodyInvocations}${abandoned ? ' (abandoned)' : ''}`,
    ...decisions.map(({ by, kind }) => `${by}: ${kind}`),
  ]
  const asides = [
    facts.join(' · '),
    ...(spill === undefined ? [] : [`spilled: ${JSON.stringify(spill)}`]),
    ...faults.map(({ plugin, stage, message }) => `fault of ${plugin ?? 'the tool'} in ${stage}: ${message}`),
  ]
  const words = wrap(cut(oneLine(textOf(content)), shown), room)
  const lines = [
    ...words.map(isError ? paint.bad : paint.good),
    ...asides.flatMap((text) => wrap(oneLine(text), room)).map(paint.aside),
  ]
  return lines.map((line, at) => `  ${at === 0 ? String(index + 1).padStart(2) : '  '} ${line}`)
}

/** JSON: a line for each message, or for each block of a message that is a list of them. */
function messageLines(message: object): string[] {
  if (!('content' in message && Array.isArray(message.content)))
    return [`     ${cut(oneLine(JSON.stringify(message)), room)}`]
  const { content, ...head } = message
  const blocks = content.map((block) => `     ${cut(oneLine(JSON.stringify(block)), room)}`)
  return [`   ${JSON.stringify(head).slice(0, -1)},"content":[`, ...blocks, '   ]}']
}
