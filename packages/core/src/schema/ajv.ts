import type { Ajv2020 as AjvClass, AnySchema, ErrorObject } from 'ajv/dist/2020.js'
import { noteBranches } from './branches.ts'
import { Comparisons, membership } from './comparisons.ts'
import { load, loadSoon } from './late.ts'
import { linearRegExp } from './linear-regexp.ts'

/** A compiled schema: its errors stand on itself after a call that gave `false`. */
export interface Validate {
  (value: unknown): boolean
  errors?: null | ErrorObject[]
}

/** What a compiled schema was made by. */
export interface Compiler {
  compile(schema: unknown): Validate
  readonly budget: Budget
}

/** What a compiled schema has at hand while it judges one value. */
export interface Budget {
  /** The references that it may still follow. */
  steps: number
  readonly comparisons: Comparisons
}

/**
 * Thrown by a compiled schema that has used up its steps. No `Error`: its stack would keep alive whatever was under way when the
 * compiler was made.
 */
export class OutOfSteps {}

/** An instance keeps what it compiled, so it is not used for ever: what nobody holds any more can then be let go. */
const compiledPerInstance = 100

interface Shared {
  compiler: Compiler
  compiled: number
}

const shared = new Map<string, Shared>()

/** The compiler for the next schema. Made when the first schema is compiled, which is when the library is loaded. */
export function compilerFor({
  namesInherited,
  useDefaults,
}: {
  readonly namesInherited: boolean
  readonly useDefaults: boolean
}): Compiler {
  const kind = `${namesInherited} ${useDefaults}`
  let entry = shared.get(kind)
  if (entry === undefined || entry.compiled >= compiledPerInstance) {
    entry = { compiler: newCompiler(namesInherited, useDefaults), compiled: 0 }
    shared.set(kind, entry)
  }
  entry.compiled++
  return entry.compiler
}

// Neither a start nor the first call waits for the 30 ms that loading takes.
loadSoon(() => compilerFor({ namesInherited: false, useDefaults: false }))

function newCompiler(ownProperties: boolean, useDefaults: boolean): Compiler {
  const comparisons = new Comparisons()
  const library = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const addFormats = load('ajv-formats') as { default: (ajv: AjvClass, options: object) => void }
  const regExp = Object.assign((pattern: string) => linearRegExp(pattern) ?? anything, { code: 'new RegExp' })
  const ajv = new library.Ajv2020({
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    inlineRefs: false,
    allErrors: true,
    verbose: true,
    messages: true,
    multipleOfPrecision: 9,
    ownProperties,
    useDefaults,
    code: { regExp, process: bounded },
  })
  noteBranches(ajv, library)
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (unique: boolean, items: unknown[]) => !unique || comparisons.areUnique(items),
    error: { message: 'must have no two equal items' },
  })
  ajv.addKeyword({
    keyword: 'enumSet',
    schemaType: 'array',
    compile: (allowed: unknown[]) => membership(allowed, comparisons),
  })
  addFormats.default(ajv, { mode: 'fast' })
  // The library's own pattern takes quadratic time. A parser does not, but it passes over white space.
  ajv.addFormat('url', (text) => /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text))
  return Object.assign(ajv as { compile(schema: AnySchema): Validate }, {
    budget: { steps: 0, comparisons },
    outOfSteps: new OutOfSteps(),
    handUp,
  }) as Compiler
}

/** Where a pattern can not be run in linear time it is not enforced; `inspectSchema` has said so. */
const anything = { test: () => true }

/**
 * Bounds what compiled code can cost. Every reference is a call of a compiled function, so each of them counts itself: a tree of
 * references that would be followed billions of times comes to an end. And such a call hands its errors up; all of them until there
 * are enough, then one of each, by which the caller sees that there was one.
 */
function bounded(code: string): string {
  const counted = code
    .replaceAll(
      /(function validate\d+\(data, \{instancePath="".*?\}=\{\}\)\{)/g,
      '$1if(--budget.steps<0)throw self.outOfSteps;',
    )
    .replaceAll(/vErrors\.concat\((validate\d+\.errors)\)/g, 'self.handUp(vErrors,$1)')
  return `const budget=self.budget;${counted}`
}

/** More errors than these are not told. */
const enough = 100

function handUp(errors: ErrorObject[], more: readonly ErrorObject[]): ErrorObject[] {
  if (errors.length < enough) for (const error of more) errors.push(error)
  else {
    // The last one speaks for all; what its branches said stays behind.
    const last = more.at(-1) as ErrorObject
    errors.push({ ...last, params: { ...last.params, starts: [] } })
  }
  return errors
}
