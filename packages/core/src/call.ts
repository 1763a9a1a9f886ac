import { Aside } from './aside.ts'
import { Chain } from './chain.ts'
import type { Stage } from './errors.ts'
import { type Exec, ExecFace, type Progress } from './exec.ts'
import type { BodyRun } from './execute.ts'
import type { Host } from './host.ts'
import { type Json, snapshot } from './json.ts'
import type { Layers } from './layers.ts'
import { aborted, type Failure, type Settled } from './outcome.ts'
import type { ParsedArguments } from './parse.ts'
import type { RegisteredTool } from './registry.ts'
import type { TraceDecision } from './result.ts'
import type { Lane } from './scheduler.ts'
import type { DerivedSignal } from './signal.ts'
import { describeThrown } from './thrown.ts'
import type { ToolInfo } from './tool.ts'
import { StageClock } from './tracing.ts'
import { type Ends, type Waiting, Watch } from './watch.ts'

type Arguments = { readonly [member: string]: Json }

/** Something said on the way, which belongs to the attempt in which it was said, and to `run` if a body said it. */
export type Mark = { readonly run: BodyRun | undefined } & (
  | { readonly context: string }
  | { readonly note: string; readonly value: Json }
)

const noArguments: Arguments = Object.freeze({})
const traceMembers = new Set(['faults', 'decisions', 'attempts', 'bodyInvocations', 'abandoned', 'timings'])

/**
 * The state of one call, from its parsing to its result: one object with named fields, filled in stage by stage. Plugins and
 * bodies see it through an `ExecFace` only.
 */
export class Call {
  readonly lane: Lane
  readonly index: number
  readonly callId: string
  readonly name: string
  readonly executionId: string
  readonly stepId: string
  /** What the parsing gave, or a rewrite; `{}` where it gave nothing, and then `malformed` says why. */
  arguments: Arguments
  readonly malformed: string | undefined
  /** The model's output was cut off in the middle of this call. */
  truncated = false
  #face: ExecFace | undefined

  /** Fixed at admission, for the whole call (STG-7). */
  tool: RegisteredTool | undefined
  layers: Layers
  /** The version of the guards that last had their word. */
  guardsSeen = -1
  /**
   * Where the call stands. `valid`: its arguments passed the tool's schema; `running`: its execute stage has not settled; `settling`:
   * its result is on its way to the journal, and nothing can be nested in it any more.
   */
  admitted = false
  valid = false
  rewritten = false
  running = false
  performed = false
  settling = false
  published = false

  /** How often the body was entered, the run that has not ended, how often the outermost retry called `next`. */
  bodyInvocations = 0
  run: BodyRun | undefined
  attempts = 0
  /** A run was given up on. */
  abandoned = false

  /** A guard or the journal kept the body from being entered: the last word on this call, whatever wrappers make of it. */
  barred: Failure | undefined

  /** What keeps the call waiting. */
  watches: Chain<Waiting> | undefined
  /** The signals that are fused below wrappers, to be released with the execute stage at the latest. */
  fused: Chain<DerivedSignal> | undefined
  /** What the call came to, from gate or execute stage on. */
  outcome: Settled | undefined
  aside: Aside | undefined
  readonly clock: StageClock | undefined

  constructor(lane: Lane, index: number, callId: string, name: string, parsed: ParsedArguments) {
    this.lane = lane
    this.index = index
    this.callId = callId
    this.name = name
    this.stepId = lane.step.id
    this.executionId = `${lane.parent === undefined ? this.stepId : lane.parent.executionId}.${index}`
    this.arguments = parsed.ok ? parsed.value : noArguments
    this.malformed = parsed.ok ? undefined : parsed.reason
    this.layers = lane.step.host.plugins.layers
    this.clock = lane.step.timed ? new StageClock() : undefined
  }

  /** Where what few calls have is kept. */
  beside(): Aside {
    this.aside ??= new Aside()
    return this.aside
  }

  /** How the plugins outside of any layer, the guards and the approver see it. */
  get face(): ExecFace {
    this.#face ??= new ExecFace(this, this.lane.signal)
    return this.#face
  }

  get host(): Host {
    return this.lane.step.host
  }

  /** Whether the caller, or whoever stands above, cancelled. */
  get cancelled(): boolean {
    return this.lane.signal.aborted
  }

  get info(): ToolInfo {
    return this.tool?.info ?? { name: this.name }
  }

  /** Whether it is nested in `other`, however deep. */
  isBelow(other: Call): boolean {
    for (let above = this.lane.parent; above !== undefined; above = above.lane.parent) if (above === other) return true
    return false
  }

  /** Runs the body. A call without a tool does not get here: its admission fails. */
  execute(exec: Exec): unknown {
    return this.tool?.execute(this.arguments, exec)
  }

  enter(stage: Stage): void {
    this.clock?.enter(this, stage)
  }

  leave(stage: Stage): void {
    this.clock?.leave(stage)
  }

  /** Records something that went wrong beside the outcome; once the result is out, it can only be logged. */
  fault(stage: Stage, message: string, plugin?: string): void {
    if (this.published) return this.warn(message, plugin)
    this.beside().faults.push(Object.freeze(plugin === undefined ? { stage, message } : { stage, plugin, message }))
  }

  warn(message: string, plugin?: string): void {
    const whose = plugin === undefined ? '' : `plugin "${plugin}" `
    this.host.logger.warn(`[pawl] ${this.name} (${this.executionId}): ${whose}${message}`)
  }

  thrown(stage: Stage, thrown: unknown, plugin?: string): void {
    this.fault(stage, describeThrown(thrown).message, plugin)
  }

  decided(by: string, kind: TraceDecision['kind'], reason?: string, remember?: string): void {
    const said = reason === undefined ? undefined : { reason }
    this.beside().decisions.push(
      Object.freeze({ by, kind, ...said, ...(remember === undefined ? undefined : { remember }) }),
    )
  }

  /** Tells a listener how far the body is; what is no progress is ignored. */
  progressed(told: Progress): void {
    const { progress, total, message } = readProgress(told)
    if (!Number.isFinite(progress)) return
    this.lane.step.tell(this, {
      type: 'progress',
      progress,
      ...(Number.isFinite(total) ? { total: total as number } : undefined),
      ...(typeof message === 'string' ? { message: message.toWellFormed() } : undefined),
    })
  }

  defer(text: string, run?: BodyRun): void {
    this.#mark({ run, context: String(text).toWellFormed() })
  }

  /** Takes back what was to be told to the model beside the result. */
  dropContext(): void {
    if (this.aside !== undefined) this.aside.marks = this.aside.marks.filter((mark) => 'note' in mark)
  }

  /** Takes back what bodies have said since there were `from` marks, for an attempt that is abandoned. */
  dropMarks(from: number): void {
    if (this.aside !== undefined)
      this.aside.marks = this.aside.marks.filter(({ run }, at) => at < from || run === undefined)
  }

  #mark(mark: Mark): void {
    this.beside().marks.push(mark)
  }

  note(notes: { readonly [note: string]: unknown }, run?: BodyRun): void {
    try {
      const copy = snapshot(notes, this.host.options.limits) as { readonly [note: string]: Json }
      for (const [note, value] of Object.entries(copy)) {
        if (traceMembers.has(note))
          this.fault('tools/execute', `the note "${note}" is the pipeline's own and was left out`)
        else this.#mark({ run, note, value })
      }
    } catch (refused) {
      this.thrown('tools/execute', refused)
    }
  }

  /** Bounds something that the call waits for: a layer of the onion at `depth`, or something inside of all layers. */
  watch<T, R>(ms: number, ends: Ends<T, R>, depth: number = Number.POSITIVE_INFINITY): Watch<T, R> {
    this.watches ??= new Chain()
    return new Watch<T, R>(ms, depth, this.watches, ends)
  }

  /**
   * Stops waiting for a run of the body that has not ended and for the layers deeper than `depth`, and cancels what is nested in
   * the run.
   */
  giveUp(depth: number): void {
    if (this.run !== undefined) {
      this.abandoned = true
      this.run.settle?.(aborted(this, 'tools/execute'))
      this.run.nest?.giveUp(`${this.name} is over`)
    }
    for (const watch of this.watches?.all() ?? []) if (watch.depth > depth) watch.giveUp()
  }

  /** Cancels what is nested in the call and has not ended. What it answers tells when all has, no later than the grace. */
  closeNests(): Promise<unknown> | undefined {
    if (this.aside === undefined || this.aside.nests.size === 0) return undefined
    return Promise.all([...this.aside.nests].map((nest) => nest.close(`${this.name} is over`)))
  }
}

/** What can not even be read is no progress. */
function readProgress(told: Progress): Progress {
  try {
    const { progress, total, message } = told
    return { progress, ...(total === undefined ? {} : { total }), ...(message === undefined ? {} : { message }) }
  } catch {
    return { progress: Number.NaN }
  }
}
