import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { AnyTool } from '@pawl/core'
import { wordsOf } from './errors.ts'
import { follow } from './follow.ts'
import { type McpImportOptions, readOptions } from './options.ts'
import { readTools } from './read.ts'

/**
 * The tools of a connected MCP client as pawl tools: a plain array, for `createToolRuntime({ tools })`. With `registry` they are
 * registered there instead, and follow the server's `list_changed`; the array is then what was first registered.
 *
 * A tool that can not be used is left out and told of, and costs no other. A server that dies, hangs or lies costs failures of
 * its own calls (`mcpErrorCodes`), nothing else. The client stays the app's: it is not closed here, and one that is connected
 * again serves the same tools.
 *
 * @param client connected by the app, since an import begins by asking for the list
 * @returns the tools, in the order of the server's list
 * @throws ConfigError if an option is wrong
 * @throws Error if the client is not connected, if the server gives no list of tools, or (with `registry`) if a name is taken;
 *   nothing is then registered. Its `cause` says more
 * @throws the signal's reason if it aborts the import
 * @example
 * const client = new Client({ name: 'my-app', version: '1.0.0' })
 * await client.connect(new StdioClientTransport({ command: 'mcp-server-filesystem', args: ['.'] }))
 * const runtime = createToolRuntime({ tools: await importMcpTools(client, { server: 'fs' }) })
 */
export async function importMcpTools(client: Client, options: McpImportOptions = {}): Promise<AnyTool[]> {
  const settings = readOptions(client, options)
  const { server, registry, signal } = settings
  signal?.throwIfAborted()
  try {
    if (registry !== undefined) return await follow(client, registry, settings)
    return (await readTools(client, settings, signal)).map(({ tool }) => tool)
  } catch (thrown) {
    signal?.throwIfAborted()
    throw new Error(`[pawl] MCP server "${server}" was not imported: ${wordsOf(thrown)}.`, { cause: thrown })
  }
}
