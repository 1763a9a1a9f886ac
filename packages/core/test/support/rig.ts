import { createToolRuntime, type Plugin, type ToolResult, type ToolRuntime } from '../../src/index.ts'
import { approverOf, guardOf, journalOf, pluginOf } from './cast.ts'
import { type History, Stage } from './observe.ts'
import { argumentsOf, toolsOf } from './tools.ts'
import type { World } from './world.ts'

export const abortGraceMs = 50
export const stageTimeoutMs = 100
export const approvalTimeoutMs = 200

/** A runtime that plays whatever world is on stage. Building one compiles schemas, so worlds take turns on a few. */
interface Rig {
  readonly runtime: ToolRuntime
  stage: Stage
}

const idle: Stage = new Stage({ calls: [], plugins: [], guards: [], cap: 1, picks: [0] })
const rigs = new Map<string, Rig>()

function rigFor({ cap, approver, journal }: World): { readonly key: string; readonly rig: Rig } {
  const key = `${cap} ${approver !== undefined} ${journal !== undefined}`
  const found = rigs.get(key)
  // Out of the house while it plays: a world that fails leaves none behind for the next.
  rigs.delete(key)
  return { key, rig: found ?? build(cap, approver !== undefined, journal !== undefined) }
}

function build(cap: number, hasApprover: boolean, hasJournal: boolean): Rig {
  const current = (): Stage => rig.stage
  const runtime = createToolRuntime({
    tools: toolsOf(current),
    maxParallelToolCalls: cap,
    abortGraceMs,
    stageTimeoutMs,
    approvalTimeoutMs,
    logger: { warn: (message) => current().warnings.push(message) },
    ...(hasApprover && { approver: approverOf(current) }),
    ...(hasJournal && { journal: journalOf(current) }),
  })
  const rig: Rig = { runtime, stage: idle }
  return rig
}

export interface PlayOptions {
  /** Plugins of the property's own, outside of and inside the world's. */
  readonly outside?: readonly Plugin[]
  readonly inside?: readonly Plugin[]
}

/** The innermost plugin, which only watches. */
function watcher(stage: Stage): Plugin {
  return {
    name: 'watcher',
    onCall: (exec) => stage.note('onCall', stage.numberOf(exec)),
    onResult: (exec, result) => stage.note('onResult', stage.numberOf(exec), undefined, result),
  }
}

/** Plugins that see every call enter and leave the onions, and hand on whatever the others say. */
export function spies(stage: Stage): Required<PlayOptions> {
  const outside: Plugin = {
    name: 'spy outside',
    preExecute(exec, next) {
      stage.note('waterfall', stage.numberOf(exec), undefined, exec.arguments)
      return next()
    },
    async execute(exec, next) {
      const n = stage.numberOf(exec)
      stage.note('execute', n)
      const outcome = await next()
      stage.note('settled', n, undefined, outcome)
      return outcome
    },
  }
  const inside: Plugin = {
    name: 'spy inside',
    postExecute(exec, result, next) {
      stage.note('fold', stage.numberOf(exec), undefined, result)
      return next()
    },
  }
  return { outside: [outside], inside: [inside] }
}

/** Plays a world and gives what was seen. */
export async function play(world: World, own: (stage: Stage) => PlayOptions = () => ({})): Promise<History> {
  const { key, rig } = rigFor(world)
  const stage = new Stage(world)
  rig.stage = stage
  const { runtime } = rig
  const { outside = [], inside = [] } = own(stage)
  const plugins = [
    ...outside,
    ...world.plugins.map((spec, index) => pluginOf(stage, spec, `p${index}`)),
    ...inside,
    watcher(stage),
  ]
  const lifts = plugins.map((plugin) => runtime.use(plugin))
  const guards = world.guards.map((spec, index) => runtime.guard(guardOf(stage, spec, `g${index}`)))
  const history = await stage.run(() => dispatch(runtime, stage))
  await Promise.all(lifts.map((lift) => lift()))
  for (const lift of guards) lift()
  // A desk that is not given back would hold up the next world; that a runtime gives it back is a property of its own.
  if (!history.events.some(({ kind }) => kind === 'ask')) rigs.set(key, rig)
  return history
}

function dispatch(runtime: ToolRuntime, { world, nodes, controller }: Stage): Promise<ToolResult[]> {
  const calls = world.calls.map((call, n) => ({
    id: `c${n}`,
    name: call.tool,
    arguments: argumentsOf(nodes[n] as (typeof nodes)[number]),
  }))
  return runtime.dispatch(calls, { signal: controller.signal, finishReason: world.finishReason })
}
