import type { Pick } from './clockwork.ts'

/*
 * A world is data: what tools, plugins, guards, approver and journal do to each call, when what goes on, and when the caller
 * aborts. The behaviour stands in the calls, so that a counter-example holds nothing that does not matter.
 */

export const toolNames = ['plain', 'bare', 'nowhere', '__proto__', 'constructor', ''] as const
type ToolName = (typeof toolNames)[number]

/** What `isConcurrencySafe` answers; only `true` counts. */
export const answers = ['true', 'false', 'one', 'text', 'object', 'promise', 'rejection', 'throw'] as const
export type Answer = (typeof answers)[number]

export type End =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly what: number }
  | { readonly kind: 'violation' }
  | { readonly kind: 'throw'; readonly what: number }
  | { readonly kind: 'tool error'; readonly code: string }
  | { readonly kind: 'fail'; readonly code: string }
  | { readonly kind: 'hang' }

export interface Body {
  /** How often it waits; 0 answers at once. */
  readonly waits: number
  readonly async: boolean
  /** Whether an abort ends its waiting. */
  readonly hears: boolean
  readonly end: End
  readonly nested: readonly Call[]
  /** Whether the nested calls are made all at once or one after another. */
  readonly together: boolean
}

export const contentActs = ['fine', 'undefined', 'throw', 'garbage', 'promise', 'lone'] as const
export type ContentAct = (typeof contentActs)[number]

export interface Call {
  readonly tool: ToolName
  readonly args: 'valid' | 'invalid' | 'malformed'
  readonly text: boolean
  readonly safe: Answer
  readonly body: Body
  readonly render: ContentAct
  readonly finalize: ContentAct
}

export const preActs = [
  'pass',
  'forward',
  'allow',
  'deny',
  'ask',
  'rewrite',
  'bad rewrite',
  'override',
  'throw',
  'reject',
  'hang',
  'garbage',
] as const
type PreAct = (typeof preActs)[number]

export const wrapActs = [
  'pass',
  'forward',
  'twice',
  'retry',
  'answer',
  'fail',
  'replace',
  'bad value',
  'throw',
  'throw after',
  'hang',
  'hang after',
  'give up',
  'parallel next',
  'late next',
  'garbage',
  'lookalike',
  'signal',
  'controller',
] as const
type WrapAct = (typeof wrapActs)[number]

export const postActs = [
  'accept',
  'next',
  'content',
  'value',
  'both',
  'bad value',
  'bad content',
  'block',
  'block empty',
  'context',
  'throw',
  'reject',
  'hang',
  'garbage',
] as const
type PostAct = (typeof postActs)[number]

export const observerActs = ['fine', 'throw', 'reject', 'hang', 'thenable'] as const
export type ObserverAct = (typeof observerActs)[number]

export interface PluginSpec {
  readonly role?: 'retry' | undefined
  /** Which calls it minds, one bit for each; the others it lets pass. */
  readonly minds: number
  /** Lets others go on before it answers. */
  readonly waits: boolean
  readonly pre?: PreAct | undefined
  readonly execute?: WrapAct | undefined
  readonly post?: PostAct | undefined
  readonly onCall?: ObserverAct | undefined
  readonly onResult?: ObserverAct | undefined
}

export const guardActs = [
  'abstain',
  'deny',
  'empty',
  'throw',
  'promise',
  'rejection',
  'null',
  'false',
  'zero',
  'object',
] as const
export type GuardAct = (typeof guardActs)[number]

export interface GuardSpec {
  readonly minds: number
  readonly act: GuardAct
}

export const approverActs = [
  'allow',
  'deny',
  'allow object',
  'deny object',
  'remember',
  'throw',
  'reject',
  'hang',
  'ALLOW',
  'true',
  'undefined',
  'garbage',
  'thrower',
] as const
export type ApproverAct = (typeof approverActs)[number]

export interface ApproverSpec {
  /** One for each question, in turn. */
  readonly acts: readonly ApproverAct[]
  readonly waits: boolean
}

export const entryTypes = [
  'tool/call',
  'tool/rewritten',
  'tool/dispatch',
  'tool/executed',
  'tool/late',
  'tool/result',
] as const

interface JournalFault {
  readonly type: (typeof entryTypes)[number]
  readonly minds: number
  readonly how: 'throw' | 'reject' | 'hang' | 'thenable'
}

export interface JournalSpec {
  readonly waits: boolean
  readonly faults: readonly JournalFault[]
}

/** When the caller aborts: before the step, at a turn of the clockwork, or inside whatever is observed as the n-th event. */
export type Abort =
  | { readonly at: 'before' }
  | { readonly at: 'turn'; readonly n: number }
  | { readonly at: 'event'; readonly n: number }

export interface World {
  readonly calls: readonly Call[]
  readonly plugins: readonly PluginSpec[]
  readonly guards: readonly GuardSpec[]
  readonly approver?: ApproverSpec | undefined
  readonly journal?: JournalSpec | undefined
  readonly cap: number
  readonly picks: readonly Pick[]
  readonly abort?: Abort | undefined
  readonly finishReason?: 'length' | undefined
}

/** A call with its number: the calls of the step first, then the nested ones, depth first. */
export interface Node {
  readonly n: number
  readonly call: Call
  readonly parent: Node | undefined
  readonly children: readonly Node[]
}

export function nodesOf({ calls }: World): Node[] {
  const nodes: Node[] = []
  let next = calls.length
  const visit = (call: Call, n: number, parent: Node | undefined): Node => {
    const children: Node[] = []
    const node: Node = { n, call, parent, children }
    nodes[n] = node
    for (const child of call.body.nested) children.push(visit(child, next++, node))
    return node
  }
  for (const [n, call] of calls.entries()) visit(call, n, undefined)
  return nodes
}

export function minds({ minds }: { readonly minds: number }, n: number): boolean {
  return ((minds >> (n % 8)) & 1) === 1
}

function isKnown({ tool }: Call): boolean {
  return tool === 'plain' || tool === 'bare'
}

/** Whether the call passes admission, as long as nothing is wrong with the journal. */
export function isAdmissible(world: World, node: Node): boolean {
  const { call, n } = node
  if (!isKnown(call) || call.args === 'invalid' || call.args === 'malformed') return false
  return !(world.finishReason === 'length' && node.parent === undefined && n === world.calls.length - 1)
}
