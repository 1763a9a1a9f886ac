import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { type AnyTool, defineTool, type Exec, type Json, type ToolDefinition } from '@pawl/core'
import { mcpError } from './errors.ts'
import type { Entry } from './listed.ts'
import { exposedName } from './names.ts'
import type { Settings } from './options.ts'
import { ask } from './request.ts'
import { Answers } from './result.ts'

/** The pawl tool that calls a listed one. Nothing is checked here that a registry checks. */
export function toolOf(client: Client, entry: Entry, settings: Settings): AnyTool {
  const { name, title, description, annotations, inputSchema, outputSchema } = entry
  const { server, prefix, trustAnnotations } = settings
  const answers = new Answers(server, name, outputSchema !== undefined)
  const isSafe = trustAnnotations && annotations?.readOnlyHint === true

  return defineTool({
    name: exposedName(prefix ? server : undefined, name),
    description,
    ...(title !== undefined && { title }),
    ...(annotations !== undefined && { annotations }),
    parameters: inputSchema,
    output: { schema: outputSchema ?? {}, render: (_args: unknown, value: unknown) => answers.render(value as Json) },
    ...(isSafe && { isConcurrencySafe: () => true }),
    async execute(args: unknown, exec: Exec) {
      if (entry.needsTask && runsTasks(client)) throw taskRequired(server, name)
      const params = { name, arguments: args }
      const answer = await ask(
        client,
        { method: 'tools/call', params, signal: exec.signal, onProgress: tell(exec) },
        settings,
      )
      return answers.take(answer, exec)
    },
  } as ToolDefinition)
}

/** Only a server that declares tasks may be asked for one, so without that the tool is called like any other. */
export function runsTasks(client: Client): boolean {
  return client.getServerCapabilities()?.tasks?.requests?.tools?.call !== undefined
}

function taskRequired(server: string, name: string): Error {
  return mcpError('MCP_TASK_REQUIRED', `${name} of MCP server "${server}" runs as a task only, which is not supported.`)
}

function tell(
  exec: Exec,
): (progress: { progress: number; total?: number | undefined; message?: string | undefined }) => void {
  return ({ progress, total, message }) =>
    exec.progress({ progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) })
}
