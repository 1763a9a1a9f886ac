import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { type Progress, ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import type { ToolError } from '@pawl/core'
import { mcpError, wordsOf } from './errors.ts'
import type { Settings } from './options.ts'

/** One question to a server. */
export interface Question {
  readonly method: string
  readonly params: { readonly [member: string]: unknown }
  /** Cancels it. A listener stands on it only while the question is open. */
  readonly signal?: AbortSignal | undefined
  /** Told of the server's progress, which also shows that it is not silent. */
  readonly onProgress?: (progress: Progress) => void
}

/** Who ended a question that was not answered. */
type End = 'idle' | 'total' | 'cancelled'

/** More than any of our own limits: the SDK's own timer is never the one that fires. */
const longestMs = 2_147_483_647

/**
 * Asks and waits no longer than the limits say. The SDK has limits too, but looks at the total only when progress arrives, and
 * leaves a listener on the signal that it is given; so the limits are kept here, and it gets a signal of its own.
 *
 * @returns the result as the server sent it, unchecked
 * @throws ToolError with a code of `mcpErrorCodes`; the server has been told where the question was given up
 */
export async function ask(client: Client, question: Question, settings: Settings): Promise<unknown> {
  const { method, params, signal, onProgress } = question
  const { idleTimeoutMs, totalTimeoutMs } = settings
  const { transport } = client
  if (signal?.aborted) throw gaveUp('cancelled', method, settings)
  if (transport === undefined) throw notConnected(settings)

  const controller = new AbortController()
  let ended: End | undefined
  const end = (how: End): void => {
    ended ??= how
    controller.abort(gaveUp(how, method, settings).message)
  }
  const cancel = (): void => end('cancelled')
  const total = setTimeout(end, totalTimeoutMs, 'total')
  const idle = setTimeout(end, idleTimeoutMs, 'idle')
  signal?.addEventListener('abort', cancel)
  try {
    return await client.request({ method, params } as Parameters<Client['request']>[0], ResultSchema, {
      signal: controller.signal,
      timeout: longestMs,
      ...(onProgress && {
        onprogress(progress) {
          idle.refresh()
          onProgress(progress)
        },
      }),
    })
  } catch (thrown) {
    if (ended !== undefined) throw gaveUp(ended, method, settings)
    throw failed(thrown, client.transport === transport, settings)
  } finally {
    clearTimeout(total)
    clearTimeout(idle)
    signal?.removeEventListener('abort', cancel)
  }
}

function gaveUp(how: End, method: string, { server, idleTimeoutMs, totalTimeoutMs }: Settings): ToolError {
  const effect = method === 'tools/call' ? '; it may have taken effect' : ''
  if (how === 'cancelled')
    return mcpError('MCP_CANCELLED', `The request to MCP server "${server}" was cancelled${effect}.`)
  const ms = how === 'idle' ? idleTimeoutMs : totalTimeoutMs
  const what =
    how === 'idle'
      ? `gave no answer and no progress for ${ms} ms (idleTimeoutMs)`
      : `gave no answer within ${ms} ms in total (totalTimeoutMs)`
  return mcpError('MCP_TIMEOUT', `MCP server "${server}" ${what}${effect}.`, {
    retryable: true,
    details: { limit: how, ms },
  })
}

function notConnected({ server }: Settings): ToolError {
  const message = `MCP server "${server}" is not connected, and nothing was sent. Connect the client first: await client.connect(transport).`
  return mcpError('MCP_CONNECTION_FAILED', message, { retryable: true, details: { sent: false } })
}

/** The SDK's errors: closed during the question, refused by the server, or not carried by the transport. */
function failed(thrown: unknown, isConnected: boolean, { server }: Settings): ToolError {
  if (!isConnected) {
    const message = `MCP server "${server}" closed the connection during the call; the outcome is unknown.`
    return mcpError('MCP_CONNECTION_FAILED', message, { retryable: false, details: { sent: true } })
  }
  // Told by shape: an app may have loaded the SDK a second time, as CommonJS, with an McpError of its own.
  const { name, code, data } = thrown as { name?: unknown; code?: unknown; data?: unknown }
  if (name === 'McpError' && typeof code === 'number') {
    return mcpError('MCP_REQUEST_FAILED', `MCP server "${server}": ${wordsOf(thrown)} (JSON-RPC error ${code}).`, {
      details: { rpcCode: code, ...(data !== undefined && { data }) },
    })
  }
  return mcpError('MCP_CONNECTION_FAILED', `MCP server "${server}" could not be reached: ${wordsOf(thrown)}.`)
}
