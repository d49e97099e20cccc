/** Answers a chat completions request: starts its run, or joins it, and sends the projection of its log. */
import type { Context } from '@midwayjs/koa';
import { anyBodyOf, localeOf } from '../../../controller/http_request';
import { answerGivenRun } from '../../../controller/model_door/answer_given_run';
import { type GivenRequest, type GivenRunDeps, sessionIdOf, startGivenRun } from '../../../controller/model_door/given_run';
import type { RunAnswerDeps } from '../../../controller/model_door/run_answer';
import type { RunRecord } from '../../../port/store/runs';
import { ChatChunks, completionId, toCompletion } from './chat_chunks';
import { ChatEvents } from './chat_events';
import { readMessages } from './chat_messages';
import { decodeChatRequest, toCallerContext, toRunParameters } from './chat_request';
import { ChatRequest } from './chat_request_schema';
import { isOldForm } from './old_functions';

/** Resolves with the body; undefined when the answer was streamed. Rejects with an AppError while nothing was sent. */
export async function answerChat(ctx: Context, deps: GivenRunDeps & RunAnswerDeps) {
  const request = decodeChatRequest(anyBodyOf(ctx));
  const { stream = false } = request;
  const locale = localeOf(ctx, 'en');
  return answerGivenRun(
    ctx,
    {
      stream,
      start: beforeStart => startGivenRun(ctx, toGivenRequest(ctx, request), deps, beforeStart),
      projectionOf: run => new ChatEvents(stream ? chunksOf(ctx, run, request) : undefined, locale),
      toBody: ({ chat }, run) => toCompletion(answerOf(run, request), chat),
    },
    deps,
  );
}

function toGivenRequest(ctx: Context, request: ChatRequest): GivenRequest {
  const { metadata, user } = request;
  return {
    door: 'openai',
    body: request,
    schema: ChatRequest,
    read: readMessages(request.messages, { isTail: sessionIdOf(ctx) !== undefined }),
    toCaller: passed => toCallerContext(request, passed),
    parameters: toRunParameters(request),
    metadata: metadata || user !== undefined ? { ...metadata, ...(user !== undefined && { user }) } : undefined,
  };
}

function chunksOf(ctx: Context, run: RunRecord, request: ChatRequest): ChatChunks {
  const includeEvents = ctx.get('x-neta-events') === 'true';
  return new ChatChunks(answerOf(run, request), { includeUsage: request.stream_options?.include_usage === true, includeEvents });
}

const answerOf = ({ id, createdAt }: RunRecord, request: ChatRequest) => ({
  id: completionId(id),
  created: Math.floor(createdAt / 1000),
  model: request.model,
  isOldForm: isOldForm(request),
});
