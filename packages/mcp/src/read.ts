import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { type AnyTool, createToolRuntime } from '@pawl/core'
import { bounded, wordsOf } from './errors.ts'
import { listTools } from './list.ts'
import { type Entry, nameOf, readEntry } from './listed.ts'
import type { Settings } from './options.ts'
import { runsTasks, toolOf } from './tool.ts'

/** A tool that is fit to be registered, and what tells whether the server has changed it since. */
export interface ReadTool {
  readonly tool: AnyTool
  readonly print: string
}

/**
 * The server's tools as they are now. One that can not be used is left out and told of; it costs no other tool.
 * @throws Error if there is no list to be had
 */
export async function readTools(client: Client, settings: Settings, signal?: AbortSignal): Promise<ReadTool[]> {
  const listed = await listTools(client, settings, signal)
  // A registry of its own is the judge, so that what passes here is what a runtime takes.
  const { tools: judge } = createToolRuntime()
  return listed.flatMap((one, at) => {
    try {
      const entry = readEntry(one)
      if (!wanted(entry, settings)) return []
      const tool = toolOf(client, entry, settings)
      judge.register(tool)
      if (entry.needsTask && runsTasks(client))
        settings.warnOnce(`${shown(one, at)} runs as a task only, which is not supported; calls of it will fail.`)
      return [{ tool, print: JSON.stringify(entry) }]
    } catch (thrown) {
      settings.warnOnce(`${shown(one, at)} was left out: ${wordsOf(thrown).replace('[pawl] ', '')}.`)
      return []
    }
  })
}

function wanted(entry: Entry, { filter }: Settings): boolean {
  const { name, title, description, annotations } = entry
  return (
    filter({ name, description, ...(title !== undefined && { title }), ...(annotations && { annotations }) }) === true
  )
}

function shown(listed: unknown, at: number): string {
  const name = nameOf(listed)
  return name === '' ? `tool number ${at}` : `tool ${JSON.stringify(bounded(name, 120))}`
}
