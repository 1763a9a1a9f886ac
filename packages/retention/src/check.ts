/** @throws TypeError saying what has to be what, and what it is, unless `holds` */
export function need(holds: boolean, who: string, what: string, toBe: string, given: unknown): void {
  if (holds) return
  const shown = typeof given === 'string' ? JSON.stringify(given) : typeof given === 'number' ? given : typeName(given)
  throw new TypeError(`[pawl] ${who}: ${what} has to be ${toBe}. It is ${shown}.`)
}

/** @throws TypeError unless the options are an object with these members only */
export function needMembers(options: unknown, who: string, what: string, members: readonly string[]): void {
  const isObject = typeof options === 'object' && options !== null && !Array.isArray(options)
  need(isObject, who, what, `an object with ${members.map((member) => `\`${member}\``).join(', ')}`, options)
  for (const member of Object.keys(options as object)) {
    if (!members.includes(member))
      throw new TypeError(`[pawl] ${who}: ${what} has no \`${member}\`. Known are: ${members.join(', ')}.`)
  }
}

/** A budget is a whole number from 0 on. */
export function isAmount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : typeof value
}
