import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { all, output, parameters } from './schemas.mjs'

/** Objects go over by reference: a real transport adds a JSON round trip on both sides. */
export async function make({ bodies, bodyNames, sum }) {
  const server = new McpServer({ name: 'bench', version: '1.0.0' })
  for (const name of bodyNames) {
    const description = `Runs ${name}.`
    server.registerTool(name, { description, inputSchema: parameters, outputSchema: output }, async (args) => {
      const structuredContent = await bodies[name](args)
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
    })
  }
  const client = new Client({ name: 'bench', version: '1.0.0' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(far), client.connect(near)])
  await client.listTools() // from this the client knows what to check
  const call = (name, signal) => client.callTool({ name, arguments: sum }, undefined, signal && { signal })
  return {
    label: 'MCP SDK v1 `client.callTool`, a pair in memory',
    call: (signal) => call('add', signal),
    textOf: (result) => result.content[0].text,
    batch: (name, count) => all(count, () => call(name)),
  }
}
