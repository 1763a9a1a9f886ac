import { isDeepStrictEqual } from 'node:util'
import type { Call } from './call.ts'
import { rewrittenEntry } from './entries.ts'
import { snapshot } from './json.ts'
import { after, type MaybePromise } from './maybe.ts'
import { observe } from './observe.ts'
import { type Failure, fail } from './outcome.ts'
import { record } from './record.ts'
import { nearest } from './schema/index.ts'
import type { Broken } from './schema-input.ts'
import { describeThrown } from './thrown.ts'

/**
 * Finds the tool and checks the arguments, before any policy, person or body sees the call (STG-2). What it finds is fixed for
 * the whole call (STG-7). `undefined` admits.
 */
export function admit(call: Call): MaybePromise<Failure | undefined> {
  call.enter('admit')
  call.admitted = true
  resolveTool(call)
  return after(identify(call) ?? after(fillDefaults(call), call, checked), call, left)
}

function checked(call: Call, refusal: Failure | undefined): MaybePromise<Failure | undefined> {
  return refusal ?? after(checkArguments(call), call, admitted)
}

function left(call: Call, refusal: Failure | undefined): Failure | undefined {
  call.leave('admit')
  return refusal
}

/** Fixes tool and layers, whatever becomes of the call, and tells the observers of a call that the journal took. */
export function resolveTool(call: Call): void {
  call.tool = call.host.registry.find(call.name)
  call.layers = call.host.plugins.layers
  if (call.aside?.journalFailure !== undefined) return
  for (const plugin of call.layers.onCall) observe(call, plugin.name, () => plugin.onCall(call.face))
}

function identify(call: Call): Failure | undefined {
  if (call.aside?.journalFailure !== undefined) {
    return fail(call, 'JOURNAL_ERROR', `${call.name} did not run: ${call.aside.journalFailure}`, 'tool/call')
  }
  if (call.tool === undefined) return unknownTool(call)
  if (call.truncated) {
    const message = `${call.name} did not run: the output limit cut this call off. Make the call again, with less text in it if need be.`
    return fail(call, 'INVALID_ARGS', message, 'admit', { details: { truncated: true } })
  }
  return call.malformed === undefined ? undefined : invalid(call, { message: call.malformed, violations: [] })
}

function unknownTool(call: Call): Failure {
  const suggestion = nearest(call.name, call.host.registry.names())
  const hint = suggestion === undefined ? 'Use one of the tools that were offered.' : `Did you mean "${suggestion}"?`
  const details = suggestion === undefined ? undefined : { suggestion }
  return fail(call, 'UNKNOWN_TOOL', `There is no tool named "${call.name.toWellFormed()}". ${hint}`, 'admit', {
    details,
  })
}

function admitted(call: Call, broken: Broken | undefined): Failure | undefined {
  call.valid = broken === undefined
  return broken && invalid(call, broken)
}

function invalid(call: Call, { message, violations }: Broken): Failure {
  const text = `${call.name} did not run: its arguments are not valid. ${message}`
  return fail(call, 'INVALID_ARGS', text, 'admit', violations.length === 0 ? {} : { details: { violations } })
}

/** The arguments as they stand against the tool's parameters. */
export function checkArguments(call: Call): MaybePromise<Broken | undefined> {
  const parameters = call.tool?.parameters
  if (parameters === undefined) return undefined
  const broken = parameters.check(call.arguments)
  if (!(broken instanceof Promise)) return broken
  const failed = (why: string): Broken => ({ message: `The check of its schema ${why}.`, violations: [] })
  const watch = call.watch<Broken | undefined, Broken | undefined>(call.host.options.stageTimeoutMs, {
    value: (said) => said,
    thrown: (thrown) => failed(`failed: ${describeThrown(thrown).message}`),
    late: (ms) => failed(`did not settle within ${ms} ms`),
    gone: () => failed('was not waited for'),
  })
  return watch.wait(broken)
}

/**
 * With the defaults of the tool's parameters filled in, if the deployment asks for it, and frozen like all arguments: what was
 * checked and judged is what runs.
 * @throws ValueRefused if what the defaults make exceeds the limits
 */
export function withDefaults(call: Call, args: Call['arguments']): Call['arguments'] {
  const { applyDefaults, limits } = call.host.options
  const parameters = call.tool?.parameters
  return applyDefaults && parameters !== undefined
    ? (snapshot(parameters.withDefaults(args), limits) as Call['arguments'])
    : args
}

/** The journal has the arguments as the model gave them, and then, where defaults made others of them, those that run. */
function fillDefaults(call: Call): MaybePromise<Failure | undefined> {
  const given = call.arguments
  try {
    call.arguments = withDefaults(call, given)
  } catch (refused) {
    const why = `The defaults of its schema can not be filled in: ${describeThrown(refused).message}.`
    return invalid(call, { message: why, violations: [] })
  }
  if (call.arguments === given || isDeepStrictEqual(call.arguments, given)) return undefined
  return after(record(call, rewrittenEntry, 'applyDefaults'), call, taken)
}

function taken(call: Call, why: string | undefined): Failure | undefined {
  return why === undefined ? undefined : fail(call, 'JOURNAL_ERROR', `${call.name} did not run: ${why}`, 'admit')
}
