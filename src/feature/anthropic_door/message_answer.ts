/** Answers requests of /v1/messages: with the projection of a run, or with a count of tokens. */
import type { Context } from '@midwayjs/koa';
import { anyBodyOf, localeOf } from '../../controller/http_request';
import { answerGivenRun } from '../../controller/model_door/answer_given_run';
import {
  countGivenRun,
  type GivenRunCountDeps,
  type GivenRunDeps,
  sessionIdOf,
  startGivenRun,
} from '../../controller/model_door/given_run';
import type { RunAnswerDeps } from '../../controller/model_door/run_answer';
import { MessageEvents, PING } from './message_events';
import { decodeMessageRequest, decodeTokenCountRequest, showsThinking, toGivenRequest, toMessageRun } from './message_request';
import { TokenCountRequest } from './message_request_schema';

/** Resolves with the body; undefined when the answer was streamed. Rejects with an AppError while nothing was sent. */
export async function answerMessage(ctx: Context, deps: GivenRunDeps & RunAnswerDeps) {
  const requestId = setRequestId(ctx);
  const request = decodeMessageRequest(anyBodyOf(ctx));
  const { stream = false, model } = request;
  const given = toMessageRun(request, { isTail: sessionIdOf(ctx) !== undefined });
  const locale = localeOf(ctx, 'en');
  return answerGivenRun(
    ctx,
    {
      stream,
      heartbeat: PING,
      start: beforeStart => startGivenRun(ctx, given, deps, beforeStart),
      projectionOf: ({ id: runId }) => new MessageEvents({ runId, model, showsThinking: showsThinking(request), requestId, locale }),
      toBody: events => events.toMessage(),
    },
    deps,
  );
}

/** Counts the tokens that the request would send to the model, with the prompt and the tools of the agent. */
export async function countTokens(ctx: Context, deps: GivenRunCountDeps) {
  setRequestId(ctx);
  const request = decodeTokenCountRequest(anyBodyOf(ctx));
  const given = toGivenRequest(request, TokenCountRequest, { isTail: sessionIdOf(ctx) !== undefined });
  return { input_tokens: await countGivenRun(ctx, given, deps) };
}

/** Anthropic's clients read the id of a request from this header. */
function setRequestId(ctx: Context): string {
  const requestId = String(ctx.state.requestId ?? '');
  ctx.set('request-id', requestId);
  return requestId;
}
