import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Settings } from './options.ts'
import { ask } from './request.ts'

/** More than any real server lists; a list that goes on beyond is taken for one that never ends. */
const mostPages = 1_000
const mostTools = 10_000

interface Page {
  readonly tools?: unknown
  readonly nextCursor?: unknown
}

/**
 * Reads `tools/list` to its end. The SDK's `listTools` refuses the whole list for one broken tool and compiles every output
 * schema at once, so the entries are read as they are and judged one by one later.
 *
 * @throws Error if the server does not answer in time, answers with no list, or with one that has no end
 */
export async function listTools(
  client: Client,
  settings: Settings,
  signal: AbortSignal | undefined,
): Promise<unknown[]> {
  const start = performance.now()
  const tools: unknown[] = []
  const cursors = new Set<string>()
  let cursor: string | undefined = ''
  while (cursor !== undefined) {
    const totalTimeoutMs = Math.ceil(settings.totalTimeoutMs - (performance.now() - start))
    if (totalTimeoutMs <= 0) throw endless(`its pages took longer than ${settings.totalTimeoutMs} ms`)
    const params = cursor === '' ? {} : { cursor }
    const page = (await ask(client, { method: 'tools/list', params, signal }, { ...settings, totalTimeoutMs })) as Page
    if (!Array.isArray(page.tools)) throw new Error('its answer to tools/list has no array `tools`')
    if (tools.length + page.tools.length > mostTools) throw endless(`it has more than ${mostTools} tools`)
    for (const tool of page.tools) tools.push(tool)
    cursor = cursorOf(page)
    if (cursor === undefined) continue
    if (cursors.has(cursor)) throw endless('it leads back to a page that was read already')
    if (cursors.add(cursor).size >= mostPages) throw endless(`it has more than ${mostPages} pages`)
  }
  return tools
}

/** Some servers say with an empty text that there is no further page. */
function cursorOf({ nextCursor }: Page): string | undefined {
  return typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : undefined
}

function endless(why: string): Error {
  return new Error(`its list of tools does not seem to end: ${why}`)
}
