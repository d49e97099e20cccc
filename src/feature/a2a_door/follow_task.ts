/** Follows the run of a task: its updates one after the other, until the run has ended, asks something or the client has left. */
import type { StreamResponse } from '@a2a-js/sdk';
import { AppError } from '../../errors';
import { isTerminal } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import type { RunService } from '../../service/run_log/run_service';
import type { MayDecide } from './a2a_task';
import { TaskStream } from './task_stream';

export interface FollowOptions {
  /** The last event that the client has; 0 for none. */
  after: number;
  mayDecide: MayDecide;
  /** Aborts when the client has left. */
  signal: AbortSignal;
}

/** Updates that wait for a slow client; more than these hold up the reading of events. */
const MAX_WAITING = 500;

/** Yields the updates. Rejects `draining` when this gateway stops first, and as RunService.subscribe does. */
export async function* followTask(
  runService: RunService,
  run: RunRecord,
  options: FollowOptions,
): AsyncGenerator<StreamResponse, void, undefined> {
  const { after, mayDecide, signal } = options;
  const { tenantId, sessionId, id: runId } = run;
  const stream = new TaskStream(run, mayDecide);
  const waiting: StreamResponse[] = [];
  let news = Promise.withResolvers<void>();
  let room = Promise.withResolvers<void>();
  let isOver = false;
  let hasCaughtUp = false;
  let failure: unknown;
  const subscription = runService.subscribe({ tenantId, sessionId, after: { runId, seq: after }, onlyRun: true }, events => {
    for (const event of events) waiting.push(...stream.project(event));
    news.resolve();
    return waiting.length > MAX_WAITING ? room.promise : undefined;
  });
  const end = (thrown?: unknown) => {
    failure ??= thrown;
    isOver = true;
    news.resolve();
    room.resolve();
  };
  const onAbort = () => end();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    subscription.ended.then(() => end(), end);
    // Not awaited: the events of the past arrive before it resolves.
    subscription.start().then(() => {
      hasCaughtUp = true;
      news.resolve();
    }, end);
    while (!signal.aborted) {
      yield* waiting.splice(0);
      room.resolve();
      room = Promise.withResolvers();
      if (stream.hasEnded || isOver || (hasCaughtUp && stream.isAsking)) break;
      await news.promise;
      news = Promise.withResolvers();
    }
    if (failure) throw failure;
    yield* waiting.splice(0);
    if (stream.hasEnded || stream.isAsking || signal.aborted) return;
    // The log of an old run has expired; its record has the answer.
    const latest = await runService.getRun(tenantId, runId);
    if (!isTerminal(latest.status)) throw new AppError('draining', { retryAfterMs: 5_000 });
    yield* stream.endWith(latest);
  } finally {
    signal.removeEventListener('abort', onAbort);
    subscription.stop();
  }
}
