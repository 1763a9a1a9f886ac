import * as fc from 'fast-check'
import { createToolRuntime, type ToolResult, type ToolRuntime } from '../../src/index.ts'
import { Clockwork } from './clockwork.ts'
import type { Happened, Plan } from './model.ts'
import { codeOf } from './results.ts'

/** A step of plans as the model has them, run by a real runtime whose bodies end when they are let go. */
export interface Play {
  readonly plans: readonly Plan[]
  readonly cap: number
}

interface Args {
  readonly id: string
}

const runtimes = new Map<number, ToolRuntime>()
let playing: LaneStage | undefined

/** The real thing, beside the model. */
export class LaneStage {
  readonly clock: Clockwork = new Clockwork([0])
  readonly controller: AbortController = new AbortController()
  readonly log: Happened[] = []
  /** Bodies as they are entered and left. */
  readonly bodies: { readonly kind: 'enter' | 'leave'; readonly id: string }[] = []
  results: readonly ToolResult[] | undefined
  readonly #plans = new Map<string, Plan>()
  readonly #play: Play

  constructor(play: Play) {
    this.#play = play
    const visit = (plan: Plan, id: string): void => {
      this.#plans.set(id, plan)
      for (const [index, nested] of plan.nested.entries()) visit(nested, `${id}/${index}`)
    }
    for (const [index, plan] of play.plans.entries()) visit(plan, `${index}`)
  }

  plan(id: string): Plan {
    return this.#plans.get(id) as Plan
  }

  begin(): void {
    playing = this
    const calls = this.#play.plans.map((_, index) => ({ id: `${index}`, name: 'run', arguments: { id: `${index}` } }))
    void runtimeFor(this.#play.cap)
      .dispatch(calls, { signal: this.controller.signal })
      .then((results) => {
        this.results = results
      })
  }

  /** What has happened since the last time. */
  async happened(): Promise<Happened[]> {
    await this.clock.quiet()
    return this.log.splice(0)
  }
}

function runtimeFor(cap: number): ToolRuntime {
  const found = runtimes.get(cap)
  if (found !== undefined) return found
  const stage = (): LaneStage => playing as LaneStage
  const idOf = (args: unknown): string => (args as Args).id
  const made = createToolRuntime({
    maxParallelToolCalls: cap,
    abortGraceMs: 50,
    tools: [
      {
        name: 'run',
        description: '',
        parameters: {},
        output: { schema: {} },
        isConcurrencySafe: (args) => stage().plan(idOf(args)).kind.endsWith('parallel'),
        execute(args, exec) {
          const id = idOf(args)
          const { clock, log, bodies } = stage()
          const { nested, together, isQuick } = stage().plan(id)
          log.push({ kind: 'start', id })
          bodies.push({ kind: 'enter', id })
          if (nested.length === 0 && isQuick) {
            bodies.push({ kind: 'leave', id })
            return id
          }
          const invoke = (_: Plan, index: number): Promise<unknown> =>
            exec.invoke('run', { id: `${id}/${index}` }).catch(() => {})
          return (async () => {
            if (together) await Promise.all(nested.map(invoke))
            else for (const [index, plan] of nested.entries()) await invoke(plan, index)
            if (!isQuick) await clock.wait(id)
            bodies.push({ kind: 'leave', id })
            return id
          })()
        },
      },
    ],
    guards: [(exec) => (stage().plan(idOf(exec.arguments)).kind.startsWith('refused') ? 'refused' : undefined)],
    plugins: [
      {
        name: 'watcher',
        onResult: (exec, result) =>
          void stage().log.push({ kind: 'publish', id: idOf(exec.arguments), code: codeOf(result) }),
      },
    ],
  })
  runtimes.set(cap, made)
  return made
}

/** Plans whose nested calls go `depth` deep. */
export const plan = (
  depth: number,
  { isQuick = fc.boolean(), together = fc.boolean() }: { [M in 'isQuick' | 'together']?: fc.Arbitrary<boolean> } = {},
): fc.Arbitrary<Plan> =>
  fc.record({
    kind: fc.oneof(
      { weight: 4, arbitrary: fc.constant('parallel' as const) },
      { weight: 2, arbitrary: fc.constant('exclusive' as const) },
      { weight: 1, arbitrary: fc.constantFrom('refused parallel' as const, 'refused' as const) },
    ),
    isQuick,
    nested: depth === 0 ? fc.constant([]) : fc.array(plan(depth - 1, { isQuick, together }), { maxLength: 3 }),
    together,
  })
