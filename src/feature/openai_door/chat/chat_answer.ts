/** Answers a chat completions request: starts its run, or joins it, and sends the projection of its log. */
import type { Context } from '@midwayjs/koa';
import { anyBodyOf } from '../../../controller/http_request';
import type { RunRecord } from '../../../port/store/runs';
import { ChatChunks, completionId, toCompletion } from './chat_chunks';
import { decodeChatRequest } from './chat_request';
import type { ChatRequest } from './chat_request_schema';
import { ChatRun, type ChatRunDeps } from './chat_run';
import { type ChatStartDeps, sessionIdOf, startChat } from './chat_start';
import { isOldForm } from './old_functions';

/** Resolves with the body; undefined when the answer was streamed. Rejects with an AppError while nothing was sent. */
export async function answerChat(ctx: Context, deps: ChatStartDeps & ChatRunDeps) {
  const request = decodeChatRequest(anyBodyOf(ctx));
  const { stream = false } = request;
  if (stream) deps.runService.assertRoomForReader(sessionIdOf(ctx));
  let chat: ChatRun | undefined;
  const follow = (run: RunRecord): ChatRun => {
    chat = new ChatRun(ctx, run, deps, stream ? chunksOf(ctx, run, request) : undefined);
    return chat;
  };
  const { run, deduplicated } = await startChat(ctx, request, deps, started => follow(started).join());
  chat ??= follow(run);
  ctx.state.isRunStored = true;
  ctx.set('x-session-id', run.sessionId);
  if (deduplicated) ctx.set('idempotency-replayed', 'true');
  if (stream) return chat.answerStream();
  await chat.waitForEnd();
  return toCompletion(answerOf(run, request), chat.projection);
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
