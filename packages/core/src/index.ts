export {
  type AudioContent,
  type Content,
  type ContentAnnotations,
  type EmbeddedResource,
  type ImageContent,
  type ResourceLink,
  type TextContent,
  textOf,
} from './content.ts'
export {
  type CallError,
  ConfigError,
  type ErrorCode,
  errorCodes,
  type Stage,
  ToolError,
  type ToolErrorOptions,
} from './errors.ts'
export type { Exec, FailOptions, Progress } from './exec.ts'
export type { Explanation } from './explain.ts'
export type { Infer, InferArguments } from './infer.ts'
export {
  type EntryHead,
  type Journal,
  type JournalEntry,
  type MemoryJournalOptions,
  memoryJournal,
  type RecordedOutcome,
} from './journal.ts'
export type { Json, Limits } from './json.ts'
export type { ToolRuntimeOptions } from './options.ts'
export type { BrokenOrder } from './order.ts'
export type { Outcome } from './outcome.ts'
export type {
  ApprovalAnswer,
  Approver,
  Decision,
  Guard,
  Logger,
  Next,
  NextOptions,
  Plugin,
  PluginContext,
  PostDecision,
  Role,
  Session,
} from './plugin.ts'
export type { ToolRegistry, ToolSchema } from './registry.ts'
export type { FinishReason, ToolCall } from './requests.ts'
export type { Fault, PendingResult, Timings, ToolResult, Trace, TraceDecision } from './result.ts'
export { createToolRuntime, type ToolRuntime } from './runtime.ts'
export type { SchemaInput, StandardSchema } from './schema-input.ts'
export type { DispatchOptions } from './step.ts'
export type { ToolEvent } from './stream.ts'
export {
  type AnyTool,
  defineTool,
  type ToolAnnotations,
  type ToolDefinition,
  type ToolExample,
  type ToolInfo,
} from './tool.ts'
export type { StageMessage } from './tracing.ts'
