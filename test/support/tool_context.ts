/** Creates a tool context with a real workspace directory, shell and plan. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLocalShell } from '../../src/adapter/local/shell/shell';
import { openWorkspace } from '../../src/adapter/local/workspace/workspace';
import { TodoStore } from '../../src/runtime/todo_store';
import type { AgentTool, ToolContext, ToolResult } from '../../src/tools/common';
import { validateArguments } from '../../src/tools/validation';
import { shellLimits } from './shell_limits';

export interface ToolBench {
  ctx: ToolContext;
  root: string;
  /** The chunks passed to onOutput. */
  chunks: string[];
  /** Validates as the runner does, then runs the tool. */
  call(tool: AgentTool, args: unknown, overrides?: Partial<ToolContext>): Promise<ToolResult>;
  /** Writes a file of the workspace with its directories. */
  put(path: string, content: string | Buffer): Promise<void>;
  close(): Promise<void>;
}

export async function openToolBench(): Promise<ToolBench> {
  const directory = await mkdtemp(join(tmpdir(), 'neta-tools-'));
  const workspace = await openWorkspace(join(directory, 'workspace'));
  const chunks: string[] = [];
  const ctx: ToolContext = {
    tenantId: 'default',
    sessionId: 'ses_1',
    runId: 'run_1',
    toolCallId: 'call_1',
    locale: 'en',
    signal: new AbortController().signal,
    workspace,
    shell: createLocalShell({ root: workspace.root, environment: process.env, limits: shellLimits() }),
    todos: new TodoStore([]),
    onOutput: chunk => chunks.push(chunk),
  };
  return {
    ctx,
    root: workspace.root,
    chunks,
    async call(tool, args, overrides = {}) {
      const checked = validateArguments(tool, args);
      if (!checked.ok) throw new Error(checked.message);
      return tool.execute(checked.value, { ...ctx, ...overrides });
    },
    async put(path, content) {
      await mkdir(dirname(join(workspace.root, path)), { recursive: true });
      await writeFile(join(workspace.root, path), content);
    },
    close: () => rm(directory, { recursive: true, force: true }),
  };
}
