/** Starts the run of a chat completions request. */
import type { Context } from '@midwayjs/koa';
import { checkMetadata, localeOf, originOf, principalOf, requestKeyOf } from '../../../controller/http_request';
import { AppError } from '../../../errors';
import type { AgentDirectory } from '../../../service/agent/agent_directory';
import type { ImageService } from '../../../service/image/image_service';
import type { ModelCatalog } from '../../../service/model/model_catalog';
import type { AcceptedRun, AgentExecutor, BeforeStart } from '../../../service/run/agent_executor';
import type { Continuation, GivenConversations } from '../../../service/run/given_conversation';
import { areCallsClosed } from '../../../service/run/given_messages';
import type { RequestKey, StartRequest } from '../../../service/run/start_request';
import { titleFrom } from '../../../service/session/session_title';
import { ID_PATTERN } from '../../../wire/decode';
import { passForeignFields, takenFields } from '../shared/foreign_fields';
import { agentOfModel } from '../shared/model_name';
import { type ReadMessages, readMessages } from './chat_messages';
import { toCallerContext, toRunParameters } from './chat_request';
import { ChatRequest } from './chat_request_schema';

export interface ChatStartDeps {
  agentDirectory: AgentDirectory;
  modelCatalog: ModelCatalog;
  agentExecutor: AgentExecutor;
  givenConversations: GivenConversations;
  imageService: ImageService;
}

const SESSION_ID = new RegExp(ID_PATTERN);
const IMAGES_MS = 30_000;

/** Returns the session that the caller continues. Throws `not_found` for a value that cannot be an id. */
export function sessionIdOf(ctx: Context): string | undefined {
  const id = ctx.get('x-session-id');
  if (id === '') return undefined;
  if (SESSION_ID.test(id)) return id;
  throw new AppError('not_found', { param: '/x-session-id', message: 'There is no such session.', messageZh: '没有这个会话。' });
}

/** Starts the run of a request. Rejects as AgentExecutor.start does, and with `invalid_request` or `not_found` for a request that cannot be a run. */
export async function startChat(ctx: Context, request: ChatRequest, deps: ChatStartDeps, beforeStart: BeforeStart): Promise<AcceptedRun> {
  const { agentExecutor, givenConversations } = deps;
  const sessionId = sessionIdOf(ctx);
  const read = readMessages(request.messages, { isTail: sessionId !== undefined });
  const shared = sharedFields(ctx, request, { read, sessionId, deps });
  const { messages, images } = read;
  const locale = localeOf(ctx, 'en');
  const conversation = { tenantId: shared.tenantId, locale, messages, images, sessionId };
  const start = async (continuation: Continuation) =>
    agentExecutor.start(await toStartRequest(shared, continuation, { read, imageService: deps.imageService }), beforeStart);
  try {
    return await start(await givenConversations.continuationOf(conversation));
  } catch (thrown) {
    if (sessionId !== undefined || !areCallsClosed(thrown)) throw thrown;
    // The caller answers the same calls again: another branch of the conversation.
    return start(givenConversations.wholeConversation(conversation));
  }
}

type SharedFields = Omit<StartRequest, 'text' | 'given' | 'sessionId' | 'answers' | 'images'>;

function sharedFields(
  ctx: Context,
  request: ChatRequest,
  { read, sessionId, deps }: { read: ReadMessages; sessionId: string | undefined; deps: ChatStartDeps },
): SharedFields {
  const { metadata, user } = request;
  const { tenantId, keyName } = principalOf(ctx);
  checkMetadata(request);
  const named = agentOfModel(request.model, deps.agentDirectory, deps.modelCatalog);
  const passed = passForeignFields(ctx, request, { schema: ChatRequest, taken: takenFields(named, tenantId, deps) });
  const idempotency = keyOf(ctx, { request, keyName, sessionId: sessionId ?? null });
  return {
    ...named,
    tenantId,
    keyName,
    door: 'openai',
    ...originOf(ctx),
    onBusy: 'enqueue',
    interaction: { clarify: 'text', clarifyTimeoutMs: 0 },
    caller: { ...toCallerContext(request, passed), instructions: read.instructions },
    parameters: toRunParameters(request),
    metadata: metadata || user !== undefined ? { ...metadata, ...(user !== undefined && { user }) } : undefined,
    idempotency,
  };
}

/** Requests of other doors with the same key are other requests. */
function keyOf(ctx: Context, asked: unknown): RequestKey | undefined {
  const key = requestKeyOf(ctx, asked);
  return key && { ...key, key: `openai:${key.key}` };
}

async function toStartRequest(
  shared: SharedFields,
  { conversation, given, ...continuation }: Continuation,
  { read, imageService }: { read: ReadMessages; imageService: ImageService },
): Promise<StartRequest> {
  const { caller = { tools: [] } } = shared;
  const opening = read.messages.find(message => message.role === 'user')?.content ?? '';
  return {
    ...shared,
    ...continuation,
    ...(await imageService.attachImages(given, read.images, AbortSignal.timeout(IMAGES_MS))),
    caller: { ...caller, conversation },
    newSession: continuation.sessionId === undefined ? { title: titleFrom(opening), origin: { door: 'openai' } } : undefined,
  };
}
