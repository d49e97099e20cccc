/** Time limits of a tool call. */
import type { Clock } from '../../port/clock';
import { errorResult, type ToolResult, ToolTimeout } from '../../tools/common';

/** How long a tool may take to clean up once its signal has aborted; after that its result is not waited for. */
const GRACE_MS = 2_000;

export interface TimeLimit {
  clock: Clock;
  /** Aborts when the run is cancelled. */
  signal: AbortSignal;
  /** Infinity: no limit. */
  timeoutMs: number;
  /** Name of the tool, for the message. */
  name: string;
  /** Told how to stop this call alone; returns what to do when it has ended. */
  onStart?: (stop: () => void) => (() => void) | undefined;
}

/**
 * Runs `execute` with a signal that aborts on cancel and on time-out. A tool that ends within the grace time after that gives its own
 * result; one that does not is left behind and an error result stands for it. Rejects with what `execute` throws.
 */
export async function withTimeout(limit: TimeLimit, execute: (signal: AbortSignal) => Promise<ToolResult>): Promise<ToolResult> {
  const { clock, signal, timeoutMs, name } = limit;
  const call = new AbortController();
  const timedOut: ToolResult = {
    ...errorResult(`${name} was stopped: its time limit of ${inWords(timeoutMs)} was reached.`),
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

const inWords = (milliseconds: number): string => (milliseconds < 10_000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 1000)} s`);
