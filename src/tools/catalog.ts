/**
 * The one list of tools. This file imports every tool and no tool imports it, so a reader of the catalog always sees all of them. The catalog
 * holds data (schema and texts); `builtinTools` or a service has the function of a tool.
 */

import { deepFreeze } from '../utils/deep_freeze';
import { bashTool } from './builtin/bash';
import { calculatorTool } from './builtin/calculator';
import { clarifyTool } from './builtin/clarify';
import { crawlBatchTool } from './builtin/crawl_batch';
import { delegateParallelTool, delegateTaskTool } from './builtin/crew';
import { cronTool } from './builtin/cron';
import { currentTimeTool } from './builtin/current_time';
import { echoTool } from './builtin/echo';
import { escalateTool } from './builtin/escalate';
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
import { memoryForgetTool } from './builtin/memory_forget';
import { memoryRecallTool } from './builtin/memory_recall';
import { memorySaveTool } from './builtin/memory_save';
import { patchTool } from './builtin/patch';
import { readFileTool } from './builtin/read_file';
import { readSkillTool } from './builtin/read_skill';
import { readSkillFileTool } from './builtin/read_skill_file';
import { searchTool } from './builtin/search';
import { sessionSearchTool } from './builtin/session_search';
import { skillManageTool } from './builtin/skill_manage';
import { terminalTool } from './builtin/terminal';
import { textProcessTool } from './builtin/text_process';
import { webSearchTool } from './builtin/web_search';
import { writeFileTool } from './builtin/write_file';
import type { AgentTool, ToolSpec } from './common';
import { todoTool } from './todo_tool';
import { assertToolName, toSpec } from './tool_spec';

/** The toolset of a master: an agent whose profile names members. */
export const CREW_TOOLSET = 'crew';

/** The toolsets of an agent whose profile does not list any. */
export const TOOLSET_DEFAULTS = ['base', 'planning', 'interaction'] as const;

const CORE_TOOLS: readonly AgentTool[] = [bashTool, readFileTool, writeFileTool, listDirTool, patchTool, todoTool, clarifyTool];

const SKILL_TOOLS: readonly AgentTool[] = [readSkillTool, readSkillFileTool, skillManageTool];

const MEMORY_TOOLS: readonly AgentTool[] = [memorySaveTool, memoryRecallTool, memoryForgetTool];

const CREW_TOOLS: readonly AgentTool[] = [delegateTaskTool, delegateParallelTool, escalateTool];

/** Toolsets that an agent has only when its profile lists them. */
const MORE_TOOLS: readonly AgentTool[] = [
  sessionSearchTool,
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
  cronTool,
];

const BUILTIN_TOOLS: readonly AgentTool[] = Object.freeze([...CORE_TOOLS, ...MEMORY_TOOLS, ...SKILL_TOOLS, ...CREW_TOOLS, ...MORE_TOOLS]);

const catalog = new Map<string, ToolSpec>();
for (const tool of [...CORE_TOOLS, ...MEMORY_TOOLS, ...SKILL_TOOLS, ...CREW_TOOLS, ...MORE_TOOLS]) registerSchema(tool);

/**
 * Puts the spec of a tool into the catalog, without its other fields. Replaces a tool of the same name and keeps its place. Freezes the spec and
 * everything in it, so also the schema that the tool itself uses. Throws when model servers would not accept the name.
 */
export function registerSchema(spec: ToolSpec): void {
  assertToolName(spec.name);
  catalog.set(spec.name, deepFreeze(toSpec(spec)));
}

/** Returns the spec of one tool. */
export function getSchema(name: string): ToolSpec | undefined {
  return catalog.get(name);
}

/** Returns the specs of one toolset, in catalog order. */
export function getSchemasByToolset(toolset: string): ToolSpec[] {
  return [...catalog.values()].filter(spec => spec.toolset === toolset);
}

/** Returns the names of the tools in these toolsets, in catalog order. Ignores unknown toolsets. */
export function getToolNamesByToolsets(toolsets: readonly string[]): string[] {
  return [...catalog.values()].filter(spec => toolsets.includes(spec.toolset)).map(spec => spec.name);
}

/** Returns the names of all tools, or of those in `toolsets`. */
export function getAllToolNames(toolsets?: readonly string[]): string[] {
  return toolsets ? getToolNamesByToolsets(toolsets) : [...catalog.keys()];
}

/** Returns every toolset that has a tool, in catalog order. */
export function getToolsets(): string[] {
  return [...new Set([...catalog.values()].map(spec => spec.toolset))];
}

/** Returns the tools that can run here: those that need only their context. */
export function builtinTools(): readonly AgentTool[] {
  return BUILTIN_TOOLS;
}
