import type { Ajv2020, Code, CodeKeywordDefinition, ErrorObject, KeywordCxt, Name } from 'ajv/dist/2020.js'
import { choiceAnswer } from './choice.ts'

type Library = Pick<typeof import('ajv/dist/2020.js'), '_' | 'Name'>

/**
 * Has the errors of `anyOf` and `oneOf` say where those of their branches begin: `params.starts` has for each branch how many errors
 * before its own. Their schema paths do not tell, since a branch may be a reference to what others refer to as well.
 */
export function noteBranches({ RULES }: Ajv2020, { _, Name: NameClass }: Library): void {
  const startsOf = new WeakMap<object, Name[]>()
  const errors = new NameClass('errors')
  const params = (context: object): Code => {
    const distances = (startsOf.get(context) ?? []).map((start) => _`${errors} - ${start}`)
    const starts = distances.reduce((list, distance) => _`${list}${distance},`, _``)
    const { passing } = (context as KeywordCxt).params
    return passing === undefined ? _`{starts: [${starts}]}` : _`{starts: [${starts}], passingSchemas: ${passing}}`
  }
  for (const keyword of ['anyOf', 'oneOf']) {
    const { definition } = RULES.all[keyword] as unknown as { definition: CodeKeywordDefinition }
    const { code } = definition
    definition.error = { message: '', params }
    definition.code = (context) => {
      const starts: Name[] = []
      startsOf.set(context, starts)
      const subschema = context.subschema.bind(context)
      context.subschema = (...branch) => {
        starts.push(starts.length === 0 ? (context.errsCount as Name) : context.gen.var('start', errors))
        return subschema(...branch)
      }
      code(context)
    }
  }
}

/**
 * The errors of a value, in order, with one answer in the place of each choice: what the branch that was probably meant has to
 * say, or else what would have been allowed.
 */
export function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  return settled(errors, 0, errors.length)
}

interface Said {
  readonly starts?: readonly number[]
  readonly passingSchemas?: unknown
}

function settled(errors: readonly ErrorObject[], from: number, end: number): ErrorObject[] {
  const backwards: ErrorObject[] = []
  for (let at = end - 1; at >= from; at--) {
    const error = errors[at] as ErrorObject
    const { starts = [], passingSchemas } = error.params as Said
    if (starts.length === 0) {
      // The wrapping `if` says nothing of its own.
      if (error.keyword !== 'if') backwards.push(error)
      continue
    }
    const bounds = [...starts.map((distance) => at - distance), at]
    // Once two have passed, those behind are not asked.
    const asked = Array.isArray(passingSchemas) ? [] : starts
    const branches = asked.map((_, branch) => settled(errors, bounds[branch] as number, bounds[branch + 1] as number))
    for (const answer of choiceAnswer(error, branches).toReversed()) backwards.push(answer)
    at = bounds[0] as number
  }
  return backwards.reverse()
}
