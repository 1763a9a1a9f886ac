import { types } from 'node:util'
import { ConfigError } from './errors.ts'
import { type Json, type Limits, snapshot } from './json.ts'
import type { MaybePromise } from './maybe.ts'
import type { RegisteredTool } from './registry.ts'
import { nearest } from './schema/index.ts'
import { type Broken, checkValue, isStandardSchema, type PreparedSchema, prepareSchema } from './schema-input.ts'
import { describeThrown } from './thrown.ts'
import type { AnyTool, ToolInfo } from './tool.ts'

/** The longest delay that a timer of the platform carries, ms: 2³¹−1. Beyond it a timer would fire at once. */
export const longestDelayMs = 2_147_483_647

const members = [
  'name',
  'description',
  'title',
  'annotations',
  'parameters',
  'output',
  'isConcurrencySafe',
  'timeoutMs',
  'examples',
  'present',
  'finalizeContent',
  'execute',
]

type Arguments = { readonly [member: string]: Json }

/**
 * Checks a definition and makes it ready: the only way into a registry.
 * @throws ConfigError naming the tool, the member and the way out
 */
export function takeIn(definition: AnyTool, limits: Limits): RegisteredTool {
  const where = whereOf(definition)
  refuseUnknownMembers(definition, members, where)
  const { name, description, annotations, timeoutMs, parameters, output, isConcurrencySafe, finalizeContent, execute } =
    definition
  const refuse = (what: string): never => {
    throw new ConfigError(`[pawl] ${where}: ${what}`)
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be in a name
  if (typeof name !== 'string' || !/^[^\s\u0000-\u001f\u007f]{1,128}$/u.test(name)) {
    refuse('`name` has to be a string of 1 to 128 characters without white space or control characters.')
  }
  if (typeof description !== 'string') refuse('`description` has to be a string: it is what the model chooses by.')
  if (typeof execute !== 'function') refuse('`execute` has to be a function.')
  if (!isSchemaInput(parameters)) refuse('`parameters` has to be a schema; `{}` takes any JSON object.')
  if (isStandardSchema(output)) refuse('`output` has to be an object { schema, render }: write output: { schema: … }.')
  if (output === null || typeof output !== 'object' || !isSchemaInput(output.schema)) {
    refuse('`output.schema` has to be a schema; `{}` lets the tool return any JSON.')
  }
  const { render } = output
  if (timeoutMs !== undefined && !isDelay(timeoutMs)) {
    refuse(`\`timeoutMs\` has to be a number of ms above 0 and up to ${longestDelayMs}, not ${String(timeoutMs)}.`)
  }
  for (const [member, value] of Object.entries({
    isConcurrencySafe,
    finalizeContent,
    'output.render': render,
  })) {
    if (value !== undefined && typeof value !== 'function') refuse(`\`${member}\` has to be a function.`)
    if (types.isAsyncFunction(value)) refuse(`\`${member}\` has to be synchronous: nobody waits for its promise.`)
  }
  const input = prepareSchema(parameters, `the parameters of ${where}`)
  const { type } = input.schema as { type?: unknown }
  if (typeof type === 'string' && type !== 'object')
    refuse(`\`parameters\` describe a value of type ${type}, and the arguments of a call are always an object.`)
  const result = prepareSchema(output.schema, `the output schema of ${where}`)
  const info: ToolInfo = Object.freeze({
    name,
    ...(annotations === undefined
      ? undefined
      : { annotations: snapshot(annotations, limits) as ToolInfo['annotations'] }),
    ...(timeoutMs === undefined ? undefined : { timeoutMs }),
  })
  const tool: RegisteredTool = {
    definition,
    info,
    schema: Object.freeze({ name, description, parameters: input.schema as Arguments }),
    problems: [...report(input, 'parameters'), ...report(result, 'output schema')],
    parameters: {
      check:
        input.further === undefined ? (value) => checkValue(input, value) : (value) => checkArguments(input, value),
      withDefaults: (value) => input.validator.withDefaults(value) as Arguments,
    },
    output: {
      check:
        result.further === undefined ? (value) => checkValue(result, value) : (value) => checkOutput(result, value),
    },
    render: render === undefined ? undefined : (args, value) => render.call(output, args, value) as never,
    isConcurrencySafe: isConcurrencySafe === undefined ? undefined : (args) => isConcurrencySafe.call(definition, args),
    finalizeContent: finalizeContent === undefined ? undefined : (pending) => finalizeContent.call(definition, pending),
    execute: (args, exec) => execute.call(definition, args, exec),
  }
  checkExamples(tool, definition.examples, where, limits)
  return tool
}

function isSchemaInput(value: unknown): boolean {
  return (value !== null && typeof value === 'object') || isStandardSchema(value)
}

/** Whether a timer of the platform can hold it, ms. */
export function isDelay(ms: unknown): ms is number {
  return typeof ms === 'number' && ms > 0 && ms <= longestDelayMs
}

/** What others call the members of a tool. */
const elsewhere: { readonly [member: string]: string } = {
  inputSchema: 'parameters',
  input_schema: 'parameters',
  outputSchema: 'output',
  handler: 'execute',
  run: 'execute',
}

/** @throws ConfigError naming the unknown member and the nearest known one */
export function refuseUnknownMembers(value: object, known: readonly string[], where: string): void {
  for (const member of Object.keys(value)) {
    if (known.includes(member)) continue
    const suggestion = nearest(elsewhere[member] ?? member, known)
    const wayOut = suggestion === undefined ? `Known are: ${known.join(', ')}.` : `Did you mean \`${suggestion}\`?`
    throw new ConfigError(`[pawl] ${where}: unknown member \`${member}\`. ${wayOut}`)
  }
}

function whereOf(definition: unknown): string {
  if (definition === null || typeof definition !== 'object')
    throw new ConfigError('[pawl] a tool has to be an object: use defineTool({ … }).')
  const { name } = definition as { name?: unknown }
  return typeof name === 'string' ? `tool "${name}"` : 'a tool without a name'
}

function report({ problems }: PreparedSchema, which: string): string[] {
  return problems.map(({ path, message }) => `${which} ${path === '' ? '(root)' : path}: ${message}`)
}

function checkArguments(schema: PreparedSchema, value: Arguments): MaybePromise<Broken | undefined> {
  return checkValue(schema, value) ?? schema.further?.(value)
}

/** Values are judged on the spot, so a further check that takes its time can not be asked. */
function checkOutput(schema: PreparedSchema, value: Json): Broken | undefined {
  const broken = checkValue(schema, value)
  if (broken !== undefined || schema.further === undefined) return broken
  const further = schema.further(value)
  return further instanceof Promise
    ? { message: 'its output schema has an asynchronous check, which is not supported', violations: [] }
    : further
}

function checkExamples(tool: RegisteredTool, examples: AnyTool['examples'], where: string, limits: Limits): void {
  examples?.forEach((example, at) => {
    const refuse = (what: string, why: string): never => {
      throw new ConfigError(
        `[pawl] ${where}: \`examples[${at}].${what}\` does not follow the schema. ${why} Correct the example or the schema.`,
      )
    }
    const copy = (what: 'arguments' | 'value'): Json => {
      try {
        return snapshot(example[what], limits)
      } catch (refused) {
        return refuse(what, describeThrown(refused).message)
      }
    }
    const broken = tool.parameters.check(copy('arguments') as Arguments)
    if (broken instanceof Promise)
      refuse('arguments', 'its schema has an asynchronous check, which can not be asked at registration.')
    else if (broken !== undefined) refuse('arguments', broken.message)
    const value = example.value === undefined ? undefined : tool.output.check(copy('value'))
    if (value !== undefined) refuse('value', value.message)
  })
}
