import type { Content } from './content.ts'
import type { Exec } from './exec.ts'
import type { Infer, InferArguments } from './infer.ts'
import type { Outcome } from './outcome.ts'
import type { PendingResult, ToolResult } from './result.ts'
import type { SchemaInput } from './schema-input.ts'

/** Hints about a tool, as in the Model Context Protocol's `ToolAnnotations`. They are claims: only a deployment that trusts the author acts on them. */
export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** What plugins see of a tool. */
export interface ToolInfo {
  readonly name: string
  readonly annotations?: ToolAnnotations
  /** ms. */
  readonly timeoutMs?: number
}

/** An example call, checked against the schemas when the tool is registered. */
export interface ToolExample<Args, Value> {
  readonly arguments: Args
  readonly value?: Value
}

/**
 * A tool. Its author does two things: return a JSON value that `output.schema` declares, and forward `exec.signal` to the I/O
 * below. Only name, description and parameters ever reach the model.
 */
export interface ToolDefinition<P extends SchemaInput = SchemaInput, O extends SchemaInput = SchemaInput> {
  /** 1 to 128 characters, no white space or control characters. */
  readonly name: string
  readonly description: string
  readonly title?: string
  readonly annotations?: ToolAnnotations
  /** What the arguments must be. See `SchemaInput`. */
  readonly parameters: P
  readonly output: {
    /** What the value must be. `{}` is any JSON. */
    readonly schema: O
    /** The value in words for the model. **Default:** strings as they are, everything else as compact JSON. Pure. */
    render?(args: InferArguments<P>, value: Infer<O>): readonly Content[]
  }
  /**
   * Whether a call with these arguments may overlap others of its step: synchronous, pure, and only exactly `true` opts in.
   * **Default:** it may not.
   */
  isConcurrencySafe?(args: InferArguments<P>): boolean
  /** How long the body may take, ms, above 0 and up to 2³¹−1. Enforced by the timeout plugin; never reaches the model. */
  readonly timeoutMs?: number
  /** Checked when the tool is registered. */
  readonly examples?: readonly ToolExample<InferArguments<P>, Infer<O>>[]
  /** For people's screens only; pure; never sent to the model. */
  readonly present?: {
    call?(args: InferArguments<P>): string
    result?(args: InferArguments<P>, result: ToolResult): string
  }
  /** The tool's last word on its content, once for every outcome: replacement content, or `undefined` to leave it. */
  finalizeContent?(result: PendingResult): readonly Content[] | undefined
  /** The body. Its value is copied, validated and frozen; a throw becomes a failure (`ToolError` for a code of your own). */
  execute(args: InferArguments<P>, exec: Exec<InferArguments<P>>): Infer<O> | Outcome | Promise<Infer<O> | Outcome>
}

/** A tool of whatever types. */
export type AnyTool = ToolDefinition<any, any>

/**
 * Gives back the definition, typed by its schemas. What a tool is made of is checked when a runtime takes it in.
 *
 * @example
 * const add = defineTool({
 *   name: 'add', description: 'Adds two numbers.',
 *   parameters: { a: { type: 'number', required: true }, b: { type: 'number', required: true } },
 *   output: { schema: { type: 'number' } },
 *   execute: ({ a, b }) => a + b,
 * })
 */
export function defineTool<const P extends SchemaInput, const O extends SchemaInput>(
  definition: ToolDefinition<P, O>,
): ToolDefinition<P, O> {
  return definition
}
