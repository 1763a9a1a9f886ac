import type { Call } from './call.ts'
import { ExecFace } from './exec.ts'
import { enterBody } from './execute.ts'
import { authoredFailure, gateValue } from './gate-value.ts'
import { isPromiseLike, type MaybePromise } from './maybe.ts'
import { aborted, Failure, pluginError, type Settled, Success } from './outcome.ts'
import type { NextOptions, Plugin } from './plugin.ts'
import { DerivedSignal, type SignalNode } from './signal.ts'
import { describeThrown } from './thrown.ts'
import type { Ends, Watch } from './watch.ts'

/**
 * The execute stage: each wrapper's `next()` runs everything inside it, every time that it is called (ONI-1), and resolves,
 * never rejects, to what that came to. The lane is told when the outermost has settled.
 */
export function runOnion(call: Call): void {
  runLayer(call, 0, undefined, call.lane.signal, undefined)
}

function runLayer(
  call: Call,
  at: number,
  face: ExecFace | undefined,
  node: SignalNode,
  outer: Layer | undefined,
): MaybePromise<Settled> {
  const plugin = call.layers.execute[at]
  if (plugin === undefined) return enterBody(call, node, outer)
  return new Layer(call, at, plugin, face ?? call.face, node, outer).run()
}

/** Whether somebody further out no longer waits for what runs inside `layer`. */
export function isGone(call: Call, layer: Layer | undefined): boolean {
  if (call.performed) return true
  for (let at = layer; at !== undefined; at = at.outer) if (at.gaveUp) return true
  return false
}

/**
 * Tells the layers outside, and last the scheduler, that what they wait for has come. A layer that only forwards has settled
 * with it.
 */
export function tellOuter(call: Call, outer: Layer | undefined, outcome: Settled): void {
  for (let at = outer; at !== undefined; at = at.outer) {
    at.innerSettled(outcome)
    if (!at.forwards) return
  }
  call.lane.performed(call, outcome)
}

/** One passage through one wrapper; also what the wait for a wrapper that takes its time ends with. */
export class Layer implements Ends<unknown, Settled> {
  readonly outer: Layer | undefined
  /** The wrapper returned the very promise that `next()` gave: nothing of its own is left to wait for. */
  forwards = false
  /** The wrapper settled although its `next()` had not: what runs inside is abandoned. */
  gaveUp = false

  readonly #call: Call
  readonly #at: number
  readonly #plugin: Plugin
  readonly #face: ExecFace
  readonly #node: SignalNode
  #tries = 0
  #refusals = 0
  /** What was handed down with the `next()` that is pending. */
  #derived: DerivedSignal | undefined
  #pending = false
  /** The wrapper has given its word; a `next` after that runs nothing. */
  #closed = false
  #inner: Promise<Settled> | undefined
  #last: Settled | undefined
  /** What was marked during the last inner run: `[from, to)` of the call's marks. */
  #from = 0
  #to = 0
  /** Bounds the wrapper's own time; none where it settled, or forwarded, at once. */
  #watch: Watch<unknown, Settled> | undefined

  constructor(call: Call, at: number, plugin: Plugin, face: ExecFace, node: SignalNode, outer: Layer | undefined) {
    this.#call = call
    this.#at = at
    this.#plugin = plugin
    this.#face = face
    this.#node = node
    this.outer = outer
  }

  run(): Promise<Settled> {
    let returned: unknown
    try {
      returned = this.#plugin.execute?.(this.#face, (options) => this.#next(options))
    } catch (thrown) {
      return Promise.resolve(this.#close(this.#error(describeThrown(thrown).message)))
    }
    if (returned !== undefined && returned === this.#inner) {
      this.#closed = true
      this.forwards = true
      if (!this.#pending) tellOuter(this.#call, this.outer, this.#last as Settled)
      return this.#inner
    }
    if (!isPromiseLike(returned)) return Promise.resolve(this.#close(this.#accept(returned)))
    const ms = this.#plugin.stageTimeoutMs ?? this.#call.host.options.stageTimeoutMs
    this.#watch = this.#call.watch(ms, this, this.#at)
    if (this.#pending) this.#watch.pause()
    return this.#watch.wait(returned)
  }

  value(outcome: unknown): Settled {
    return this.#close(this.#accept(outcome))
  }

  thrown(thrown: unknown): Settled {
    return this.#close(this.#error(describeThrown(thrown).message))
  }

  late(ms: number): Settled {
    return this.#close(this.#error(`it did not settle within ${ms} ms`))
  }

  gone(): Settled {
    return this.#close(aborted(this.#call, 'tools/execute'))
  }

  /** Called by the layer inside when it has settled, before this layer's wrapper hears of it. */
  innerSettled(outcome: Settled): void {
    this.#pending = false
    this.#derived?.release()
    this.#derived = undefined
    this.#last = outcome
    this.#to = this.#call.aside?.marks.length ?? 0
    this.#watch?.run()
  }

  #next(options: NextOptions | undefined): Promise<Settled> {
    const handed = options?.signal
    const refusal = this.#refusal(handed)
    if (refusal !== undefined) return ++this.#refusals > patience ? afterThisTurn(refusal) : Promise.resolve(refusal)
    this.#watch?.pause()
    if (this.#tries++ > 0) this.#forget()
    if (this.#at === this.#call.layers.retryAt) this.#call.attempts++
    this.#pending = true
    this.#from = this.#call.aside?.marks.length ?? 0
    const derived = handed === undefined ? undefined : new DerivedSignal(this.#node, handed, this.#call)
    this.#derived = derived
    const face = derived === undefined ? this.#face : new ExecFace(this.#call, derived)
    const inner = runLayer(this.#call, this.#at + 1, face, derived ?? this.#node, this)
    if (derived !== undefined) derived.isFresh = false
    this.#inner = inner instanceof Promise ? inner : Promise.resolve(inner)
    return this.#inner
  }

  /** ONI-9: `next` after the wrapper settled, beside another `next`, or after the call was cancelled or denied runs nothing. */
  #refusal(handed: unknown): Failure | undefined {
    const call = this.#call
    if (this.#closed || isGone(call, this)) return this.#misuse('called next() after it had settled')
    if (this.#pending) return this.#misuse('called next() while another next() of its was pending')
    if (handed !== undefined && !(handed instanceof AbortSignal || handed instanceof AbortController)) {
      return this.#misuse('called next() with a `signal` that is neither an AbortSignal nor an AbortController')
    }
    if (call.barred !== undefined) {
      call.fault('tools/execute', 'called next() after the call was denied', this.#plugin.name)
      return call.barred
    }
    if (!call.cancelled) return undefined
    call.fault('tools/execute', 'called next() after the call was cancelled', this.#plugin.name)
    return aborted(call, 'tools/execute')
  }

  #misuse(what: string): Failure {
    this.#call.fault('tools/execute', what, this.#plugin.name)
    return this.#error(`it ${what}`)
  }

  #error(what: string): Failure {
    return pluginError(this.#call, this.#plugin.name, 'tools/execute', what)
  }

  /** What a wrapper answered. What can not even be looked at is the wrapper's failure, and ends the wait like any other answer. */
  #accept(returned: unknown): Settled {
    try {
      return this.#outcomeOf(returned)
    } catch (thrown) {
      return this.#error(describeThrown(thrown).message)
    }
  }

  /** Only what `next`, `succeed` and `fail` of this call made is an outcome; what looks like one is put through the gate. */
  #outcomeOf(returned: unknown): Settled {
    if (Success.isOf(returned, this.#call) || Failure.isOf(returned, this.#call)) return returned
    const { isError, value, error } = (returned ?? {}) as {
      isError?: unknown
      value?: unknown
      error?: { readonly [member: string]: unknown } | null
    }
    if (isError === false) return gateValue(this.#call, value)
    if (isError === true && typeof error === 'object' && error !== null) {
      const { code, message, retryable, details } = error
      if (typeof message === 'string') return authoredFailure(this.#call, { code, message, retryable, details })
    }
    return this.#error('execute() has to return what next(), exec.succeed() or exec.fail() gave')
  }

  #close(outcome: Settled): Settled {
    this.#closed = true
    if (this.#pending) {
      this.gaveUp = true
      this.#call.giveUp(this.#at)
      this.#call.dropMarks(this.#from)
    }
    // A failed attempt that a wrapper turned into a success leaves nothing behind (ONI-5).
    if (this.#last?.isError === true && !outcome.isError) this.#forget()
    tellOuter(this.#call, this.outer, outcome)
    return outcome
  }

  /** Drops what was deferred and noted during the last inner run. */
  #forget(): void {
    this.#call.aside?.marks.splice(this.#from, this.#to - this.#from)
    this.#to = this.#from
  }
}

/** How often a wrapper is refused at once. */
const patience = 10

/** So that a wrapper which tries until it succeeds does not keep the rest of the process, the grace included, from its turn. */
function afterThisTurn<T>(value: T): Promise<T> {
  return new Promise((resolve) => setImmediate(resolve, value))
}
