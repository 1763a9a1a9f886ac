import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { createToolRuntime, type ToolResult, type ToolRuntime, type ToolRuntimeOptions } from '@pawl/core'
import { importMcpTools, type McpImportOptions } from '../src/index.ts'

/** As many as a property has to have, more in a deep run. */
export const numRuns: number = process.env.PAWL_DEEP === '1' ? 20_000 : 1_000

/** A request as it came over the wire. */
export interface Asked {
  readonly id: number
  readonly method: string
  readonly params: { readonly name?: string; readonly arguments?: unknown; readonly _meta?: { progressToken?: number } }
}

/** What a request is answered with. `undefined` is silence. */
export type Answer = (asked: Asked, peer: Peer) => unknown

/** Answers with a JSON-RPC error instead. */
export class Refusal {
  readonly error: object
  constructor(code: number, message: string, data?: unknown) {
    this.error = { code, message, ...(data !== undefined && { data }) }
  }
}

/** A server that says on the wire whatever a test wants, also what no SDK would let it say. */
export class Peer {
  /** Everything that the client sent, in order. */
  readonly heard: Asked[] = []
  readonly client: Client
  readonly #transport: InMemoryTransport
  readonly #clientSide: InMemoryTransport
  readonly #answers: { [method: string]: Answer }

  constructor(answers: { [method: string]: Answer }, client: Client = new Client({ name: 'test', version: '1.0.0' })) {
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
    this.client = client
    this.#clientSide = clientSide
    this.#transport = serverSide
    this.#answers = { initialize: initialized, ...answers }
    serverSide.onmessage = (message) => this.#hear(message as unknown as Asked)
  }

  async connect(): Promise<this> {
    await this.client.connect(this.#clientSide)
    return this
  }

  notify(method: string, params?: object): void {
    this.#say({ method, ...(params && { params }) })
  }

  progress({ params }: Asked, progress: number): void {
    this.notify('notifications/progress', {
      progressToken: params._meta?.progressToken,
      progress,
      message: `at ${progress}`,
    })
  }

  answer(asked: Asked, result: unknown): void {
    this.#say({ id: asked.id, ...(result instanceof Refusal ? { error: result.error } : { result }) })
  }

  async die(): Promise<void> {
    await this.#transport.close()
  }

  asked(method: string): Asked[] {
    return this.heard.filter((one) => one.method === method)
  }

  #hear(asked: Asked): void {
    this.heard.push(asked)
    const result = this.#answers[asked.method]?.(asked, this)
    if (result !== undefined) this.answer(asked, result)
  }

  #say(message: object): void {
    this.#transport.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage).catch(() => {})
  }
}

function initialized(): unknown {
  return {
    protocolVersion: '2025-06-18',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'shelf', version: '1.0.0' },
  }
}

/** A tool without parameters, as listed. */
export function listed(name: string, more: object = {}): object {
  return { name, description: `The tool ${name}.`, inputSchema: { type: 'object' }, ...more }
}

/** Collects what a logger is told. */
export function logbook(): { lines: string[]; warn(message: string): void } {
  const lines: string[] = []
  return { lines, warn: (message) => void lines.push(message) }
}

/** One tool, `work`, that answers as it is told, in a runtime. */
export async function worldOf(
  answer: Answer,
  more: { tool?: object; import?: McpImportOptions; runtime?: ToolRuntimeOptions } = {},
): Promise<{ peer: Peer; runtime: ToolRuntime; run(signal?: AbortSignal): Promise<ToolResult> }> {
  const peer = await new Peer({
    'tools/list': () => ({ tools: [listed('work', more.tool)] }),
    'tools/call': answer,
  }).connect()
  const tools = await importMcpTools(peer.client, { server: 's', ...more.import })
  const runtime = createToolRuntime({ tools, ...more.runtime })
  const run = (signal?: AbortSignal) => runtime.execute({ id: 'c1', name: 's__work', arguments: {} }, { signal })
  return { peer, runtime, run }
}

/** The code of a failure, `ok` for a success. */
export function codeOf(result: ToolResult): string {
  return result.isError ? result.error.code : 'ok'
}
