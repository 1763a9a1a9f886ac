import type { Plugin } from './plugin.ts'

/** A statement of a plugin about its place that the order of `plugins` breaks. */
export interface BrokenOrder {
  /** The plugin that states it, and the one that it is about. */
  readonly plugin: string
  readonly other: string
  /** Where `plugin` has to stand. */
  readonly must: 'outside' | 'inside'
  readonly message: string
}

/** Every statement that the order breaks. `plugins` is outermost first. */
export function brokenOrders(plugins: readonly Plugin[]): BrokenOrder[] {
  return plugins.flatMap((plugin, at) =>
    plugins.flatMap((other, otherAt) => {
      if (other === plugin) return []
      const must = mustBe(plugin, other)
      const isOutside = at < otherAt
      if (must === undefined || (must === 'outside') === isOutside) return []
      return [{ plugin: plugin.name, other: other.name, must, message: sentence(plugin, other, must) }]
    }),
  )
}

function mustBe({ order }: Plugin, other: Plugin): 'outside' | 'inside' | undefined {
  const names = (list: readonly string[] | undefined): boolean =>
    list?.includes(other.name) === true || (other.role !== undefined && list?.includes(other.role) === true)
  if (names(order?.outside)) return 'outside'
  return names(order?.inside) ? 'inside' : undefined
}

function sentence({ name, order }: Plugin, other: Plugin, must: 'outside' | 'inside'): string {
  const role = other.role === undefined ? '' : ` (role ${other.role})`
  const [is, place] = must === 'outside' ? ['inside', 'before'] : ['outside', 'after']
  const why = order?.because === undefined ? '' : ` ${order.because.replace(/[.\s]*$/, '.')}`
  return `plugin "${name}" says that it must stand ${must} "${other.name}"${role}, but here it stands ${is} it.${why} Move "${name}" ${place} "${other.name}" in \`plugins\` (the first is the outermost).`
}
