import { posix } from 'node:path';
import { Type } from '@sinclair/typebox';
import { MAX_STATE_BYTES, type TerminalState } from '../../port/shell';
import { WorkspaceError } from '../../port/workspace';
import { formatBytes } from '../../utils/format_bytes';
import { defineTool, errorResult, inLocale, type ToolContext, type ToolResult } from '../common';
import {
  COMMAND_LIMITS,
  COMMAND_PARAMETERS,
  COMMAND_PARAMETERS_ZH_CN,
  COMMAND_TOOL,
  commandRefusal,
  runShellCommand,
} from '../shell_command';

const TerminalParameters = Type.Object(COMMAND_PARAMETERS, { additionalProperties: false });

export const terminalTool = defineTool({
  name: 'terminal',
  toolset: 'terminal',
  label: 'Terminal',
  description:
    'Runs a command in the terminal of this session: the next command starts in the directory where this one ended and with the variables it exported, so cd, export and an activated environment last. ' +
    'Unexported variables, functions, aliases and background processes do not last. Commands get no input, so nothing interactive works. It begins in the workspace and stays inside it. ' +
    'Gives back the exit code and output (stdout and stderr together). Use it when several commands build on each other. ' +
    `${COMMAND_LIMITS.en} ` +
    `Exported variables over ${formatBytes(MAX_STATE_BYTES)} are not kept.`,
  whenToUse: 'Commands build on each other and should keep the directory or exported variables',
  promptOrder: 60,
  ...COMMAND_TOOL,
  keepsState: true,
  translations: {
    'zh-CN': {
      label: '终端',
      description:
        '在本会话的终端中运行命令：下一条命令从上一条结束时所在的目录开始，并带有它导出的变量，因此 cd、export 和激活的环境会保留。' +
        '未导出的变量、函数、别名和后台进程不会保留；没有输入，不能运行交互式程序。从工作区开始，且只能留在其中。' +
        '返回退出码和输出（stdout 与 stderr 合并）。适合前后相关的多条命令。' +
        COMMAND_LIMITS['zh-CN'] +
        `导出的变量超过 ${formatBytes(MAX_STATE_BYTES)} 时不保留。`,
      whenToUse: '几条命令前后相关，要保留所在目录或导出的变量',
      parameters: COMMAND_PARAMETERS_ZH_CN,
    },
  },
  parameters: TerminalParameters,
  async execute(args, ctx) {
    const refusal = commandRefusal(args.command, ctx);
    if (refusal !== undefined) return errorResult(refusal);
    // Without a terminal this is a direct call, because direct calls can reach every tool.
    if (!ctx.terminal) {
      return errorResult(inLocale(ctx, 'There is no session, so there is no terminal. Use bash.', '没有会话，因此没有终端。请使用 bash。'));
    }
    return ctx.terminal.use(state => runInTerminal(args, state, ctx));
  },
});

async function runInTerminal(
  args: { command: string; timeout_ms?: number },
  before: TerminalState | undefined,
  ctx: ToolContext,
): Promise<{ result: ToolResult; next?: TerminalState }> {
  if (ctx.signal.aborted) return { result: errorResult(inLocale(ctx, 'Cancelled before it began.', '在开始之前已取消。')) };
  const { root } = ctx.workspace;
  const start = await directoryOf(before?.cwd ?? root, ctx);
  const call = { command: args.command, timeoutMs: args.timeout_ms, cwd: start ?? root, variables: before?.variables ?? {} };
  const { result, state } = await runShellCommand(call, ctx);
  const end = state && (await directoryOf(state.cwd, ctx));
  const notices = [
    ...(start === undefined ? [startedElsewhere(before?.cwd ?? root, ctx)] : []),
    ...(state ? [] : [nothingKept(ctx)]),
    ...(state && end === undefined ? [endedElsewhere(state.cwd, ctx)] : []),
  ];
  const cwd = end ?? start ?? root;
  return {
    result: {
      ...result,
      content: [...notices, result.content].join('\n'),
      details: { ...result.details, cwd: posix.relative(root, cwd) || '.' },
    },
    next: state && { cwd: end ?? root, variables: state.variables },
  };
}

/** Returns the directory as an absolute path; undefined when it is gone or outside the workspace. */
async function directoryOf(path: string, { workspace }: ToolContext): Promise<string | undefined> {
  try {
    const { kind } = await workspace.stat(path);
    return kind === 'directory' ? posix.join(workspace.root, workspace.relative(path)) : undefined;
  } catch (thrown) {
    if (thrown instanceof WorkspaceError) return undefined;
    throw thrown;
  }
}

const startedElsewhere = (path: string, ctx: ToolContext): string =>
  inLocale(
    ctx,
    `Note: the directory ${path} is gone, so this command started in the workspace.`,
    `注意：目录 ${path} 已不存在，本命令从工作区目录开始。`,
  );

const endedElsewhere = (path: string, ctx: ToolContext): string =>
  inLocale(
    ctx,
    `Note: ${path} is outside the workspace or gone; the next command starts in the workspace.`,
    `注意：${path} 在工作区之外或已不存在；下一条命令将从工作区目录开始。`,
  );

const nothingKept = (ctx: ToolContext): string =>
  inLocale(
    ctx,
    `Note: directory and variables stay as they were before this command: it was ended, or its variables are over ${formatBytes(MAX_STATE_BYTES)}.`,
    `注意：目录和变量保持本命令之前的状态：命令被终止，或变量超过 ${formatBytes(MAX_STATE_BYTES)}。`,
  );
