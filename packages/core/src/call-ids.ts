/**
 * The ids by which the results of a step are sent on: the model's own, and where one is missing or repeats, one made from its
 * place or from the id that came before: `call-2`, `x-2`. The same calls get the same ids every time, no two of them the same, and
 * an id that the model gave is never given to another call.
 */
export function distinctIds(calls: readonly { readonly id?: unknown }[]): readonly string[] {
  const { length } = calls
  const ids = new Array<string>(length)
  for (let at = 0; at < length; at++) ids[at] = givenId(calls[at]?.id) ?? `call-${at + 1}`
  if (length < 2) return ids
  const taken = new Set(ids)
  return taken.size === ids.length ? ids : renamed(calls, ids, taken)
}

function givenId(id: unknown): string | undefined {
  if (typeof id === 'string') return id === '' ? undefined : id
  return typeof id === 'number' ? String(id) : undefined
}

function renamed(
  calls: readonly { readonly id?: unknown }[],
  ids: readonly string[],
  taken: Set<string>,
): readonly string[] {
  // Whose id it is: the first call that was given it, ahead of one that only stands at that place.
  const owners = new Map<string, number>()
  calls.forEach(({ id }, index) => {
    const given = givenId(id)
    if (given !== undefined && !owners.has(given)) owners.set(given, index)
  })
  const counts = new Map<string, number>()
  return ids.map((id, index) => {
    if ((owners.get(id) ?? index) === index) return id
    let count = counts.get(id) ?? 1
    let free: string
    do free = `${id}-${++count}`
    while (taken.has(free))
    counts.set(id, count)
    taken.add(free)
    return free
  })
}
