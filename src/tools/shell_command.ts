/** Shared by the tools that run commands: fields, parameters, limits, running a command and reporting its end to the model. */
import { Type } from '@sinclair/typebox';
import type { ShellResult, TerminalState } from '../port/shell';
import { formatBytes } from '../utils/format_bytes';
import { Optional } from '../utils/schema_types';
import { inLocale, type ToolContext, type ToolResult } from './common';
import { ToolTimeout } from './tool_timeout';

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;
/** Upper bound; the settings may lower it. */
const MAX_OUTPUT_BYTES = 256 * 1024;
/** Linux allows 128 KiB for one argument of a process; a UTF-16 unit takes at most three bytes of UTF-8. */
const MAX_COMMAND_UNITS = 32_000;
/** Timeout of the tool call. It is above the limit of the command itself, for a shell that does not return. */
const TOOL_TIMEOUT_MS = MAX_TIMEOUT_MS + 30_000;

/** Fields of a tool that runs commands. */
export const COMMAND_TOOL = { effect: 'write', reads: 'private', workspace: 'run', timeoutMs: TOOL_TIMEOUT_MS } as const;

export const COMMAND_PARAMETERS = {
  command: Type.String({ minLength: 1, maxLength: MAX_COMMAND_UNITS, description: 'Command line for the shell' }),
  timeout_ms: Optional.Integer({
    minimum: 100,
    maximum: MAX_TIMEOUT_MS,
    description: `Time limit in milliseconds. Default ${DEFAULT_TIMEOUT_MS}, at most ${MAX_TIMEOUT_MS}`,
  }),
};

export const COMMAND_PARAMETERS_ZH_CN = {
  command: '交给 shell 的命令行',
  timeout_ms: `时间限制（毫秒）。默认 ${DEFAULT_TIMEOUT_MS}，最大 ${MAX_TIMEOUT_MS}`,
};

/** Limits in the description of a tool that runs commands. */
export const COMMAND_LIMITS = {
  en:
    `Time limit ${DEFAULT_TIMEOUT_MS / 1000} s unless timeout_ms says otherwise. Output over ${formatBytes(MAX_OUTPUT_BYTES)} is truncated in the middle; ` +
    `output over ${formatBytes(2 * MAX_OUTPUT_BYTES)} ends the command: filter with head, tail or grep.`,
  'zh-CN':
    `时间限制为 ${DEFAULT_TIMEOUT_MS / 1000} 秒，可用 timeout_ms 调整。输出超过 ${formatBytes(MAX_OUTPUT_BYTES)} 会从中间截断，` +
    `超过 ${formatBytes(2 * MAX_OUTPUT_BYTES)} 则命令被终止：请用 head、tail 或 grep 过滤。`,
};

export interface ShellCall {
  command: string;
  timeoutMs?: number | undefined;
  /** Absolute. */
  cwd: string;
  variables?: TerminalState['variables'];
}

/** Returns why a command cannot be run; undefined when it can. */
export function commandRefusal(command: string, ctx: ToolContext): string | undefined {
  return command.includes('\0') ? inLocale(ctx, 'A command cannot contain a NUL character.', '命令不能包含 NUL 字符。') : undefined;
}

/** Runs the command within its limits. `state` is the new state of a terminal; absent when the command was ended or its variables are too large. */
export async function runShellCommand(call: ShellCall, ctx: ToolContext): Promise<{ result: ToolResult; state?: TerminalState }> {
  const { limits } = ctx.shell;
  const timeoutMs = Math.min(call.timeoutMs ?? DEFAULT_TIMEOUT_MS, limits.timeMs);
  const { command, cwd, variables } = call;
  const { state, ...end } = await ctx.shell.run({
    command,
    cwd,
    timeoutMs,
    maxOutputBytes: limits.outputBytes,
    signal: ctx.signal,
    onOutput: ctx.onOutput,
    locale: ctx.locale,
    variables,
  });
  const { exitCode, durationMs, truncated, limit } = end;
  const callLimit: unknown = ctx.signal.reason;
  const isOverdue = end.killed === 'aborted' && callLimit instanceof ToolTimeout;
  const killed = isOverdue ? 'timeout' : end.killed;
  const lines = [isOverdue ? overdueText(callLimit, ctx) : statusText(end, timeoutMs, ctx), ...(killed ? [] : limitText(end, ctx))];
  const result: ToolResult = {
    ok: exitCode === 0 && !killed,
    content: `${lines.join('\n')}\n${end.output || inLocale(ctx, '(no output)', '（无输出）')}`,
    comparable: JSON.stringify([exitCode, killed, limit, end.output]),
    details: { exitCode, durationMs, truncated, killed, limit },
    data: { output: end.output },
    isTimeout: killed === 'timeout' || undefined,
  };
  return { result, state };
}

/** The text for a command that the time limit of its call ended before the command's own limit. */
const overdueText = ({ limitMs }: ToolTimeout, ctx: ToolContext): string =>
  inLocale(
    ctx,
    `Killed after ${limitMs} ms, the time limit of this call, with everything it had started.`,
    `已达到本次调用 ${limitMs} 毫秒的时间限制，命令及其启动的所有进程已被终止。`,
  );

function statusText({ exitCode, durationMs, killed }: ShellResult, timeoutMs: number, ctx: ToolContext): string {
  const { limits } = ctx.shell;
  const seconds = `${(durationMs / 1000).toFixed(1)} s`;
  if (killed === undefined) {
    return exitCode === null
      ? inLocale(ctx, `Ended by a signal (${seconds})`, `被信号终止（${seconds}）`)
      : inLocale(ctx, `Exit code ${exitCode} (${seconds})`, `退出码 ${exitCode}（${seconds}）`);
  }
  switch (killed) {
    case 'timeout':
      return inLocale(
        ctx,
        `Killed after ${timeoutMs} ms, the time limit, with everything it had started. Run a smaller step or raise timeout_ms (at most ${limits.timeMs}).`,
        `已达到 ${timeoutMs} 毫秒的时间限制，命令及其启动的所有进程已被终止。请拆成更小的步骤，或调大 timeout_ms（最大 ${limits.timeMs}）。`,
      );
    case 'output_limit':
      return inLocale(
        ctx,
        `Killed after ${seconds}: it wrote more than ${formatBytes(2 * limits.outputBytes)}. Write to a file and look at parts of it, or filter with head, tail or grep.`,
        `运行 ${seconds} 后被终止：输出超过 ${formatBytes(2 * limits.outputBytes)}。请写入文件后查看部分内容，或用 head、tail、grep 过滤。`,
      );
    case 'process_limit':
      return inLocale(
        ctx,
        `Killed after ${seconds}: it had more than ${limits.processes} processes and threads, the limit. Everything it had started is dead. Do less at the same time.`,
        `运行 ${seconds} 后被终止：进程和线程超过 ${limits.processes} 个的限制。其启动的所有进程已终止。请减少并行数量。`,
      );
    case 'memory_limit':
      return inLocale(
        ctx,
        `Killed after ${seconds}: its processes together used more than ${formatBytes(limits.memoryBytes)} of memory, the limit. Work on smaller parts or with fewer processes.`,
        `运行 ${seconds} 后被终止：其所有进程使用的内存合计超过 ${formatBytes(limits.memoryBytes)} 的限制。请分成更小的部分处理，或减少进程数。`,
      );
    case 'aborted':
      return inLocale(
        ctx,
        `Cancelled after ${seconds}; everything it had started is dead.`,
        `运行 ${seconds} 后被取消，其启动的所有进程已终止。`,
      );
  }
}

// Messages of programs that were refused memory or a longer file. They rarely name a limit as the reason.
const NO_MEMORY = /cannot allocate memory|out of memory|memory exhausted|MemoryError|bad_alloc/i;
const NO_LONGER_FILE = /file too large|file size limit exceeded/i;

/** Names the resource limit that probably made the command fail. */
function limitText({ exitCode, limit, output }: ShellResult, ctx: ToolContext): string[] {
  const { cpuSeconds, fileBytes, memoryBytes } = ctx.shell.limits;
  if (limit === 'cpu') {
    return [
      inLocale(
        ctx,
        `A process may use ${cpuSeconds} s of processor time; this was the limit.`,
        `单个进程最多使用 ${cpuSeconds} 秒处理器时间，已达到该限制。`,
      ),
    ];
  }
  if (exitCode === 0) return [];
  if (limit === 'file_size' || NO_LONGER_FILE.test(output)) {
    const size = formatBytes(fileBytes);
    return [inLocale(ctx, `A file that is written may have ${size}; this was the limit.`, `写入的单个文件最大 ${size}，已达到该限制。`)];
  }
  if (!NO_MEMORY.test(output)) return [];
  const size = formatBytes(memoryBytes);
  return [
    inLocale(ctx, `A process may allocate ${size}; this was probably the limit.`, `单个进程最多分配 ${size} 内存，很可能达到了该限制。`),
  ];
}
