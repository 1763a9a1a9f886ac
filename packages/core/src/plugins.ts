import { Chain } from './chain.ts'
import { ConfigError } from './errors.ts'
import type { Guards } from './guards.ts'
import { type Layers, layersOf } from './layers.ts'
import { disown, isPromiseLike } from './maybe.ts'
import type { ResolvedOptions } from './options.ts'
import { type BrokenOrder, brokenOrders } from './order.ts'
import type { Plugin, PluginContext } from './plugin.ts'
import { isDelay, longestDelayMs, refuseUnknownMembers } from './take-in.ts'
import { describeThrown } from './thrown.ts'
import { Watch } from './watch.ts'

const hooks = ['preExecute', 'guard', 'execute', 'postExecute', 'onCall', 'onResult', 'setup', 'dispose'] as const
const members = ['name', 'role', 'order', 'failure', 'stageTimeoutMs', ...hooks]

/** The plugins of a runtime: checked, set up, sorted by stage, and taken out again. */
export class Plugins {
  layers: Layers = layersOf([])
  broken: readonly BrokenOrder[] = []
  readonly #guards: Guards
  readonly #context: PluginContext
  readonly #unsafeOrder: boolean
  readonly #stageTimeoutMs: number
  readonly #liftGuards = new Map<Plugin, () => void>()

  constructor(guards: Guards, context: PluginContext, { unsafeOrder, stageTimeoutMs }: ResolvedOptions) {
    this.#guards = guards
    this.#context = context
    this.#unsafeOrder = unsafeOrder
    this.#stageTimeoutMs = stageTimeoutMs
  }

  /**
   * Takes plugins in, inside those that are there.
   * @throws ConfigError if one is wrong, has a name that is taken, or the order breaks what one of them states
   */
  add(added: readonly Plugin[]): void {
    const plugins = [...this.layers.plugins]
    for (const plugin of added) {
      check(plugin)
      if (plugins.some(({ name }) => name === plugin.name)) {
        throw new ConfigError(
          `[pawl] there are two plugins named "${plugin.name}". Rename one: { ...${plugin.name}(…), name: "${plugin.name}-2" }.`,
        )
      }
      plugins.push(plugin)
    }
    const broken = brokenOrders(plugins)
    if (broken.length > 0 && !this.#unsafeOrder) {
      const list = broken.map(({ message }) => message).join('\n  ')
      throw new ConfigError(
        `[pawl] the order of the onion is broken:\n  ${list}\n  (\`unsafeOrder: true\` builds it all the same.)`,
      )
    }
    this.#setUpAll(added)
    this.#arrange([...this.layers.plugins, ...added]) // a plugin may have taken another in at its own setup
  }

  /** Takes a plugin out and disposes of it, once; calls already admitted go on with it. */
  async remove(plugin: Plugin): Promise<void> {
    if (!this.layers.plugins.includes(plugin)) return
    this.#liftGuard(plugin)
    this.#arrange(this.layers.plugins.filter((other) => other !== plugin))
    await this.#dispose(plugin)
  }

  /** Takes all out, the innermost first. */
  async close(): Promise<void> {
    for (const plugin of [...this.layers.plugins].reverse()) await this.remove(plugin)
  }

  #arrange(plugins: readonly Plugin[]): void {
    this.layers = layersOf(plugins)
    this.broken = brokenOrders(plugins)
  }

  /** Waits no longer than a stage may take; a failure is reported and stops nothing. */
  #dispose(plugin: Plugin): Promise<void> {
    const failed = (why: string): void =>
      this.#context.logger.warn(`[pawl] plugin "${plugin.name}" failed when it was disposed of: ${why}`)
    return new Watch<unknown, void>(this.#stageTimeoutMs, 0, new Chain(), {
      value() {},
      thrown: (thrown) => failed(describeThrown(thrown).message),
      late: (ms) => failed(`it did not settle within ${ms} ms`),
      gone() {},
    }).wait(disposed(plugin))
  }

  /** All or none: if one refuses, those before it are disposed of. */
  #setUpAll(added: readonly Plugin[]): void {
    const done: Plugin[] = []
    try {
      for (const plugin of added) {
        this.#setUp(plugin)
        done.push(plugin)
      }
    } catch (thrown) {
      for (const plugin of done.reverse()) {
        this.#liftGuard(plugin)
        void this.#dispose(plugin)
      }
      throw thrown
    }
  }

  #liftGuard(plugin: Plugin): void {
    this.#liftGuards.get(plugin)?.()
    this.#liftGuards.delete(plugin)
  }

  #setUp(plugin: Plugin): void {
    const returned: unknown = plugin.setup?.(this.#context)
    if (isPromiseLike(returned)) {
      disown(returned)
      throw new ConfigError(
        `[pawl] plugin "${plugin.name}": \`setup\` has to be synchronous. Do what takes time before, and hand its result to the plugin.`,
      )
    }
    const { guard } = plugin // read once: nothing that is done to the plugin later lifts it
    if (guard !== undefined)
      this.#liftGuards.set(
        plugin,
        this.#guards.add(plugin.name, (exec) => guard.call(plugin, exec)),
      )
  }
}

async function disposed(plugin: Plugin): Promise<void> {
  await plugin.dispose?.()
}

function check(plugin: Plugin): void {
  if (plugin === null || typeof plugin !== 'object') {
    throw new ConfigError(
      `[pawl] a plugin has to be an object, not ${typeof plugin}. Did you forget to call its factory?`,
    )
  }
  const { name, role, order, failure, stageTimeoutMs } = plugin
  if (typeof name !== 'string' || name === '')
    throw new ConfigError('[pawl] a plugin has no `name`. Give it one: order, traces and errors speak of it by name.')
  const where = `plugin "${name}"`
  refuseUnknownMembers(plugin, members, where)
  for (const hook of hooks) {
    const given: unknown = plugin[hook]
    if (given !== undefined && typeof given !== 'function')
      throw new ConfigError(`[pawl] ${where}: \`${hook}\` has to be a function.`)
  }
  if (role !== undefined && typeof role !== 'string')
    throw new ConfigError(`[pawl] ${where}: \`role\` has to be a string.`)
  if (failure !== undefined && failure !== 'open' && failure !== 'closed') {
    throw new ConfigError(`[pawl] ${where}: \`failure\` has to be "open" or "closed": the direction in which it fails.`)
  }
  if (stageTimeoutMs !== undefined && !isDelay(stageTimeoutMs)) {
    throw new ConfigError(
      `[pawl] ${where}: \`stageTimeoutMs\` has to be a number of ms above 0 and up to ${longestDelayMs}.`,
    )
  }
  if (order === undefined) return
  if (order === null || typeof order !== 'object')
    throw new ConfigError(`[pawl] ${where}: \`order\` has to be an object { outside, inside, because }.`)
  refuseUnknownMembers(order, ['outside', 'inside', 'because'], `\`order\` of ${where}`)
  for (const place of [order.outside, order.inside]) {
    if (place !== undefined && !(Array.isArray(place) && place.every((entry) => typeof entry === 'string'))) {
      throw new ConfigError(
        `[pawl] ${where}: \`order.outside\` and \`order.inside\` are lists of roles or plugin names.`,
      )
    }
  }
}
