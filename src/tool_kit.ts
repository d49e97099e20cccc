/**
 * The entry `neta-gateway/tools`, for programs that use the tools without the gateway. docs/guides/write-a-tool.md has an example. The gateway does
 * not import this file.
 */
import { ToolRegistry } from './tools/registry';

export { type Static, Type } from '@sinclair/typebox';
export { builtinTools } from './builtin_tools';
export {
  type CallOptions,
  type ChatRequest,
  type GivenToolCall,
  type RequestOptions,
  ToolExecutor,
  type ToolExecutorOptions,
} from './runtime/tool_executor';
export { AgentTool, toolsOf } from './tools/agent_tool_decorator';
export { defineTool, errorResult, type ToolContext, ToolInputError, type ToolResult, textResult } from './tools/common';
export { type ToolOutcome, ToolRegistry } from './tools/registry';

/** The registry that the parts of a program share. It begins empty. */
export const registry = new ToolRegistry();
