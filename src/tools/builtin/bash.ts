import { posix } from 'node:path';
import { Type } from '@sinclair/typebox';
import type { ShellResult } from '../../port/shell';
import { formatBytes } from '../../utils/format_bytes';
import { defineTool, errorResult, inLocale, type ToolContext } from '../common';
import { workspaceRefusal } from '../workspace_refusal';

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;
const MAX_OUTPUT_BYTES = 256 * 1024;
// One argument of a process may have 128 KiB; a UTF-16 unit takes at most three bytes of UTF-8.
const MAX_COMMAND_UNITS = 32_000;

const BashParameters = Type.Object(
  {
    command: Type.String({ minLength: 1, maxLength: MAX_COMMAND_UNITS, description: 'Command line for bash -c' }),
    timeout_ms: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: MAX_TIMEOUT_MS,
        description: `Time limit in milliseconds. Default ${DEFAULT_TIMEOUT_MS}, at most ${MAX_TIMEOUT_MS}`,
      }),
    ),
    cwd: Type.Optional(Type.String({ minLength: 1, maxLength: 4096, description: 'Directory to run in. Default: the workspace itself' })),
  },
  { additionalProperties: false },
);

export const bashTool = defineTool({
  name: 'bash',
  toolset: 'base',
  label: 'Run command',
  description:
    'Runs a command in bash inside the workspace and gives back its exit code and output (stdout and stderr together). ' +
    'Use it for builds, tests, searches (grep, find), git and anything no other tool does; to read or change files prefer read_file, patch and write_file. ' +
    `There is no terminal and no input: nothing interactive. Nothing survives a call, no variable, no directory change, no background process. Time limit ${DEFAULT_TIMEOUT_MS / 1000} s unless timeout_ms says otherwise. ` +
    `Output over ${formatBytes(MAX_OUTPUT_BYTES)} loses its middle, twice that ends the command: filter with head, tail or grep.`,
  effect: 'write',
  // The command has its own limit; this one only guards against a shell that does not come back.
  timeoutMs: MAX_TIMEOUT_MS + 30_000,
  translations: {
    'zh-CN': {
      label: '运行命令',
      description:
        '在工作区内用 bash 运行命令,返回退出码和输出(stdout 与 stderr 合并)。' +
        '用于构建、测试、搜索(grep、find)、git 以及其他工具做不到的事;读取或修改文件优先使用 read_file、patch 和 write_file。' +
        `没有终端也没有输入,不能运行交互式程序。每次调用相互独立:变量、目录切换和后台进程都不会保留。时间限制为 ${DEFAULT_TIMEOUT_MS / 1000} 秒,可用 timeout_ms 调整。` +
        `输出超过 ${formatBytes(MAX_OUTPUT_BYTES)} 会省略中间部分,超过两倍则命令被终止:请用 head、tail 或 grep 过滤。`,
      parameters: {
        command: '交给 bash -c 的命令行',
        timeout_ms: `时间限制(毫秒)。默认 ${DEFAULT_TIMEOUT_MS},最大 ${MAX_TIMEOUT_MS}`,
        cwd: '运行命令的目录。默认为工作区本身',
      },
    },
  },
  parameters: BashParameters,
  async execute(args, ctx) {
    const { workspace } = ctx;
    if (args.command.includes('\0')) {
      return errorResult(inLocale(ctx, 'A command cannot contain a NUL character.', '命令不能包含 NUL 字符。'));
    }
    const cwd = args.cwd ?? '.';
    try {
      const { kind } = await workspace.stat(cwd);
      if (kind !== 'directory') return errorResult(inLocale(ctx, `cwd is not a directory: ${cwd}`, `cwd 不是目录:${cwd}`));
    } catch (thrown) {
      return workspaceRefusal(thrown, cwd, ctx);
    }
    const timeoutMs = args.timeout_ms ?? DEFAULT_TIMEOUT_MS;
    const result = await ctx.shell.run({
      command: args.command,
      cwd: posix.join(workspace.root, workspace.relative(cwd)),
      timeoutMs,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      signal: ctx.signal,
      onOutput: ctx.onOutput,
    });
    const { exitCode, durationMs, truncated, killed } = result;
    return {
      ok: exitCode === 0 && !killed,
      content: `${statusText(result, timeoutMs, ctx)}\n${result.output || inLocale(ctx, '(no output)', '(无输出)')}`,
      details: { exitCode, durationMs, truncated, ...(killed && { killed }) },
    };
  },
});

function statusText({ exitCode, durationMs, killed }: ShellResult, timeoutMs: number, ctx: ToolContext): string {
  const seconds = `${(durationMs / 1000).toFixed(1)} s`;
  switch (killed) {
    case 'timeout':
      return inLocale(
        ctx,
        `Killed after ${timeoutMs} ms, the time limit, with everything it had started. Run a smaller step or raise timeout_ms (at most ${MAX_TIMEOUT_MS}).`,
        `已达到 ${timeoutMs} 毫秒的时间限制,命令及其启动的所有进程已被终止。请拆成更小的步骤,或调大 timeout_ms(最大 ${MAX_TIMEOUT_MS})。`,
      );
    case 'output_limit':
      return inLocale(
        ctx,
        `Killed after ${seconds}: it wrote more than ${formatBytes(2 * MAX_OUTPUT_BYTES)}. Write to a file and look at parts of it, or filter with head, tail or grep.`,
        `运行 ${seconds} 后被终止:输出超过 ${formatBytes(2 * MAX_OUTPUT_BYTES)}。请写入文件后查看部分内容,或用 head、tail、grep 过滤。`,
      );
    case 'aborted':
      return inLocale(
        ctx,
        `Cancelled after ${seconds}; everything it had started is dead.`,
        `运行 ${seconds} 后被取消,其启动的所有进程已终止。`,
      );
    case undefined:
      return exitCode === null
        ? inLocale(ctx, `Ended by a signal (${seconds})`, `被信号终止(${seconds})`)
        : inLocale(ctx, `Exit code ${exitCode} (${seconds})`, `退出码 ${exitCode}(${seconds})`);
  }
}
