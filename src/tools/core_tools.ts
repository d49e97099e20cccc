/** The tools of the core. Agents get the tools of a toolset in the order of this list. */
import { bashTool } from './builtin/bash';
import { calculatorTool } from './builtin/calculator';
import { clarifyTool } from './builtin/clarify';
import { crawlBatchTool } from './builtin/crawl_batch';
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
import { patchTool } from './builtin/patch';
import { readFileTool } from './builtin/read_file';
import { searchTool } from './builtin/search';
import { terminalTool } from './builtin/terminal';
import { textProcessTool } from './builtin/text_process';
import { webSearchTool } from './builtin/web_search';
import { writeFileTool } from './builtin/write_file';
import type { AgentTool } from './common';
import { todoTool } from './todo_tool';

export const CORE_TOOLS: readonly AgentTool[] = [
  bashTool,
  readFileTool,
  writeFileTool,
  listDirTool,
  patchTool,
  todoTool,
  clarifyTool,
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
