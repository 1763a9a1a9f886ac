import type { Plugin } from './plugin.ts'

type Having<M extends keyof Plugin> = Plugin & { readonly [N in M]-?: NonNullable<Plugin[N]> }

/** The plugins of a runtime, sorted once by stage. A call keeps the ones that it was admitted under. */
export interface Layers {
  readonly plugins: readonly Plugin[]
  /** Outermost first. */
  readonly preExecute: readonly Having<'preExecute'>[]
  readonly execute: readonly Having<'execute'>[]
  /** Innermost first: post-execute folds outward. */
  readonly postExecute: readonly Having<'postExecute'>[]
  readonly onCall: readonly Having<'onCall'>[]
  readonly onResult: readonly Having<'onResult'>[]
  /** The place of the outermost layer of role `retry` in `execute`, -1 without one. */
  readonly retryAt: number
}

const having = <M extends keyof Plugin>(plugins: readonly Plugin[], member: M): Having<M>[] =>
  plugins.filter((plugin): plugin is Having<M> => plugin[member] !== undefined)

export function layersOf(plugins: readonly Plugin[]): Layers {
  const execute = having(plugins, 'execute')
  return {
    plugins,
    preExecute: having(plugins, 'preExecute'),
    execute,
    postExecute: having(plugins, 'postExecute').reverse(),
    onCall: having(plugins, 'onCall'),
    onResult: having(plugins, 'onResult'),
    retryAt: execute.findIndex((plugin) => plugin.role === 'retry'),
  }
}
