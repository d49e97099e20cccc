/** Answers one request of a client that takes a run for an answer of a model: starts the run, or joins it, and follows it to its end. */
import type { Context } from '@midwayjs/koa';
import type { RunRecord } from '../../port/store/runs';
import type { AcceptedRun, BeforeStart } from '../../service/run/start_request';
import { SseAnswer } from '../sse_answer';
import { sessionIdOf } from './given_run';
import { type AnswerProjection, RunAnswer, type RunAnswerDeps } from './run_answer';

export interface AnsweredRequest<P extends AnswerProjection, W> {
  /** The answer is streamed. `heartbeat`: the text that keeps the stream alive, see SseAnswer. */
  stream: boolean;
  heartbeat?: string;
  start(beforeStart: BeforeStart): Promise<AcceptedRun>;
  projectionOf(run: RunRecord): P;
  /** The body of an answer that is not streamed. */
  toBody(projection: P, run: RunRecord): W;
}

/** Resolves with the body; undefined when the answer was streamed. Rejects with an AppError while nothing was sent. */
export async function answerGivenRun<P extends AnswerProjection, W>(
  ctx: Context,
  { stream, heartbeat, start, projectionOf, toBody }: AnsweredRequest<P, W>,
  deps: RunAnswerDeps,
): Promise<W | undefined> {
  if (stream) deps.runService.assertRoomForReader(sessionIdOf(ctx));
  let followed: { answer: RunAnswer; projection: P } | undefined;
  const follow = (run: RunRecord) => {
    const projection = projectionOf(run);
    const sse = stream ? new SseAnswer(ctx, heartbeat) : undefined;
    followed = { projection, answer: new RunAnswer(ctx, run, deps, { projection, sse }) };
    return followed;
  };
  const { run, deduplicated } = await start(started => follow(started).answer.join());
  const { answer, projection } = followed ?? follow(run);
  ctx.state.isRunStored = true;
  ctx.set('x-session-id', run.sessionId);
  if (deduplicated) ctx.set('idempotency-replayed', 'true');
  if (stream) {
    await answer.answerStream();
    return undefined;
  }
  await answer.waitForEnd();
  return toBody(projection, run);
}
