import type { Approver, Exec, Guard, Journal, JournalEntry, Outcome, Plugin, PostDecision } from '../../src/index.ts'
import { thenable, throwables } from './hostile.ts'
import type { Stage } from './observe.ts'
import { type ApproverAct, type GuardAct, minds, type ObserverAct, type PluginSpec } from './world.ts'

/*
 * The cast of a world: plugins, guards, approver and journal that do what the world says and tell the recorder.
 */

const never = <T>(): Promise<T> => new Promise<T>(() => {})
const thrownFor = (n: number): unknown => throwables[n % throwables.length]?.()

export function pluginOf(stage: Stage, spec: PluginSpec, name: string): Plugin {
  const later = <T>(label: string, act: () => T | Promise<T>): T | Promise<T> =>
    spec.waits ? stage.clock.wait(`${name} ${label}`).then(act) : act()
  return {
    name,
    ...(spec.role && { role: spec.role }),
    ...(spec.pre && {
      preExecute(exec, next) {
        const n = stage.numberOf(exec)
        stage.note('pre', n, name, exec.arguments)
        return later(`pre ${n}`, () => pre(minds(spec, n) ? spec.pre : 'forward', n, name, exec, next)) as never
      },
    }),
    ...(spec.execute && {
      execute(exec, next) {
        const n = stage.numberOf(exec)
        stage.note('wrap', n, name)
        const counted: typeof next = (options) => {
          stage.note('next', n, name)
          return next(options)
        }
        const act = minds(spec, n) ? spec.execute : 'forward'
        return later(`wrap ${n}`, () => wrap(stage, act, n, exec, counted)) as never
      },
    }),
    ...(spec.post && {
      postExecute(exec, result, next) {
        const n = stage.numberOf(exec)
        stage.note('post', n, name, result)
        return later(`post ${n}`, () => post(minds(spec, n) ? spec.post : 'next', n, next)) as never
      },
    }),
    ...(spec.onCall && { onCall: () => observer(spec.onCall) as never }),
    ...(spec.onResult && { onResult: () => observer(spec.onResult) as never }),
  }
}

function pre(act: PluginSpec['pre'], n: number, name: string, exec: Exec, next: () => Promise<unknown>): unknown {
  switch (act) {
    case 'pass':
      return next().then((decision) => decision)
    case 'allow':
      return { kind: 'allow' }
    case 'override':
      return next().then(() => ({ kind: 'allow' }))
    case 'deny':
      return { kind: 'deny', reason: `policy of ${name}` }
    case 'ask':
      return { kind: 'ask', reason: 'please' }
    case 'rewrite':
      return { kind: 'allow', arguments: { ...exec.arguments, tag: name } }
    case 'bad rewrite':
      return { kind: 'allow', arguments: { ...exec.arguments, bad: 1 } }
    case 'throw':
      throw thrownFor(n)
    case 'reject':
      return Promise.reject(thrownFor(n))
    case 'hang':
      return never()
    case 'garbage':
      return [undefined, null, 'allow', { kind: 'ALLOW' }, true, thenable(() => {}), []][n % 7]
    default:
      return next()
  }
}

async function retried(exec: Exec, next: () => Promise<Outcome>): Promise<Outcome> {
  let outcome = await next()
  for (let tries = 1; tries < 3 && outcome.isError; tries++) outcome = await next()
  return outcome.isError ? outcome : exec.succeed(outcome.value)
}

function wrap(
  stage: Stage,
  act: PluginSpec['execute'],
  n: number,
  exec: Exec,
  next: (options?: { signal: AbortSignal | AbortController }) => Promise<Outcome>,
): unknown {
  switch (act) {
    case 'pass':
      return next().then((outcome) => outcome)
    case 'twice':
      return next().then(() => next())
    case 'retry':
      return retried(exec, next)
    case 'answer':
      return exec.succeed({ n, from: 'elsewhere' })
    case 'fail':
      return exec.fail({ code: 'NOT_FOUND', message: 'nothing there' })
    case 'replace':
      return next().then(() => exec.succeed('replaced'))
    case 'bad value':
      return next().then(() => exec.succeed(Number.NaN))
    case 'throw':
      throw thrownFor(n)
    case 'throw after':
      return next().then(() => Promise.reject(thrownFor(n)))
    case 'hang':
      return never()
    case 'hang after':
      return next().then(() => never())
    case 'give up':
      void next()
      return exec.fail({ code: 'TOOL_TIMEOUT', message: 'took longer than 5 ms' })
    case 'parallel next':
      return Promise.all([next(), next()]).then(([first]) => first)
    case 'late next':
      void stage.clock.wait(`late ${n}`).then(() => next())
      return next().then((outcome) => outcome)
    case 'garbage':
      return [undefined, null, 'ok', { value: 1 }, { isError: true }, { isError: 'no' }, []][n % 7]
    case 'lookalike':
      return { isError: false, value: { n } }
    case 'signal':
      return next({ signal: new AbortController().signal })
    case 'controller':
      return next({ signal: new AbortController() })
    default:
      return next()
  }
}

function post(act: PluginSpec['post'], n: number, next: () => Promise<PostDecision>): unknown {
  switch (act) {
    case 'next':
      return next()
    case 'content':
      return { kind: 'accept', content: [{ type: 'text', text: 'other words \ud800' }] }
    case 'value':
      return { kind: 'accept', value: { n, from: 'a post hook' } }
    case 'both':
      return { kind: 'accept', content: [{ type: 'text', text: 'x' }], value: 1 }
    case 'bad value':
      return { kind: 'accept', value: 'violation' }
    case 'bad content':
      return { kind: 'accept', content: [[null], 'text', [{ type: 'text' }], [{ type: 'nonsense' }], 7][n % 5] }
    case 'block':
      return { kind: 'block', feedback: 'not like that \udc00' }
    case 'block empty':
      return { kind: 'block', feedback: '' }
    case 'context':
      return { kind: 'accept', context: ['a word to the model'] }
    case 'throw':
      throw thrownFor(n)
    case 'reject':
      return Promise.reject(thrownFor(n))
    case 'hang':
      return never()
    case 'garbage':
      return [undefined, null, 'accept', { kind: 'allow' }, 1, []][n % 6]
    default:
      return { kind: 'accept' }
  }
}

export function observer(act: ObserverAct | undefined): unknown {
  switch (act) {
    case 'throw':
      throw thrownFor(1)
    case 'reject':
      return Promise.reject(thrownFor(2))
    case 'hang':
      return never()
    case 'thenable':
      return thenable(() => {
        throw new Error('then')
      })
    default:
      return undefined
  }
}

export function guardOf(stage: Stage, spec: { readonly minds: number; readonly act: GuardAct }, by: string): Guard {
  return (exec) => {
    const n = stage.numberOf(exec)
    const act = minds(spec, n) ? spec.act : 'abstain'
    stage.note('guard', n, by, act)
    return guardAnswer(act) as never
  }
}

export function guardAnswer(act: GuardAct): unknown {
  switch (act) {
    case 'abstain':
      return undefined
    case 'deny':
      return 'not today'
    case 'empty':
      return ''
    case 'throw':
      throw thrownFor(4)
    case 'promise':
      return Promise.resolve(undefined)
    case 'rejection':
      return Promise.reject(new Error('later'))
    case 'null':
      return null
    case 'false':
      return false
    case 'zero':
      return 0
    case 'object':
      return {}
  }
}

export function approverOf(current: () => Stage): Approver {
  return {
    async request(exec) {
      const stage = current()
      const n = stage.numberOf(exec)
      const { approver, approver: { acts = [], waits = false } = {} } = stage.world
      const asked = stage.events.filter(({ kind }) => kind === 'ask').length
      const act = approver === undefined ? 'throw' : acts[asked % acts.length]
      stage.note('ask', n, undefined, exec.arguments)
      if (waits) await stage.clock.wait(`ask ${n}`)
      if (act === 'hang') return never()
      stage.note('answer', n, act, approverAnswers(act))
      return approverAnswer(act) as never
    },
  }
}

/** What a well-behaved reader makes of an act: the grants are these and no others. */
function approverAnswers(act: ApproverAct | undefined): 'allow' | 'deny' | 'neither' {
  if (act === 'allow' || act === 'allow object' || act === 'remember') return 'allow'
  return act === 'deny' || act === 'deny object' ? 'deny' : 'neither'
}

function approverAnswer(act: ApproverAct | undefined): unknown {
  switch (act) {
    case 'allow':
    case 'deny':
    case 'ALLOW':
      return act
    case 'allow object':
      return { decision: 'allow' }
    case 'remember':
      return { decision: 'allow', reason: 'fine', remember: 'always for this path' }
    case 'deny object':
      return { decision: 'deny', reason: 'no \ud800' }
    case 'true':
      return true
    case 'garbage':
      return { decision: 'ALLOW ', allow: true }
    case 'thrower':
      return Object.defineProperty({}, 'decision', { get: () => thrower() })
    case 'throw':
    case 'reject':
      throw thrownFor(6)
    default:
      return undefined
  }
}

function thrower(): never {
  throw new Error('a getter')
}

export function journalOf(current: () => Stage): Journal {
  return {
    append(entry) {
      const stage = current()
      const spec = stage.world.journal
      const n = stage.numberOfEntry(entry)
      stage.note(entry.type, n, undefined, entry)
      const fault = spec?.faults.find(({ type, ...fault }) => type === entry.type && minds(fault, Math.max(0, n)))
      const taken = (): void => stage.note('taken', n, entry.type)
      if (fault !== undefined) return refuse(fault.how, entry)
      if (spec?.waits !== true) return taken()
      return stage.clock.wait(`journal ${entry.type} ${n}`).then(taken)
    },
  }
}

function refuse(how: 'throw' | 'reject' | 'hang' | 'thenable', entry: JournalEntry): Promise<void> {
  if (how === 'throw') throw new Error(`no ${entry.type}`)
  if (how === 'reject') return Promise.reject(new Error(`no ${entry.type}`))
  if (how === 'hang') return never()
  return thenable(() => {
    throw new Error(`no ${entry.type}`)
  }) as Promise<void>
}
