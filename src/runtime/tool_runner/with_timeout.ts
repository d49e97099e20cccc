/** Time limits of a tool call. */
import type { Clock } from '../../port/clock';
import { errorResult, inLocale, type ToolLocale, type ToolResult } from '../../tools/common';
import { ToolTimeout } from '../../tools/tool_timeout';

/** Milliseconds for a tool to clean up after its signal aborted. After that the runner no longer waits for it. */
const GRACE_MS = 2_000;

export interface TimeLimit {
  clock: Clock;
  /** Aborts when the run is cancelled. */
  signal: AbortSignal;
  /** Infinity: no limit. */
  timeoutMs: number;
  /** Name of the tool, for the text of the timeout. */
  name: string;
  /** Language of the text of the timeout. */
  locale: ToolLocale;
  /** Receives a function that stops this call alone; may return a function to call when the call has ended. */
  onStart?: (stop: () => void) => (() => void) | undefined;
}

/**
 * Runs `execute` with a signal that aborts on cancel and on timeout. When the tool ends within the grace period after the abort, its own result
 * counts; otherwise the runner stops waiting and returns an error result. Rejects with what `execute` throws.
 */
export function withTimeout(limit: TimeLimit, execute: (signal: AbortSignal) => Promise<ToolResult>): Promise<ToolResult> {
  const { clock, signal, timeoutMs } = limit;
  const call = new AbortController();
  /** The result of a call that was stopped. */
  let ending: ToolResult | undefined;
  const cleanups: (() => void)[] = [];
  return new Promise<ToolResult>((resolve, reject) => {
    const settle = (give: () => void) => {
      for (const cleanup of cleanups.splice(0)) cleanup();
      give();
    };
    const stop = (result: ToolResult) => {
      ending = result;
      call.abort(result.isTimeout ? new ToolTimeout(result.content, timeoutMs) : new Error(result.content));
      cleanups.push(clock.after(GRACE_MS, () => settle(() => resolve(result))));
    };
    cleanups.push(clock.after(timeoutMs, () => stop(timedOut(limit))));
    const onAbort = () => stop(cancelled(limit));
    signal.addEventListener('abort', onAbort, { once: true });
    cleanups.push(() => signal.removeEventListener('abort', onAbort));
    const onEnd = limit.onStart?.(() => stop(stoppedByPerson(limit)));
    if (onEnd) cleanups.push(onEnd);
    const onThrown = (thrown: unknown) => settle(() => (ending ? resolve(ending) : reject(thrown)));
    try {
      execute(call.signal).then(result => settle(() => resolve(ending ? withEnding(result, ending) : result)), onThrown);
    } catch (thrown) {
      onThrown(thrown);
    }
  });
}

/** Keeps the tool's own result after the call was stopped; a failed result also says why it was stopped. */
const withEnding = (result: ToolResult, { status }: ToolResult): ToolResult =>
  result.ok ? result : { ...result, status: status ?? result.status, isTimeout: status ? result.isTimeout : true };

const timedOut = ({ name, timeoutMs, locale }: TimeLimit): ToolResult => ({
  ...errorResult(
    inLocale(
      { locale },
      `${name} was stopped: its time limit of ${toDurationText(timeoutMs)} was reached.`,
      `${name} 已停止：达到时限 ${toDurationText(timeoutMs)}。`,
    ),
  ),
  isTimeout: true,
});

const cancelled = ({ name, locale }: TimeLimit): ToolResult => ({
  ...errorResult(inLocale({ locale }, `${name} was stopped: the run was cancelled.`, `${name} 已停止：本次运行已取消。`)),
  status: 'cancelled',
});

const stoppedByPerson = ({ name, locale }: TimeLimit): ToolResult => ({
  ...errorResult(inLocale({ locale }, `${name} was stopped by a person. The run goes on.`, `${name} 已由用户停止。本次运行继续。`)),
  status: 'cancelled',
});

const toDurationText = (milliseconds: number): string =>
  milliseconds < 10_000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 1000)} s`;
