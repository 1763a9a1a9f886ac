import { isDeepStrictEqual } from 'node:util'
import { checkArguments, withDefaults } from './admit.ts'
import type { Call } from './call.ts'
import { rewrittenEntry } from './entries.ts'
import { isJsonObject, type Json, snapshot } from './json.ts'
import { after, isPromiseLike, type MaybePromise } from './maybe.ts'
import { aborted, type Failure, fail, pluginError } from './outcome.ts'
import type { Decision, Plugin } from './plugin.ts'
import { record } from './record.ts'
import { describeThrown } from './thrown.ts'
import type { Watch } from './watch.ts'

/** What the waterfall came to: go on (`undefined`), ask somebody, or a failure. */
export type Verdict = undefined | Question | Failure

/** A layer wants somebody to be asked. */
export interface Question {
  readonly ask: Extract<Decision, { kind: 'ask' }>
  readonly by: string
}

/** What the layers from some depth inward say, and who of them said it; a crash denies. */
interface Said {
  readonly decision: Decision
  readonly by: string
  readonly crash?: Failure
}

const nobody: Said = { decision: Object.freeze({ kind: 'allow' }), by: '' }
const allowed: Promise<Decision> = Promise.resolve(nobody.decision)

/** Runs the waterfall, and once more from its start if it rewrote the arguments, so that every policy judges what will run (STG-9). */
export function preExecute(call: Call): MaybePromise<Verdict> {
  if (call.layers.preExecute.length === 0) return undefined
  call.enter('tools/pre-execute')
  return after(after(layer(call, 0), call, verdictOf), call, left)
}

function left(call: Call, verdict: Verdict): Verdict {
  call.leave('tools/pre-execute')
  return verdict
}

function verdictOf(call: Call, { decision, by, crash: crashed }: Said): MaybePromise<Verdict> {
  if (crashed !== undefined) return crashed
  if (decision.kind === 'ask') return { ask: decision, by }
  if (decision.kind === 'deny') return denied(call, by, decision.reason)
  if (decision.arguments === undefined) return undefined
  return call.rewritten
    ? crash(call, by, 'it rewrote the arguments a second time').crash
    : rewrite(call, by, decision.arguments as Call['arguments'])
}

function layer(call: Call, at: number): MaybePromise<Said> {
  const plugin = call.layers.preExecute[at]
  if (plugin === undefined) return nobody
  let watch: Watch<unknown, Said> | undefined
  let pending = false
  let closed = false
  let inner: MaybePromise<Said> | undefined
  let promise: Promise<Decision> | undefined
  const next = (): Promise<Decision> => {
    if (promise !== undefined) return promise
    if (closed || call.outcome !== undefined) return tooLate(call, plugin.name)
    inner = layer(call, at + 1)
    if (inner instanceof Promise) {
      pending = true
      watch?.pause()
      inner = inner.finally(() => {
        pending = false
        watch?.run()
      })
    }
    promise = inner === nobody ? allowed : Promise.resolve(inner).then(({ decision }) => decision)
    return promise
  }
  let said: unknown
  try {
    said = plugin.preExecute(call.face, next)
  } catch (thrown) {
    closed = true
    return crash(call, plugin.name, describeThrown(thrown).message)
  }
  if (said !== undefined && said === promise) return inner as MaybePromise<Said>
  const close = (word: MaybePromise<Said>): MaybePromise<Said> => {
    closed = true
    return word
  }
  if (!isPromiseLike(said)) return close(heard(call, plugin, said, inner))
  watch = call.watch<unknown, Said>(plugin.stageTimeoutMs ?? call.host.options.stageTimeoutMs, {
    value: (decision) => close(heard(call, plugin, decision, inner)),
    thrown: (thrown) => close(crash(call, plugin.name, describeThrown(thrown).message)),
    late: (ms) => close(crash(call, plugin.name, `it did not settle within ${ms} ms`)),
    gone: () => close(gone(call)),
  })
  if (pending) watch.pause()
  return watch.wait(said)
}

/** A layer that has given its word can not have anything run inside it any more. */
function tooLate(call: Call, plugin: string): Promise<Decision> {
  const reason = 'called next() after it had settled'
  call.fault('tools/pre-execute', reason, plugin)
  return Promise.resolve({ kind: 'deny', reason })
}

/** A layer's answer: what the inner ones said, handed on as it is, or a decision of its own. Only the exact shape counts. */
function heard(call: Call, { name }: Plugin, said: unknown, inner: MaybePromise<Said> | undefined): MaybePromise<Said> {
  return after(inner ?? nobody, call, (_, below) => {
    if (said === below.decision) return below
    const word = wordOf(call, name, said)
    if (word === undefined) return crash(call, name, 'preExecute() has to return { kind: "allow" | "deny" | "ask", … }')
    if (word.crash !== undefined) return word
    const { decision } = word
    const kind = decision.kind === 'allow' && decision.arguments !== undefined ? 'rewrite' : decision.kind
    call.decided(name, kind, 'reason' in decision ? decision.reason : undefined)
    if (below.crash !== undefined && kind !== 'deny') return below // what an inner policy would have said is not known
    return word
  })
}

function wordOf(call: Call, by: string, said: unknown): Said | undefined {
  const decision = decisionOf(said)
  if (decision?.kind !== 'allow' || decision.arguments === undefined) return decision && { decision, by }
  return rewriteOf(call, by, decision.arguments)
}

/** A rewrite with its arguments as JSON. The ones that the call has are no rewrite. */
function rewriteOf(call: Call, by: string, given: unknown): Said {
  let copy: Json
  try {
    copy = snapshot(given, call.host.options.limits)
    if (isJsonObject(copy)) copy = withDefaults(call, copy)
  } catch (refused) {
    return invalid(call, by, describeThrown(refused).message)
  }
  if (!isJsonObject(copy)) return invalid(call, by, 'not a JSON object')
  if (isDeepStrictEqual(copy, call.arguments)) return { ...nobody, by }
  return { decision: { kind: 'allow', arguments: copy }, by }
}

/** A copy of what a layer returned, each member read once; `undefined` if it is no decision. */
function decisionOf(said: unknown): Decision | undefined {
  try {
    const { kind, reason, onAnswer, arguments: given } = said as { [member: string]: unknown }
    const words = typeof reason === 'string' && reason.trim() !== '' ? reason.toWellFormed() : undefined
    if (kind === 'allow') return given === undefined ? { kind } : { kind, arguments: given }
    if (kind === 'deny') return { kind, reason: words ?? 'no reason was given' }
    if (kind !== 'ask') return undefined
    return {
      kind,
      ...(words === undefined ? undefined : { reason: words }),
      ...(typeof onAnswer === 'function' ? { onAnswer: onAnswer as never } : undefined),
    }
  } catch {
    return undefined
  }
}

function denied(call: Call, by: string, reason: string): Failure {
  return fail(call, 'DENIED', `${call.name} was denied by ${by}: ${reason}`, 'tools/pre-execute', {
    details: { by, reason },
  })
}

function crash(call: Call, plugin: string, what: string): Said & { readonly crash: Failure } {
  call.fault('tools/pre-execute', what, plugin)
  const crash = pluginError(call, plugin, 'tools/pre-execute', what)
  return { decision: { kind: 'deny', reason: crash.error.message }, by: plugin, crash }
}

/** The lane has stopped waiting: the call has its outcome, and no further policy, guard or person hears of it. */
function gone(call: Call): Said {
  return {
    decision: { kind: 'deny', reason: 'the call is over' },
    by: 'pawl',
    crash: aborted(call, 'tools/pre-execute'),
  }
}

function invalid(call: Call, by: string, why: string): Said & { readonly crash: Failure } {
  return crash(call, by, `it rewrote the arguments to something invalid: ${why}`)
}

/** Other arguments: validated and journalled like the model's own, then judged by the whole waterfall. */
function rewrite(call: Call, by: string, copy: Call['arguments']): MaybePromise<Verdict> {
  call.arguments = copy
  call.rewritten = true
  return after(checkArguments(call), call, (_, broken) => {
    if (broken !== undefined) return invalid(call, by, broken.message).crash
    return after(record(call, rewrittenEntry, by), call, judgeAgain)
  })
}

function judgeAgain(call: Call, why: string | undefined): MaybePromise<Verdict> {
  if (why !== undefined) return fail(call, 'JOURNAL_ERROR', `${call.name} did not run: ${why}`, 'tools/pre-execute')
  return after(layer(call, 0), call, verdictOf)
}
