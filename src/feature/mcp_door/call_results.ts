/** Turns results of runs and errors into results of MCP tool calls. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type AppError, toWireError } from '../../errors';
import type { Locale } from '../../port/store/sessions';
import type { RunResult } from '../../service/run_log/run_service';
import { clipText } from '../../utils/clip_text';

/** Limits of the tool calls in a result: some clients show all of it to their model. */
const MAX_TOOL_CALLS = 100;
const MAX_TEXT_UNITS = 2_000;

/** The first content is the answer alone; then comes what the calling model needs to go on. A run that failed or was cancelled is an error. */
export function toRunCallResult(result: RunResult, locale: Locale): CallToolResult {
  const { status, error, reason, sessionId } = result;
  const isError = status === 'failed' || status === 'cancelled';
  const cancelled = locale === 'zh-CN' ? '运行已被取消。' : 'The run was cancelled.';
  const failure = error ? `${error.code}: ${error.message}` : `run_cancelled: ${cancelled}`;
  const texts = [isError ? failure : result.text];
  if (status === 'incomplete') texts.push(locale === 'zh-CN' ? `运行未完成：${reason}。` : `The run ended incomplete: ${reason}.`);
  texts.push(
    locale === 'zh-CN' ? `要继续这个对话，请传入 sessionId ${sessionId}。` : `To continue this conversation, pass sessionId ${sessionId}.`,
  );
  return {
    content: texts.map((text, index) => ({ type: 'text', text, annotations: index > 0 ? { audience: ['assistant'] } : undefined })),
    structuredContent: { ...result, toolCalls: result.toolCalls.slice(-MAX_TOOL_CALLS).map(toShortCall) },
    isError: isError || undefined,
  };
}

function toShortCall({ args, result, ...call }: RunResult['toolCalls'][number]): RunResult['toolCalls'][number] {
  const text = JSON.stringify(args) ?? '';
  return {
    ...call,
    args: text.length > MAX_TEXT_UNITS ? clipText(text, MAX_TEXT_UNITS) : args,
    result: clipText(result, MAX_TEXT_UNITS),
  };
}

/** The key of `_meta` that holds the error as other doors send it. */
const ERROR_KEY = 'neta/error';

export function toErrorResult(error: AppError, requestId: string, locale: Locale): CallToolResult {
  const wire = toWireError(error, requestId, locale);
  return { isError: true, content: [{ type: 'text', text: `${wire.code}: ${wire.message}` }], _meta: { [ERROR_KEY]: wire } };
}
