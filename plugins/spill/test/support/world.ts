import {
  type AnyTool,
  type Content,
  createToolRuntime,
  type Plugin,
  type ToolResult,
  type ToolRuntime,
} from '@pawl/core'
import { type MemorySpillStore, memorySpillStore, readSpill, type SpillStore } from '@pawl/spill'
import { type SpillOptions, spill } from '../../src/index.ts'

/** A runtime of one tool and `read_spill`. */
export interface World {
  readonly runtime: ToolRuntime
  readonly warnings: string[]
  /** One call of the tool `work`. */
  run(session?: string): Promise<ToolResult>
  close(): Promise<void>
}

/** A tool whose rendering is given; its value says nothing of it. */
export function toolOf(content: readonly Content[], more: Partial<AnyTool> = {}): AnyTool {
  return {
    name: 'work',
    description: 'Works.',
    parameters: {},
    output: { schema: {}, render: () => content },
    execute: () => 'the value',
    ...more,
  } as AnyTool
}

export function worldOf(tools: AnyTool | readonly AnyTool[], plugins: readonly Plugin[]): World {
  const warnings: string[] = []
  const logger = { warn: (message: string) => void warnings.push(message) }
  const runtime = createToolRuntime({ tools: [tools].flat(), plugins, logger })
  return {
    runtime,
    warnings,
    run: (session) => runtime.execute({ id: 'c', name: 'work' }, session === undefined ? {} : { session }),
    close: () => runtime.close(),
  }
}

/** The result of one call with this content, with and without the plugin. */
export async function bothWays(
  content: readonly Content[],
  options: SpillOptions,
  more: Partial<AnyTool> = {},
): Promise<readonly [spilled: ToolResult, plain: ToolResult]> {
  const tool = toolOf(content, more)
  const worlds = [worldOf(tool, [spill(options)]), worldOf(tool, [])]
  const [spilled, plain] = await Promise.all(worlds.map((world) => world.run()))
  for (const world of worlds) await world.close()
  return [anonymous(spilled as ToolResult), anonymous(plain as ToolResult)]
}

/** Without what differs between any two calls. */
export function anonymous(result: ToolResult): ToolResult {
  return { ...result, executionId: '' }
}

/** A store in memory that counts what it was asked to save. */
export type CountingStore = MemorySpillStore & { readonly saves: () => number }

export function countingStore(): CountingStore {
  const store = memorySpillStore()
  let saves = 0
  const counted = <T>(value: T): T => {
    saves++
    return value
  }
  return {
    ...store,
    saveText: (request) => counted(store.saveText(request)),
    saveBlob: (request) => counted(store.saveBlob(request)),
    saves: () => saves,
  }
}

/** A runtime whose tool spills into a store that can be read back, and what it takes to follow a hint. */
export function readableWorld(
  content: readonly Content[],
  store: CountingStore,
  options: Omit<SpillOptions, 'store'> = {},
): World {
  return worldOf([toolOf(content), readSpill(store)], [spill({ store, ...options })])
}

const call = /(?:Read it with read_spill:|Go on with) (\{.*?\})/

/** Does what a model does: calls what the words say, and goes on as each page says. Gives the text of all pages. */
export async function follow({ runtime }: World, words: string, session?: string): Promise<string> {
  let text = ''
  for (let wish = call.exec(words)?.[1]; wish !== undefined; ) {
    const page = await runtime.execute(
      { id: 'r', name: 'read_spill', arguments: wish },
      session === undefined ? {} : { session },
    )
    if (page.isError) throw new Error(page.error.message)
    const [shown, about] = page.content.map((block) => (block.type === 'text' ? block.text : '')) as [string, string]
    text += shown
    wish = /Go on with (\{.*\})\)$/.exec(about)?.[1]
  }
  return text
}

/** A store that does one thing, whatever it is asked. */
export function storeThat(save: (signal: AbortSignal) => unknown): SpillStore {
  const saves = ({ signal }: { readonly signal?: AbortSignal | undefined }): never =>
    save(signal as AbortSignal) as never
  return { saveText: saves, saveBlob: saves }
}
