/**
 * The one list of tools. Who needs to know which tools exist asks here and sees all of them: the tools are imported by this file and none
 * imports it. The catalog holds data (schema and texts), never an instance; what a tool does is found in `builtinTools` or is bound by a service.
 */

import { deepFreeze } from '../utils/deep_freeze';
import { bashTool } from './builtin/bash';
import { calculatorTool } from './builtin/calculator';
import { clarifyTool } from './builtin/clarify';
import { crawlBatchTool } from './builtin/crawl_batch';
import { delegateParallelSpec, delegateTaskSpec, escalateSpec } from './builtin/crew';
import { currentTimeTool } from './builtin/current_time';
import { echoTool } from './builtin/echo';
import { fetchPageTool } from './builtin/fetch_page';
import { fileDeleteTool } from './builtin/file_delete';
import { fileExistsTool } from './builtin/file_exists';
import { fileListTool } from './builtin/file_list';
import { fileMkdirTool } from './builtin/file_mkdir';
import { fileReadTool } from './builtin/file_read';
import { fileWriteTool } from './builtin/file_write';
import { getWeatherTool } from './builtin/get_weather';
import { jsonProcessTool } from './builtin/json_process';
import { listDirTool } from './builtin/list_dir';
import { memoryRecallSpec, memorySaveSpec } from './builtin/memory';
import { patchTool } from './builtin/patch';
import { readFileTool } from './builtin/read_file';
import { searchTool } from './builtin/search';
import { readSkillFileSpec, readSkillSpec, skillManageSpec } from './builtin/skill';
import { terminalTool } from './builtin/terminal';
import { textProcessTool } from './builtin/text_process';
import { webSearchTool } from './builtin/web_search';
import { writeFileTool } from './builtin/write_file';
import type { AgentTool, ToolSpec } from './common';
import { todoTool } from './todo_tool';
import { assertToolName, toSpec } from './tool_spec';

/** Toolsets of an agent whose profile names none. */
export const TOOLSET_DEFAULTS = ['base', 'planning', 'interaction'] as const;

const CORE_TOOLS: readonly AgentTool[] = [bashTool, readFileTool, writeFileTool, listDirTool, patchTool, todoTool, clarifyTool];

const BOUND_BY_SERVICES: readonly ToolSpec[] = [
  memorySaveSpec,
  memoryRecallSpec,
  readSkillSpec,
  readSkillFileSpec,
  skillManageSpec,
  delegateTaskSpec,
  delegateParallelSpec,
  escalateSpec,
];

/** For agents whose profile names their toolsets. */
const MORE_TOOLS: readonly AgentTool[] = [
  webSearchTool,
  fetchPageTool,
  crawlBatchTool,
  calculatorTool,
  textProcessTool,
  jsonProcessTool,
  getWeatherTool,
  currentTimeTool,
  echoTool,
  fileReadTool,
  fileWriteTool,
  fileDeleteTool,
  fileListTool,
  fileExistsTool,
  fileMkdirTool,
  searchTool,
  terminalTool,
];

const BUILTIN_TOOLS: readonly AgentTool[] = Object.freeze([...CORE_TOOLS, ...MORE_TOOLS]);

const catalog = new Map<string, ToolSpec>();
for (const tool of [...CORE_TOOLS, ...BOUND_BY_SERVICES, ...MORE_TOOLS]) registerSchema(tool);

/**
 * Puts the data of a tool into the catalog; one with the same name is replaced and keeps its place in the order. What does not belong to a spec
 * is left out. The data is frozen with all that it holds, the schema of the tool itself included. Throws when the name is not one that model servers accept.
 */
export function registerSchema(spec: ToolSpec): void {
  assertToolName(spec.name);
  catalog.set(spec.name, deepFreeze(toSpec(spec)));
}

/** The data of one tool. */
export function getSchema(name: string): ToolSpec | undefined {
  return catalog.get(name);
}

/** The tools of one toolset, in catalog order. */
export function getSchemasByToolset(toolset: string): ToolSpec[] {
  return [...catalog.values()].filter(spec => spec.toolset === toolset);
}

/** Names of the tools of these toolsets, in catalog order whatever the order asked; unknown toolsets add nothing. */
export function getToolNamesByToolsets(toolsets: readonly string[]): string[] {
  return [...catalog.values()].filter(spec => toolsets.includes(spec.toolset)).map(spec => spec.name);
}

/** Names of all tools, or of those in the toolsets given. */
export function getAllToolNames(toolsets?: readonly string[]): string[] {
  return toolsets ? getToolNamesByToolsets(toolsets) : [...catalog.keys()];
}

/** Every toolset that has a tool, in catalog order. */
export function getToolsets(): string[] {
  return [...new Set([...catalog.values()].map(spec => spec.toolset))];
}

/** The tools that need nothing but their context to run. */
export function builtinTools(): readonly AgentTool[] {
  return BUILTIN_TOOLS;
}
