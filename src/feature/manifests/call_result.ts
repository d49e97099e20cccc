/** Makes tool results from what a process answered, or from the way it ended. */
import type { ToolProcessEnd } from '../../port/tool_processes';
import { errorResult, inLocale, type ToolContext, type ToolResult } from '../../tools/common';
import { ToolTimeout } from '../../tools/tool_timeout';
import { untrustedText } from '../../tools/untrusted_text';
import { type Bilingual, inBoth } from '../../utils/bilingual';
import { formatBytes } from '../../utils/format_bytes';
import type { CheckedCommand, ToolManifest } from './manifest_schema';
import type { ToolAnswer } from './tool_answer';

type Called = { manifest: Pick<ToolManifest, 'name' | 'network'>; command: Pick<CheckedCommand, 'name' | 'effect'> };

/** Makes the result of a call. The model reads `message`, or the result as JSON; programs get the result itself. */
export function toToolResult(answer: ToolAnswer, { manifest }: Called, ctx: Pick<ToolContext, 'locale'>): ToolResult {
  const { status, result, error, message, base64 } = answer;
  if (status === 'error') {
    const reasons = [error, message].filter(text => typeof text === 'string' && text !== '');
    const { name } = manifest;
    const silent = inLocale(ctx, `${name} failed and gave no reason.`, `${name} 失败，没有说明原因。`);
    return errorResult(reasons.length > 0 ? reasons.join('\n') : silent);
  }
  const bytes = base64 ? Buffer.byteLength(base64, 'base64') : undefined;
  const binary = bytes === undefined ? '' : binaryNote(formatBytes(bytes), ctx);
  const text = [message ?? textOf(result), binary].filter(part => part !== '').join('\n');
  return {
    ok: true,
    content: manifest.network ? untrustedText(text, manifest.name, ctx) : text || inLocale(ctx, 'Done.', '完成。'),
    value: result,
    base64: base64 || undefined,
    details: base64 ? { base64Bytes: bytes } : undefined,
  };
}

/** A result for a process that ended without an answer. */
export function toFailure(reason: Bilingual, { manifest, command, ctx }: Called & { ctx: Pick<ToolContext, 'locale'> }): ToolResult {
  const isHarmless = command.effect === 'read';
  return errorResult(
    inLocale(
      ctx,
      `${manifest.name} ${reason.en}.${isHarmless ? '' : ' Part of its work may be done already.'}`,
      `${manifest.name} ${reason['zh-CN']}。${isHarmless ? '' : '它的工作可能已完成了一部分。'}`,
    ),
  );
}

const binaryNote = (size: string, ctx: Pick<ToolContext, 'locale'>): string =>
  inLocale(ctx, `[a binary result of ${size} went to the caller]`, `[${size} 的二进制结果已交给调用方]`);

/** Says why a process ended, as a clause that follows the name of the tool. `memoryBytes`: its limit. */
export function describeEnd({ exitCode, killed, limit }: ToolProcessEnd, memoryBytes: number): Bilingual {
  switch (killed) {
    case 'memory_limit':
      return inBoth(
        `was stopped: it used more than ${formatBytes(memoryBytes)} of memory`,
        `已被停止：使用的内存超过 ${formatBytes(memoryBytes)}`,
      );
    case 'output_limit':
      return inBoth('was stopped: it wrote more than 16 MiB without an answer', '已被停止：输出超过 16 MiB 而没有给出回答');
    case 'process_limit':
      return inBoth('was stopped: it started too many processes', '已被停止：启动的进程过多');
    case 'aborted':
    case 'timeout':
      return STOPPED;
    default:
  }
  if (limit === 'cpu') return inBoth('was stopped: it used up its processor time', '已被停止：用尽了处理器时间');
  if (limit === 'file_size') return inBoth('was stopped: it wrote a file that is too large', '已被停止：写入的文件过大');
  if (exitCode === null) return inBoth('was ended by a signal without an answer', '被信号终止，没有给出回答');
  return inBoth(`ended with exit code ${exitCode} without an answer`, `已结束，退出码 ${exitCode}，没有给出回答`);
}

/** Says why a call whose signal aborted has no answer, as a clause. */
export function describeStop({ reason }: AbortSignal): Bilingual {
  if (!(reason instanceof ToolTimeout)) return STOPPED;
  const { limitMs } = reason;
  return inBoth(`was stopped: its time limit of ${limitMs} ms was reached`, `已被停止：达到了 ${limitMs} 毫秒的时间限制`);
}

const STOPPED = inBoth('was stopped', '已被停止');

export const noUsableAnswer = (problem: Bilingual): Bilingual =>
  inBoth(`gave no usable answer: ${problem.en}`, `没有给出可用的回答：${problem['zh-CN']}`);

const textOf = (result: unknown): string => {
  if (result === undefined || result === null) return '';
  return typeof result === 'string' ? result : JSON.stringify(result, null, 2);
};
