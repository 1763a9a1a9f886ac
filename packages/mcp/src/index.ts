export { type McpErrorCode, mcpErrorCodes } from './errors.ts'
export { importMcpTools } from './import.ts'
export type { ListedTool, McpImportOptions } from './options.ts'
