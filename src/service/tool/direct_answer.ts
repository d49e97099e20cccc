/** Rows and answers of direct calls: of tools that ran, answers that are kept for later, and answers that were lost. */
import type { ErrorCode } from '../../errors';
import type { ToolExecutionEnd, ToolExecutionRecord } from '../../port/store/tool_executions';
import { outcomeUnknown } from '../../runtime/history';
import { inLocale, type ToolLocale, type ToolResult } from '../../tools/common';
import { clipStart, clipText } from '../../utils/clip_text';

export interface DirectCallResult {
  status: 'success' | 'error';
  result: unknown;
  error: string | null;
  /** Set for errors that programs may handle by their code. */
  errorCode?: ErrorCode;
  message: string;
  base64?: string;
  durationMs: number;
  timestamp: string;
}

const STORED_LIMIT = 8_000;
const MAX_NAME_UNITS = 200;
/** Bytes of an answer that is kept for later. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** The answer of a tool that ran, in the form of the protocol. */
export function toDirectResult(outcome: ToolResult): Omit<DirectCallResult, 'durationMs' | 'timestamp'> {
  const { ok, content, details, data, value, base64, isTimeout } = outcome;
  if (!ok) return { status: 'error', result: null, error: content, errorCode: isTimeout ? 'tool_timeout' : undefined, message: content };
  const result = value === undefined ? { ...data, ...details, content } : value;
  return { status: 'success', result, error: null, message: content, base64 };
}

/** The answer of a call whose own answer was not kept, because the gateway or its store ended before. */
export function toLostAnswer(execution: ToolExecutionRecord, locale: ToolLocale): Record<string, unknown> {
  const { status, error, result, durationMs, createdAt } = execution;
  const message = error ?? result ?? outcomeUnknown(locale);
  const timestamp = new Date(createdAt).toISOString();
  if (status === 'success') return { status, result: { content: message }, error: null, message, durationMs: durationMs ?? 0, timestamp };
  return { status: 'error', result: null, error: message, message, durationMs: durationMs ?? 0, timestamp };
}

/** Drops the result of an answer that is too large to be kept, and says so. */
export function toKeptAnswer(answer: DirectCallResult, locale: ToolLocale): Record<string, unknown> {
  const bytes = Buffer.byteLength(JSON.stringify(answer));
  if (bytes <= MAX_ANSWER_BYTES) return { ...answer };
  const { base64: _base64, ...rest } = answer;
  const error = inLocale(
    { locale },
    `The result has ${bytes} bytes, and at most ${MAX_ANSWER_BYTES} are kept. Call the tool without Prefer: respond-async.`,
    `结果有 ${bytes} 字节，最多保留 ${MAX_ANSWER_BYTES} 字节。请不带 Prefer: respond-async 调用此工具。`,
  );
  return { ...rest, status: 'error', result: null, error, message: error };
}

/** A call that begins. `args`: its parameters as JSON. */
export const newDirectExecution = (
  { tenantId, context = {} }: { tenantId: string; context?: Record<string, unknown> },
  { name, command }: { name: string; command?: string },
  { args, ...row }: Pick<ToolExecutionRecord, 'id' | 'args' | 'createdAt'> & { owner: string },
): ToolExecutionRecord => ({
  tenantId,
  ...row,
  tool: name,
  command,
  ...callerOf(context),
  args: clipText(args, STORED_LIMIT),
  status: 'running',
});

export function toExecutionEnd({ ok, content, details }: ToolResult, durationMs: number, endedAt: number): ToolExecutionEnd {
  const text = clipText(content, STORED_LIMIT);
  return {
    status: ok ? 'success' : 'error',
    result: ok ? text : undefined,
    error: ok ? undefined : text,
    durationMs,
    details,
    endedAt,
  };
}

/** Returns the user and the agent that the context of the call names. */
function callerOf(context: Record<string, unknown>): Pick<ToolExecutionRecord, 'user' | 'agent'> {
  const nameIn = (field: string) => (typeof context[field] === 'string' ? clipStart(context[field], MAX_NAME_UNITS) : undefined);
  const user = nameIn('user');
  const agent = nameIn('agent');
  return { user, agent };
}
