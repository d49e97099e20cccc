/** Time limits of a tool call. */
import type { Clock } from '../../port/clock';
import { errorResult, type ToolResult, ToolTimeout } from '../../tools/common';

/** Milliseconds for a tool to clean up after its signal aborted. After that the runner no longer waits for it. */
const GRACE_MS = 2_000;

export interface TimeLimit {
  clock: Clock;
  /** Aborts when the run is cancelled. */
  signal: AbortSignal;
  /** Infinity: no limit. */
  timeoutMs: number;
  /** Name of the tool, for the message. */
  name: string;
  /** Receives a function that stops this call alone; may return a function to call when the call has ended. */
  onStart?: (stop: () => void) => (() => void) | undefined;
}

/**
 * Runs `execute` with a signal that aborts on cancel and on timeout. When the tool ends within the grace period after that, its own result
 * counts; otherwise the runner stops waiting and returns an error result. Rejects with what `execute` throws.
 */
export async function withTimeout(limit: TimeLimit, execute: (signal: AbortSignal) => Promise<ToolResult>): Promise<ToolResult> {
  const { clock, signal, timeoutMs, name } = limit;
  const call = new AbortController();
  const timedOut: ToolResult = {
    ...errorResult(`${name} was stopped: its time limit of ${toDurationText(timeoutMs)} was reached.`),
    isTimeout: true,
  };
  const cancelled: ToolResult = { ...errorResult(`${name} was stopped: the run was cancelled.`), status: 'cancelled' };
  const stopped: ToolResult = { ...errorResult(`${name} was stopped by a person. The run goes on.`), status: 'cancelled' };
  let ending: ToolResult = timedOut;
  const cleanups: (() => void)[] = [];
  const overdue = new Promise<ToolResult>(resolve => {
    const stop = (result: ToolResult) => {
      ending = result;
      call.abort(result.isTimeout ? new ToolTimeout(result.content, timeoutMs) : new Error(result.content));
      cleanups.push(clock.after(GRACE_MS, () => resolve(result)));
    };
    cleanups.push(clock.after(timeoutMs, () => stop(timedOut)));
    const onAbort = () => stop(cancelled);
    signal.addEventListener('abort', onAbort, { once: true });
    cleanups.push(() => signal.removeEventListener('abort', onAbort));
    const onEnd = limit.onStart?.(() => stop(stopped));
    if (onEnd) cleanups.push(onEnd);
  });
  try {
    const result = await Promise.race([execute(call.signal), overdue]);
    if (!call.signal.aborted || result.ok) return result;
    return { ...result, ...(ending.status ? { status: ending.status } : { isTimeout: true }) };
  } catch (thrown) {
    if (!call.signal.aborted) throw thrown;
    return ending;
  } finally {
    for (const cleanup of cleanups) cleanup();
  }
}

const toDurationText = (milliseconds: number): string =>
  milliseconds < 10_000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 1000)} s`;
