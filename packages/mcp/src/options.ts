import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ConfigError, type Logger, type ToolAnnotations, type ToolRegistry } from '@pawl/core'

/** A tool as its server lists it, which is what a `filter` sees. Everything but the name is a claim of that server. */
export interface ListedTool {
  /** As on the wire: without the server's name, and neither cleaned nor cut. */
  readonly name: string
  /** For people. Where the entry has none, that of its annotations. */
  readonly title?: string
  /** What the model is told the tool does; empty where the server says nothing. */
  readonly description: string
  /** The hints that are true or false, and the title; what has another type is left out. */
  readonly annotations?: ToolAnnotations
}

/**
 * What `importMcpTools` takes. All times are milliseconds, above 0 and up to 2³¹−1. An unknown option, or one of the wrong type,
 * is a `ConfigError`.
 */
export interface McpImportOptions {
  /**
   * What this deployment calls the server: the first part of each tool's name, as in `fs__read_file`. Name it yourself, for a
   * server may call itself whatever it likes. **Default:** the name that the server gave when it was connected.
   */
  readonly server?: string
  /** `false`: the tools' names alone, for a deployment with one server. **Default:** `true`. */
  readonly prefix?: boolean
  /**
   * Believe this server's annotations: a tool with `readOnlyHint: true` may then run beside others. **Default:** `false`, every
   * tool of the server runs alone.
   */
  readonly trustAnnotations?: boolean
  /** Which tools to take; one that it throws on is left out. **Default:** all. */
  readonly filter?: (tool: ListedTool) => boolean
  /** Registers the tools here, `runtime.tools`, and keeps them as the server lists them. **Default:** they are only returned. */
  readonly registry?: ToolRegistry
  /**
   * Cancels the import, which then rejects with the signal's reason; later it ends the following and takes the tools out of
   * `registry` again. It cancels no call. **Default:** none.
   */
  readonly signal?: AbortSignal
  /**
   * Told of tools that are left out, and of lists that could not be read. One that throws costs its own line only. **Default:**
   * `process.emitWarning` with the code `PAWL_MCP`.
   */
  readonly logger?: Logger
  /** How long the server may be silent: no answer, no progress. Beyond it, `MCP_TIMEOUT`. **Default:** 60,000 ms. */
  readonly idleTimeoutMs?: number
  /** How long one call, or one reading of the list, may take, progress or not; then `MCP_TIMEOUT`. **Default:** 600,000 ms. */
  readonly totalTimeoutMs?: number
}

/** The options with their defaults, as they were when the import began. */
export interface Settings {
  /** For messages; and, with `prefix`, for names. */
  readonly server: string
  readonly prefix: boolean
  readonly trustAnnotations: boolean
  readonly filter: (tool: ListedTool) => boolean
  readonly registry: ToolRegistry | undefined
  readonly signal: AbortSignal | undefined
  readonly warn: (message: string) => void
  /** The same, but what was told once is not told at every reading of the list; nor more than a hundred things. */
  readonly warnOnce: (message: string) => void
  readonly idleTimeoutMs: number
  readonly totalTimeoutMs: number
}

const longestMs = 2_147_483_647
/** UTF-16 code units of what a server calls itself. */
const longestOwnName = 100
const mostWarnings = 100
const members = [
  'server',
  'prefix',
  'trustAnnotations',
  'filter',
  'registry',
  'signal',
  'logger',
  'idleTimeoutMs',
  'totalTimeoutMs',
]

/** @throws ConfigError naming the option, what it has to be, and what it is */
export function readOptions(client: Client, options: McpImportOptions): Settings {
  if (typeof client?.request !== 'function' || typeof client.setNotificationHandler !== 'function')
    throw refuse('its first argument', 'a connected Client of @modelcontextprotocol/sdk', client)
  if (options === null || typeof options !== 'object')
    throw refuse('its second argument', 'an object such as { server: "fs" }', options)
  for (const member of Object.keys(options)) {
    if (!members.includes(member))
      throw new ConfigError(`[pawl] importMcpTools: unknown option \`${member}\`. Known are: ${members.join(', ')}.`)
  }
  const { prefix = true, trustAnnotations = false, filter = () => true, registry, signal, logger } = options
  const { idleTimeoutMs = 60_000, totalTimeoutMs = 600_000 } = options
  const server = options.server ?? client.getServerVersion()?.name.slice(0, longestOwnName) ?? 'mcp'
  need('server', typeof server === 'string' && server !== '', 'a text that is not empty', server)
  need('prefix', typeof prefix === 'boolean', 'true or false', prefix)
  need('trustAnnotations', typeof trustAnnotations === 'boolean', 'true or false', trustAnnotations)
  need('filter', typeof filter === 'function', 'a function from a listed tool to true or false', filter)
  need('registry', registry === undefined || typeof registry?.register === 'function', 'a runtime’s `tools`', registry)
  need('signal', signal === undefined || signal instanceof AbortSignal, 'an AbortSignal', signal)
  need('logger', logger === undefined || typeof logger?.warn === 'function', 'an object with warn(message)', logger)
  need('idleTimeoutMs', isDelay(idleTimeoutMs), `a number of ms above 0 and up to ${longestMs}`, idleTimeoutMs)
  need('totalTimeoutMs', isDelay(totalTimeoutMs), `a number of ms above 0 and up to ${longestMs}`, totalTimeoutMs)
  const warn = warner(server, logger)
  const warnOnce = once(warn)
  return { server, prefix, trustAnnotations, filter, registry, signal, warn, warnOnce, idleTimeoutMs, totalTimeoutMs }
}

/** A logger that fails costs its own line and nothing else. */
function warner(server: string, logger: Logger | undefined): (message: string) => void {
  return (message) => {
    const line = `[pawl] MCP server ${JSON.stringify(server)}: ${message}`
    if (logger === undefined) process.emitWarning(line, { code: 'PAWL_MCP' })
    else {
      try {
        logger.warn(line)
      } catch {
        // there is nobody left to tell
      }
    }
  }
}

function once(warn: (message: string) => void): (message: string) => void {
  const told = new Set<string>()
  return (message) => {
    if (told.size > mostWarnings || told.has(message)) return
    told.add(message)
    warn(told.size > mostWarnings ? 'there is more to tell of its tools, which is left out.' : message)
  }
}

function isDelay(ms: unknown): boolean {
  return typeof ms === 'number' && ms > 0 && ms <= longestMs
}

function need(option: string, holds: boolean, toBe: string, given: unknown): void {
  if (!holds) throw refuse(`\`${option}\``, toBe, given)
}

function refuse(what: string, toBe: string, given: unknown): ConfigError {
  const shown = typeof given === 'string' ? JSON.stringify(given) : typeof given === 'number' ? given : typeof given
  return new ConfigError(`[pawl] importMcpTools: ${what} has to be ${toBe}. It is ${String(shown)}.`)
}
