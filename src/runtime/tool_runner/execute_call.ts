/** Runs a valid call within its time limit and retries it when its effect allows that. */
import { errorResult, inLocale, type ToolContext, ToolInputError, type ToolResult } from '../../tools/common';
import { unexpectedFailure } from '../../tools/unexpected_failure';
import { memoByObject } from '../../utils/memo_by_object';
import { toWellFormedValue } from '../../utils/well_formed';
import type { ResolvedCall } from '../resolved_call';
import { redactOutput, redactResult } from './redact_result';
import { mayChangeState } from './resolve_call';
import type { ToolRunnerParams } from './runner_params';
import { TOOL_LIMITS } from './tool_limits';
import { withTimeout } from './with_timeout';

/**
 * Retries calls whose effect is read or idempotent. Drops cached results after any other call, however it ended. Never rejects: an exception of a
 * tool becomes an error result. The result holds no secret of the gateway, and no half of a character.
 */
export async function executeCall(call: ResolvedCall, params: ToolRunnerParams): Promise<ToolResult> {
  const { redactor } = params;
  const returned = await executeWithRetries(call, params);
  const result = toWellFormedValue(redactor ? redactResult(returned, redactor) : returned);
  if (mayChangeState(call)) params.cache?.invalidate(changesOwnTenant(call) ? params.toolContext.tenantId : undefined);
  return result;
}

/**
 * True for built-in tools. Tenants may share the server or program behind a tool of another origin, so a call of it may change the results of all
 * tenants.
 */
const changesOwnTenant = ({ tool }: ResolvedCall): boolean => (tool?.origin ?? 'builtin') === 'builtin';

async function executeWithRetries(call: ResolvedCall, params: ToolRunnerParams): Promise<ToolResult> {
  const { maxTries, retryMs } = params.retries ?? TOOL_LIMITS;
  const isRepeatable = call.tool?.effect === 'read' || call.tool?.effect === 'idempotent';
  for (let tries = 1; ; tries++) {
    const result = await executeOnce(call, params);
    if (result.ok || !result.isRetryable || !isRepeatable || tries >= maxTries || params.signal.aborted)
      return tries === 1 ? result : { ...result, retries: tries - 1 };
    await pause(params, retryMs * 2 ** (tries - 1) * (0.5 + (params.random ?? Math.random)()));
  }
}

async function executeOnce(call: ResolvedCall, params: ToolRunnerParams): Promise<ToolResult> {
  const { tool, name, args } = call;
  const say = (en: string, zhCN: string) => errorResult(inLocale(params.toolContext, en, zhCN));
  if (!tool) return say(`There is no tool "${name}".`, `没有名为“${name}”的工具。`);
  if (params.signal.aborted) return { ...say('Not run: the run was cancelled.', '没有运行：本次运行已取消。'), status: 'cancelled' };
  const output = outputOf(call, params);
  try {
    return await withTimeout(
      {
        clock: params.clock,
        signal: params.signal,
        timeoutMs: Math.min(params.timeoutMs ?? Infinity, tool.timeoutMs ?? TOOL_LIMITS.timeoutMs),
        name,
        locale: params.toolContext.locale,
        onStart: stop => params.onCallStart?.(call.id, stop),
      },
      signal => tool.execute(args, { ...contextOf(call, params, signal), onOutput: output.onOutput }),
    );
  } catch (thrown) {
    if (thrown instanceof ToolInputError) return say(thrown.message, thrown.messageZh);
    const { en, 'zh-CN': zhCN } = unexpectedFailure(name, thrown);
    return { ...say(en, zhCN), isRetryable: true };
  } finally {
    output.finish();
  }
}

/** Shows what the tool prints while it runs. */
function outputOf({ id: toolCallId, name }: ResolvedCall, { journal, redactor }: ToolRunnerParams): ReturnType<typeof redactOutput> {
  const onOutput = (output: string) => journal.delta({ type: 'tool_call_delta', data: { toolCallId, name, output } });
  return redactor ? redactOutput(onOutput, redactor) : { onOutput, finish() {} };
}

/** Waits before a retry; resolves early when the run is cancelled. */
function pause({ clock, signal }: ToolRunnerParams, milliseconds: number): Promise<void> {
  return new Promise(resolve => {
    const stopTimer = clock.after(milliseconds, done);
    function done(): void {
      stopTimer();
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}

/** Resolves with the diff of the change that the call would make to a file, without secrets. Never rejects: without a diff, the arguments say what would happen. */
export async function planDiff(call: ResolvedCall, params: ToolRunnerParams): Promise<string | undefined> {
  try {
    const diff = await call.tool?.planDiff?.(call.args, { ...contextOf(call, params, params.signal), onOutput() {} });
    return diff && (params.redactor?.redact(diff) ?? diff);
  } catch {
    return undefined;
  }
}

/** The part of a context that all calls of a run share, copied once for a run. */
const sharedContext = memoByObject(({ askPerson: _, ...shared }: ToolRunnerParams['toolContext']) => shared);

function contextOf(call: ResolvedCall, { toolContext, storeImages }: ToolRunnerParams, signal: AbortSignal): Omit<ToolContext, 'onOutput'> {
  const { askPerson } = toolContext;
  return {
    ...sharedContext(toolContext),
    toolCallId: call.id,
    attachesImages: storeImages !== undefined,
    // The sources of a call that replaces a memory do not hold its new text, so the tool gets no taint then.
    taint: call.taint && call.removed === undefined ? call.taint : undefined,
    signal,
    onClarifyRequest:
      askPerson &&
      ((question, choices, { withdrawn, ...addressed } = {}) =>
        askPerson({
          question,
          choices,
          ...addressed,
          toolCallId: call.id,
          signal: withdrawn ? AbortSignal.any([signal, withdrawn]) : signal,
        })),
  };
}
