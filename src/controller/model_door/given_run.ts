/** Starts the run of a client that takes a run for an answer of a model: each request gives the whole conversation, and names an agent as the model. */
import type { Context } from '@midwayjs/koa';
import { type TObject, Type } from '@sinclair/typebox';
import { AppError } from '../../errors';
import type { CallerContext } from '../../port/caller';
import type { ChatMessage } from '../../port/llm';
import type { AgentDirectory } from '../../service/agent/agent_directory';
import type { VisibleAgents } from '../../service/agent/visible_agents';
import type { ImageService, NamedImage } from '../../service/image/image_service';
import type { ModelCatalog } from '../../service/model/model_catalog';
import type { AgentExecutor } from '../../service/run/agent_executor';
import type { Continuation, GivenConversations } from '../../service/run/given_conversation';
import { areCallsClosed } from '../../service/run/given_messages';
import type { RunPreviewService } from '../../service/run/run_preview';
import type { AcceptedRun, BeforeStart, RequestKey, StartRequest } from '../../service/run/start_request';
import { titleFrom } from '../../service/session/session_title';
import { says } from '../../utils/bilingual';
import { Optional } from '../../utils/schema_types';
import { ID_PATTERN } from '../../wire/decode';
import { checkMetadata, localeOf, originOf, principalOf, requestKeyOf } from '../http_request';
import { passForeignFields, takenFields } from './foreign_fields';
import { agentOfModel } from './model_name';

export interface GivenRunDeps {
  agentDirectory: AgentDirectory;
  visibleAgents: VisibleAgents;
  modelCatalog: ModelCatalog;
  agentExecutor: AgentExecutor;
  givenConversations: GivenConversations;
  imageService: ImageService;
}

export interface ReadMessages {
  /** The texts of system messages, joined. */
  instructions?: string;
  /** The other messages, in order, without images and files. */
  messages: ChatMessage[];
  /** The images and files that the messages name. */
  images: NamedImage[];
}

/** A request with the fields that all these doors have, and what its door made of it. */
export interface GivenRequest extends Pick<StartRequest, 'metadata' | 'parameters'> {
  door: 'openai' | 'anthropic';
  /** The decoded body; `schema` names the fields with a meaning. */
  body: { model: string };
  schema: TObject;
  read: ReadMessages;
  /** Returns the tools and wishes of the caller. `passed`: fields of the body that the model server takes. */
  toCaller(passed: Readonly<Record<string, unknown>>): Omit<CallerContext, 'instructions' | 'conversation'>;
}

export const GivenRunHeaders = Type.Object({
  'x-session-id': Optional.String(
    says(
      'the session to continue: it has the earlier messages; the answer names its session in the same header',
      '要继续的会话：此前的消息以会话为准；响应用同名响应头给出会话',
    ),
  ),
  'idempotency-key': Optional.String({
    maxLength: 255,
    ...says('the same key with the same body gives the same run', '同样的键加同样的请求体得到同一个运行'),
  }),
});

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
export async function startGivenRun(
  ctx: Context,
  request: GivenRequest,
  deps: GivenRunDeps,
  beforeStart: BeforeStart,
): Promise<AcceptedRun> {
  const { agentExecutor, givenConversations } = deps;
  const { read } = request;
  const sessionId = sessionIdOf(ctx);
  const shared = sharedFields(ctx, request, sessionId, deps);
  const { messages, images } = read;
  const conversation = { tenantId: shared.tenantId, locale: localeOf(ctx, 'en'), messages, images, sessionId };
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

export type GivenRunCountDeps = GivenRunDeps & { runPreviewService: RunPreviewService };

/** Counts the tokens that a request would send to the model. Runs nothing and stores nothing. Rejects as startGivenRun does. */
export async function countGivenRun(ctx: Context, request: GivenRequest, deps: GivenRunCountDeps): Promise<number> {
  const { read } = request;
  const sessionId = sessionIdOf(ctx);
  const { tenantId, keyName, agent, model, interaction, caller, parameters } = sharedFields(ctx, request, sessionId, deps);
  const conversation = { tenantId, locale: localeOf(ctx, 'en'), messages: read.messages, images: read.images, sessionId };
  const continuation = await deps.givenConversations.continuationOf(conversation);
  const attached = await deps.imageService.attachImages(continuation.given, read.images, {
    tenantId,
    keyName,
    signal: AbortSignal.timeout(IMAGES_MS),
  });
  const { text, sessionId: continued } = continuation;
  const gone = new AbortController();
  ctx.res.once('close', () => gone.abort(new Error('The caller went away.')));
  const preview = { tenantId, keyName, agent, model, interaction, caller, ...attached, text, sessionId: continued, parameters };
  return deps.runPreviewService.countTokens(preview, gone.signal);
}

type SharedFields = Omit<StartRequest, 'text' | 'given' | 'sessionId' | 'answers' | 'images' | 'files'>;

function sharedFields(
  ctx: Context,
  { door, body, schema, read, toCaller, metadata, parameters }: GivenRequest,
  sessionId: string | undefined,
  deps: GivenRunDeps,
): SharedFields {
  const { tenantId, keyName } = principalOf(ctx);
  checkMetadata({ metadata });
  const named = agentOfModel(body.model, { tenantId, keyName }, deps);
  const passed = passForeignFields(ctx, body, { schema, taken: takenFields(named, tenantId, deps) });
  return {
    ...named,
    tenantId,
    keyName,
    door,
    ...originOf(ctx),
    onBusy: 'enqueue',
    interaction: { clarify: 'text', clarifyTimeoutMs: 0 },
    caller: { ...toCaller(passed), instructions: read.instructions },
    parameters,
    metadata,
    idempotency: keyOf(ctx, door, { request: body, keyName, sessionId: sessionId ?? null }),
  };
}

/** Requests of other doors with the same key are other requests. */
function keyOf(ctx: Context, door: string, asked: unknown): RequestKey | undefined {
  const key = requestKeyOf(ctx, asked);
  return key && { ...key, key: `${door}:${key.key}` };
}

async function toStartRequest(
  shared: SharedFields,
  { conversation, given, ...continuation }: Continuation,
  { read, imageService }: { read: ReadMessages; imageService: ImageService },
): Promise<StartRequest> {
  const { caller = { tools: [] }, tenantId, keyName } = shared;
  const opening = read.messages.find(message => message.role === 'user')?.content ?? '';
  return {
    ...shared,
    ...continuation,
    ...(await imageService.attachImages(given, read.images, { tenantId, keyName, signal: AbortSignal.timeout(IMAGES_MS) })),
    caller: { ...caller, conversation },
    // Sessions of single calls stand apart from chats, whichever door at /v1 made them.
    newSession: continuation.sessionId === undefined ? { title: titleFrom(opening), origin: { door: 'openai' } } : undefined,
  };
}
