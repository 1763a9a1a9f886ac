import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { AnyTool, ToolRegistry } from '@pawl/core'
import { wordsOf } from './errors.ts'
import { onListChanged } from './list-changed.ts'
import type { Settings } from './options.ts'
import { type ReadTool, readTools } from './read.ts'

/** Between two readings of the list, ms: a server that says "changed" at every reading is not read without pause. */
const restMs = 100

/**
 * Registers the server's tools and keeps them as the server lists them, until `settings.signal` aborts.
 * @returns the tools as first registered
 * @throws Error if there is no list to be had, or a name is taken; nothing is then registered
 */
export async function follow(client: Client, registry: ToolRegistry, settings: Settings): Promise<AnyTool[]> {
  const stop = new AbortController()
  const registered = new Registered(registry)
  let isStale = false
  let isReading = true
  const unsubscribe = onListChanged(client, () => {
    isStale = true
    if (!isReading) catchUp()
  })
  const end = (): void => {
    settings.signal?.removeEventListener('abort', end)
    unsubscribe()
    stop.abort()
    registered.clear()
  }
  settings.signal?.addEventListener('abort', end)

  async function catchUp(): Promise<void> {
    isReading = true
    while (isStale && !stop.signal.aborted) {
      isStale = false
      try {
        const tools = await readTools(client, settings, stop.signal)
        if (!stop.signal.aborted) registered.become(tools, (problem) => settings.warn(problem))
      } catch (thrown) {
        if (!stop.signal.aborted)
          settings.warn(`its tools stay as they were, for the changed list could not be read: ${wordsOf(thrown)}.`)
      }
      await pause(restMs, undefined, { signal: stop.signal, ref: false }).catch(() => {})
    }
    isReading = false
  }

  try {
    const tools = await readTools(client, settings, stop.signal)
    stop.signal.throwIfAborted()
    registered.become(tools, (problem) => {
      throw new Error(problem)
    })
    catchUp()
    return tools.map(({ tool }) => tool)
  } catch (thrown) {
    end()
    throw thrown
  }
}

/** The tools of one import in one registry. */
class Registered {
  readonly #registry: ToolRegistry
  readonly #tools = new Map<string, ReadTool & { readonly unregister: () => void }>()

  constructor(registry: ToolRegistry) {
    this.#registry = registry
  }

  /** In one go, so that no call is admitted between the old tools and the new. What the server left as it was is not touched. */
  become(tools: readonly ReadTool[], refused: (problem: string) => void): void {
    const listed = new Map(tools.map((read) => [read.tool.name, read]))
    for (const [name, { print, unregister }] of this.#tools) {
      const read = listed.get(name)
      // One that the deployment itself has taken out, or replaced, stays as the deployment wants it.
      if (read !== undefined && (read.print === print || !this.#isOurs(name))) listed.delete(name)
      else {
        unregister()
        this.#tools.delete(name)
      }
    }
    for (const [name, read] of listed) {
      try {
        this.#tools.set(name, { ...read, unregister: this.#registry.register(read.tool) })
      } catch (thrown) {
        refused(`tool "${name}" could not be registered: ${wordsOf(thrown).replace('[pawl] ', '')}.`)
      }
    }
  }

  clear(): void {
    for (const { unregister } of this.#tools.values()) unregister()
    this.#tools.clear()
  }

  #isOurs(name: string): boolean {
    return this.#registry.get(name) === this.#tools.get(name)?.tool
  }
}
