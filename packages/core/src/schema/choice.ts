import type { ErrorObject } from 'ajv/dist/2020.js'

type Branch = readonly ErrorObject[]

/**
 * What to say of a choice none of whose branches took the value, from what each of them said: the reasons of the branch that was
 * probably meant, or one error in whose `params.wanted` stands what the branches would have taken in its place; without, no branch
 * is nearer than the others.
 */
export function choiceAnswer(choice: ErrorObject, branches: readonly Branch[]): Branch {
  if (Array.isArray(choice.params.passingSchemas)) return [summary(choice)]
  const { instancePath } = choice
  const speaking = branches.filter((branch) => branch.length > 0)
  const fitting = speaking.filter((branch) => wantedAt(instancePath, branch).length === 0)
  if (fitting.length === 0) return [summary(choice, instancePath, speaking)]
  if (fitting.length === 1) return fitting[0] as Branch
  const telling = tellingMembers(fitting, instancePath)
  const missed = telling.find((path) => fitting.every((branch) => wantedAt(path, branch).length > 0))
  if (missed !== undefined) return [summary(choice, missed, fitting)]
  const named = fitting.filter((branch) => telling.every((path) => wantedAt(path, branch).length === 0))
  return nearestOf(named.length === 0 ? fitting : named, choice)
}

const aboutItself = new Set(['type', 'const', 'enum', 'enumSet', 'false schema'])

/** The errors by which a branch wants another type or another value at `path`. */
function wantedAt(path: string, branch: Branch): Branch {
  return branch
    .filter(({ instancePath }) => instancePath === path)
    .flatMap((error) => (aboutItself.has(error.keyword) ? [error] : ((error.params.wanted ?? []) as Branch)))
}

/** The members that tell the branches apart: one branch wants one certain value there, or several want some. */
function tellingMembers(branches: readonly Branch[], above: string): string[] {
  const votes = new Map<string, number>()
  for (const branch of branches) {
    for (const { instancePath, keyword, schema } of branch) {
      const isMember = instancePath.lastIndexOf('/') === above.length && instancePath.length > above.length
      if (!isMember || !['const', 'enum', 'enumSet'].includes(keyword)) continue
      const isCertain = keyword === 'const' || (schema as unknown[]).length === 1
      votes.set(instancePath, (votes.get(instancePath) ?? 0) + (isCertain ? 2 : 1))
    }
  }
  return [...votes.keys()].filter((path) => (votes.get(path) as number) >= 2)
}

/** As many as are told. */
const mostCompared = 20

/** The branch with the fewest reasons, and of those the one that got furthest into the value; of equals what they share. */
function nearestOf(branches: readonly Branch[], choice: ErrorObject): Branch {
  const sorted = branches.toSorted((one, other) => one.length - other.length || depth(other) - depth(one))
  const best = sorted[0] as Branch
  const tied = sorted.filter((branch) => branch.length === best.length && depth(branch) === depth(best))
  if (tied.length === 1) return best
  const shared = best
    .slice(0, mostCompared)
    .filter((error) => tied.every((branch) => branch.slice(0, mostCompared).some((other) => isSame(error, other))))
  if (shared.length > 0) return shared
  const missing = tied.flatMap((branch) => (branch.length === 1 ? [branch[0]?.params.missingProperty] : []))
  const isMissing = missing.length === tied.length && !missing.includes(undefined)
  return [isMissing ? { ...summary(choice), params: { missing } } : summary(choice)]
}

function depth(branch: Branch): number {
  return branch.reduce((most, { instancePath }) => Math.max(most, instancePath.split('/').length), 0)
}

function isSame(one: ErrorObject, other: ErrorObject): boolean {
  const isAlike = one.instancePath === other.instancePath && one.keyword === other.keyword
  return isAlike && one.params.missingProperty === other.params.missingProperty && one.message === other.message
}

function summary(choice: ErrorObject, path = choice.instancePath, branches: readonly Branch[] = []): ErrorObject {
  const wanted = distinct(branches.flatMap((branch) => wantedAt(path, branch)))
  const { passingSchemas } = choice.params
  const data = path === choice.instancePath ? choice.data : wanted[0]?.data
  return { ...choice, instancePath: path, data, params: { passingSchemas, wanted } }
}

/** One definition may be wanted by any number of branches. */
function distinct(wanted: Branch): Branch {
  const seen = new Map<string, Set<unknown>>()
  return wanted.filter(({ keyword, schema }) => {
    const before = seen.get(keyword) ?? new Set()
    seen.set(keyword, before)
    return before.size < before.add(schema).size
  })
}
