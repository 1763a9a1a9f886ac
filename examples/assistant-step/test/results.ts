import type { ToolResult } from '@pawl/core'

/** A success with this content. */
export function success(callId: string, content: ToolResult['content'], context?: string[]): ToolResult {
  return { ...head(callId), isError: false, value: null, content, ...(context && { context }) }
}

/** A failure with this content. */
export function failure(callId: string, content: ToolResult['content']): ToolResult {
  const error = { code: 'TOOL_ERROR', message: 'it broke', stage: 'execute', sideEffects: 'possible' } as const
  return { ...head(callId), isError: true, error, content }
}

function head(callId: string): Pick<ToolResult, 'callId' | 'executionId' | 'name' | 'trace'> {
  const trace = { faults: [], decisions: [], attempts: 1, bodyInvocations: 1 }
  return { callId, executionId: callId, name: 'tool', trace }
}
