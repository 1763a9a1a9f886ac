import type { Ajv2020 as AjvClass, AnySchema, ErrorObject } from 'ajv/dist/2020.js'
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

/** Thrown by a compiled schema that has used up its steps. */
export class OutOfSteps extends Error {}

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
  const { Ajv2020 } = load('ajv/dist/2020.js') as { Ajv2020: typeof AjvClass }
  const addFormats = load('ajv-formats') as { default: (ajv: AjvClass, options: object) => void }
  const regExp = Object.assign((pattern: string) => linearRegExp(pattern) ?? anything, { code: 'new RegExp' })
  const ajv = new Ajv2020({
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
 * references that would be followed billions of times comes to an end. And such a call hands its errors up; no more of them than are
 * told, but always one, by which the caller sees that there was one.
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

const mostHandedUp = 100

function handUp(errors: ErrorObject[], more: readonly ErrorObject[]): ErrorObject[] {
  const end = Math.max(1, Math.min(more.length, mostHandedUp - errors.length))
  for (let at = 0; at < end; at++) errors.push(more[at] as ErrorObject)
  return errors
}
