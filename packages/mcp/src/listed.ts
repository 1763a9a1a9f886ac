import type { ToolAnnotations } from '@pawl/core'
import type { ListedTool } from './options.ts'

/** A JSON Schema as it came. */
type Schema = { readonly [keyword: string]: unknown }

/** An entry of `tools/list`, read leniently: what has the wrong type and is not needed counts as absent. */
export interface Entry extends ListedTool {
  readonly inputSchema: Schema
  readonly outputSchema?: Schema
  /** The tool says that it runs as a task only. */
  readonly needsTask: boolean
}

/** @throws Error saying what is missing */
export function readEntry(listed: unknown): Entry {
  if (!isObject(listed) || typeof listed.name !== 'string') throw new Error('it has no name')
  const { name, title, description, annotations, inputSchema, outputSchema, execution } = listed
  if (!isObject(inputSchema)) throw new Error('it has no `inputSchema`')
  if (outputSchema !== undefined && !isObject(outputSchema)) throw new Error('its `outputSchema` is no object')
  const hints = isObject(annotations) ? readAnnotations(annotations) : undefined
  const heading = typeof title === 'string' ? title : hints?.title
  return {
    name,
    description: typeof description === 'string' ? description.toWellFormed() : '',
    ...(heading !== undefined && { title: heading }),
    ...(hints !== undefined && { annotations: hints }),
    inputSchema: rooted(inputSchema),
    ...(outputSchema !== undefined && { outputSchema: rooted(outputSchema) }),
    needsTask: isObject(execution) && execution.taskSupport === 'required',
  }
}

/** What there is to say of an entry that could not be read. */
export function nameOf(listed: unknown): string {
  return isObject(listed) && typeof listed.name === 'string' ? listed.name : ''
}

/**
 * The schema as it came. Arguments and structured content are objects by the protocol, which a root of `anyOf` without a `type`
 * leaves unsaid, and which tells the schema from pawl's short map.
 */
function rooted(schema: Schema): Schema {
  const { type } = schema
  const isUnsaid = type === undefined || (Array.isArray(type) && type.includes('object'))
  return isUnsaid ? { ...schema, type: 'object' } : schema
}

function readAnnotations(annotations: { readonly [member: string]: unknown }): ToolAnnotations {
  const read: { title?: string; [hint: string]: unknown } = {}
  if (typeof annotations.title === 'string') read.title = annotations.title
  for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']) {
    if (typeof annotations[hint] === 'boolean') read[hint] = annotations[hint]
  }
  return read
}

function isObject(value: unknown): value is { readonly [member: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
