import type { Content } from './content.ts'
import { ConfigError } from './errors.ts'
import type { Exec } from './exec.ts'
import type { Json, Limits } from './json.ts'
import type { MaybePromise } from './maybe.ts'
import type { Logger } from './plugin.ts'
import type { PendingResult } from './result.ts'
import type { Broken, SchemaInput } from './schema-input.ts'
import { takeIn } from './take-in.ts'
import type { AnyTool, ToolDefinition, ToolInfo } from './tool.ts'
import { wellFormed } from './well-formed.ts'

type Arguments = { readonly [member: string]: Json }

/** A tool as a runtime has taken it in: every member read once, its schemas made ready. */
export interface RegisteredTool {
  readonly definition: AnyTool
  readonly info: ToolInfo
  readonly schema: ToolSchema
  /** What in its schemas is not enforced, one sentence each. */
  readonly problems: readonly string[]
  readonly parameters: {
    check(value: Arguments): MaybePromise<Broken | undefined>
    withDefaults(value: Arguments): Arguments
  }
  readonly output: { check(value: Json): Broken | undefined }
  readonly render: ((args: Arguments, value: Json) => readonly Content[]) | undefined
  readonly isConcurrencySafe: ((args: Arguments) => unknown) | undefined
  readonly finalizeContent: ((result: PendingResult) => readonly Content[] | undefined) | undefined
  readonly execute: (args: Arguments, exec: Exec) => unknown
}

/** What the model is given of a tool, and nothing else (STG-6). */
export interface ToolSchema {
  readonly name: string
  readonly description: string
  readonly parameters: { readonly [keyword: string]: Json }
}

/** The tools of a runtime, by name. */
export interface ToolRegistry {
  /**
   * Takes a tool in: calls admitted from now on see it. What it answers takes the tool out again.
   * @throws ConfigError if the definition is wrong or the name is taken
   */
  register<const P extends SchemaInput, const O extends SchemaInput>(tool: ToolDefinition<P, O>): () => void
  /** Takes a tool out; calls already admitted go on with it. `false` if there is none of that name. */
  unregister(name: string): boolean
  list(): AnyTool[]
  get(name: string): AnyTool | undefined
  /** Name, description and parameters of every tool, for the model, in whole characters: fresh copies, so changing them changes nothing here. */
  schemas(): ToolSchema[]
}

/** The tools as the stages see them. */
export class Registry {
  readonly #tools = new Map<string, RegisteredTool>()
  readonly #limits: Limits
  readonly #logger: Logger

  constructor(limits: Limits, logger: Logger) {
    this.#limits = limits
    this.#logger = logger
  }

  register(definition: AnyTool): () => void {
    const tool = takeIn(definition, this.#limits)
    const { name } = tool.info
    if (this.#tools.has(name)) {
      throw new ConfigError(
        `[pawl] there is already a tool named "${name}". Give one of the two another name, or unregister the first.`,
      )
    }
    this.#tools.set(name, tool)
    for (const problem of tool.problems) this.#logger.warn(`[pawl] tool "${name}", ${problem}`)
    return () => {
      if (this.#tools.get(name) === tool) this.#tools.delete(name)
    }
  }

  unregister(name: string): boolean {
    return this.#tools.delete(name)
  }

  list(): AnyTool[] {
    return this.all().map(({ definition }) => definition)
  }

  get(name: string): AnyTool | undefined {
    return this.find(name)?.definition
  }

  schemas(): ToolSchema[] {
    return this.all().map(({ schema }) => structuredClone(wellFormed({ ...schema }) as unknown as ToolSchema))
  }

  find(name: string): RegisteredTool | undefined {
    return this.#tools.get(name)
  }

  names(): Iterable<string> {
    return this.#tools.keys()
  }

  all(): RegisteredTool[] {
    return [...this.#tools.values()]
  }
}

/** The public face of a registry; its methods may be destructured. */
export function publicRegistry(registry: Registry): ToolRegistry {
  return Object.freeze({
    register: (tool: AnyTool) => registry.register(tool),
    unregister: (name: string) => registry.unregister(name),
    list: () => registry.list(),
    get: (name: string) => registry.get(name),
    schemas: () => registry.schemas(),
  })
}
