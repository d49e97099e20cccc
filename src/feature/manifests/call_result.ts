/** Makes tool results from what a process answered, or from the way it ended. */
import type { ToolProcessEnd } from '../../port/tool_processes';
import { errorResult, type ToolContext, type ToolResult } from '../../tools/common';
import { ToolTimeout } from '../../tools/tool_timeout';
import { untrustedText } from '../../tools/untrusted_text';
import { formatBytes } from '../../utils/format_bytes';
import type { CheckedCommand, ToolManifest } from './manifest_schema';
import type { ToolAnswer } from './tool_answer';

type Called = { manifest: Pick<ToolManifest, 'name' | 'network'>; command: Pick<CheckedCommand, 'name' | 'effect'> };

/** Makes the result of a call. The model reads `message`, or the result as JSON; programs get the result itself. */
export function toToolResult(answer: ToolAnswer, { manifest }: Called, ctx: Pick<ToolContext, 'locale'>): ToolResult {
  const { status, result, error, message, base64 } = answer;
  if (status === 'error') {
    const reasons = [error, message].filter(text => typeof text === 'string' && text !== '');
    return errorResult(reasons.length > 0 ? reasons.join('\n') : `${manifest.name} failed and gave no reason.`);
  }
  const bytes = base64 ? Buffer.byteLength(base64, 'base64') : undefined;
  const binary = bytes === undefined ? '' : `[a binary result of ${formatBytes(bytes)} went to the caller]`;
  const text = [message ?? textOf(result), binary].filter(part => part !== '').join('\n');
  return {
    ok: true,
    content: manifest.network ? untrustedText(text, manifest.name, ctx) : text || 'Done.',
    value: result,
    base64: base64 || undefined,
    details: base64 ? { base64Bytes: bytes } : undefined,
  };
}

/** A result for a process that ended without an answer. */
export function toFailure(reason: string, { manifest, command }: Called): ToolResult {
  const isDone = command.effect === 'read' ? '' : ' Part of its work may be done already.';
  return errorResult(`${manifest.name} ${reason}.${isDone}`);
}

/** Says why a process ended, as a clause that follows the name of the tool. `memoryBytes`: its limit. */
export function describeEnd({ exitCode, killed, limit }: ToolProcessEnd, memoryBytes: number): string {
  switch (killed) {
    case 'memory_limit':
      return `was stopped: it used more than ${formatBytes(memoryBytes)} of memory`;
    case 'output_limit':
      return 'was stopped: it wrote more than 16 MiB without an answer';
    case 'process_limit':
      return 'was stopped: it started too many processes';
    case 'aborted':
    case 'timeout':
      return 'was stopped';
    default:
  }
  if (limit === 'cpu') return 'was stopped: it used up its processor time';
  if (limit === 'file_size') return 'was stopped: it wrote a file that is too large';
  return exitCode === null ? 'was ended by a signal without an answer' : `ended with exit code ${exitCode} without an answer`;
}

/** Says why a call whose signal aborted has no answer, as a clause. */
export const describeStop = ({ reason }: AbortSignal): string =>
  reason instanceof ToolTimeout ? `was stopped: its time limit of ${reason.limitMs} ms was reached` : 'was stopped';

const textOf = (result: unknown): string => {
  if (result === undefined || result === null) return '';
  return typeof result === 'string' ? result : JSON.stringify(result, null, 2);
};
