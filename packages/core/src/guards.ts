import type { Call } from './call.ts'
import { disown, isPromiseLike } from './maybe.ts'
import { type Failure, fail } from './outcome.ts'
import type { Guard } from './plugin.ts'
import { describeThrown } from './thrown.ts'

interface Standing {
  readonly by: string
  readonly guard: Guard
}

/** The ratchet: the guards of a runtime, read live, in order of registration. There is no way to say "allow" here. */
export class Guards {
  /** Changes with the list, so that a call knows whether all that stand now have had their word. */
  version = 0
  list: readonly Standing[] = []

  add(by: string, guard: Guard): () => void {
    const standing: Standing = { by, guard }
    this.list = [...this.list, standing]
    this.version++
    return () => {
      if (!this.list.includes(standing)) return
      this.list = this.list.filter((other) => other !== standing)
      this.version++
    }
  }
}

/** Asks every guard; the first that does not abstain denies. Fails closed: only `undefined` abstains. */
export function judgedByGuards(call: Call): Failure | undefined {
  const { guards } = call.host
  call.guardsSeen = guards.version
  if (guards.list.length === 0) return undefined
  call.enter('guards')
  const denial = firstDenial(call, guards.list)
  call.leave('guards')
  return denial
}

/** Asks them again if the list has changed since they had their word. */
export function judgedAnew(call: Call): Failure | undefined {
  return call.guardsSeen === call.host.guards.version ? undefined : judgedByGuards(call)
}

function firstDenial(call: Call, guards: readonly Standing[]): Failure | undefined {
  for (const { by, guard } of guards) {
    const reason = reasonOf(guard, call)
    if (reason === undefined) continue
    call.decided(by, 'deny', reason)
    return fail(call, 'DENIED', `${call.name} was denied by a guard: ${reason}`, 'guards', { details: { by, reason } })
  }
  return undefined
}

function reasonOf(guard: Guard, call: Call): string | undefined {
  try {
    const said: unknown = guard(call.face)
    if (said === undefined) return undefined
    if (typeof said === 'string') return said.trim() === '' ? 'it gave no reason' : said.toWellFormed()
    disown(said)
    if (isPromiseLike(said)) return 'it answered with a promise, which counts as a denial: guards are synchronous'
    return 'it answered neither with a string nor with undefined, which counts as a denial'
  } catch (thrown) {
    return `it threw, which counts as a denial: ${describeThrown(thrown).message}`
  }
}
