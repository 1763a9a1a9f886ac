// A server over stdio that dies of every call, and one tool that never answers. Run by stdio.test.ts.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const server = new Server({ name: 'dying', version: '1.0.0' }, { capabilities: { tools: {} } })
const inputSchema = { type: 'object' }
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    { name: 'die', inputSchema },
    { name: 'hang', inputSchema },
  ],
}))
server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  if (params.name === 'die') process.exit(1)
  return new Promise(() => {})
})
await server.connect(new StdioServerTransport())
