import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const require = createRequire(import.meta.url)

/** What the server's folder holds at the start. The picture is one pixel. */
const files = {
  'README.md': '# Harbour\n\nKeeps track of boats and where they are moored.\n',
  'CHANGELOG.md': '# Changelog\n\n## 2.0.0\n\n- Boats stay where you moored them.\n',
  'yarn.lock': '# yarn lockfile v1\n',
  '.env': 'MODE=production\n',
  'logo.png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
}

/** Runs `use` with a client of the official filesystem server, which sees one temporary folder. Both are gone afterwards. */
export async function withFileServer<T>(use: (client: Client) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'pawl-assistant-step-'))
  const client = new Client({ name: 'pawl-assistant-step', version: '0.1.0' })
  try {
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
    const args = [await serverScript(), folder]
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }))
    return await use(client)
  } finally {
    await client.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The script that `npx @modelcontextprotocol/server-filesystem` would start. */
async function serverScript(): Promise<string> {
  const manifest = require.resolve('@modelcontextprotocol/server-filesystem/package.json')
  const { bin } = JSON.parse(await readFile(manifest, 'utf8')) as { bin: Record<string, string> }
  return join(dirname(manifest), String(bin['mcp-server-filesystem']))
}
