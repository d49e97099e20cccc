/** Answers one request of an MCP client: finds its session, or opens one for `initialize`, and hands the request to the SDK. */
import type { Context } from '@midwayjs/koa';
import { anyBodyOf, localeOf, principalOf } from '../../controller/http_request';
import { AppError, invalidField } from '../../errors';
import type { Identity } from '../../service/auth/key_ring';
import type { RateLimits } from '../../service/limits/rate_limits';
import type { AgentExecutor } from '../../service/run/agent_executor';
import { McpPeer, type McpPeerDeps } from './mcp_peer';
import type { McpSessionFacts } from './mcp_sessions';
import { loadServerSdk, serverSdk } from './server_sdk';
import { answerStateless, isStateless } from './stateless_door';

export interface McpDoorDeps extends McpPeerDeps {
  agentExecutor: AgentExecutor;
  rateLimits: RateLimits;
}

/** The most messages of a batch, the same as in the SDK. */
const MAX_BATCH = 100;
/** The most units of a request id: each message about a request repeats its id or its progress token. */
const MAX_ID_UNITS = 256;
/** Longer than every version that the gateway knows. */
const MAX_VERSION_UNITS = 40;

/** Answers one request. Rejects with an AppError as long as nothing was sent. */
export async function answerMcp(ctx: Context, deps: McpDoorDeps): Promise<void> {
  const body = ctx.method === 'POST' ? anyBodyOf(ctx) : undefined;
  assertShortIds(body);
  if (isStateless(ctx, body)) return answerStateless(ctx, body, deps);
  await loadServerSdk();
  await countMessages(ctx, body, deps);
  const { id, peer } = await findSession(ctx, body, deps);
  if (ctx.method === 'DELETE') {
    await deps.mcpDoor.sessions.endSession(principalOf(ctx).tenantId, id, { isByClient: true });
    ctx.status = 200;
    ctx.body = '';
    return;
  }
  const release = deps.mcpDoor.sessions.useSession(id);
  // A client that has left already causes no close event.
  if (ctx.res.destroyed) release();
  else ctx.res.once('close', release);
  ctx.respond = false;
  await peer.answerRequest(ctx, body);
}

/** Counts the messages of a batch, a form of older clients, like requests of their own. The first was counted with the request. */
async function countMessages(ctx: Context, body: unknown, { rateLimits }: McpDoorDeps): Promise<void> {
  if (!Array.isArray(body)) return;
  if (body.length > MAX_BATCH) {
    throw new AppError('invalid_request', {
      message: `A batch has at most ${MAX_BATCH} messages.`,
      messageZh: `一个批次最多包含 ${MAX_BATCH} 条消息。`,
    });
  }
  for (const _message of body.slice(1)) await rateLimits.takeRequest(principalOf(ctx));
}

/** Throws `invalid_request` for an id or a progress token that is too long to be repeated. */
function assertShortIds(body: unknown): void {
  const messages: unknown[] = Array.isArray(body) ? body.slice(0, MAX_BATCH) : [body];
  for (const [index, message] of messages.entries()) {
    const { id, params } = (message ?? {}) as { id?: unknown; params?: { _meta?: { progressToken?: unknown } } };
    const values = { '/id': id, '/params/_meta/progressToken': params?._meta?.progressToken };
    for (const [pointer, value] of Object.entries(values)) {
      if (typeof value !== 'string' || value.length <= MAX_ID_UNITS) continue;
      const param = Array.isArray(body) ? `/${index}${pointer}` : pointer;
      throw invalidField(param, `must have at most ${MAX_ID_UNITS} characters.`, `最多 ${MAX_ID_UNITS} 个字符。`);
    }
  }
}

async function findSession(ctx: Context, body: unknown, deps: McpDoorDeps): Promise<{ id: string; peer: McpPeer }> {
  const id = ctx.get('mcp-session-id');
  if (id === '') return openSession(ctx, body, deps);
  const identity: Identity = ctx.state.identity;
  const { principal } = identity;
  const peer = await deps.mcpDoor.sessions.findSession(identity, id, record => new McpPeer({ ...record, principal }, deps, true));
  if (peer instanceof McpPeer) return { id, peer };
  throw new AppError('not_found', {
    param: '/mcp-session-id',
    message: 'There is no such MCP session. Send initialize without Mcp-Session-Id to open one.',
    messageZh: '没有这个 MCP 会话。请发送不带 Mcp-Session-Id 的 initialize 来打开一个。',
  });
}

async function openSession(ctx: Context, body: unknown, deps: McpDoorDeps): Promise<{ id: string; peer: McpPeer }> {
  const { success, data: initialize } = serverSdk().InitializeRequestSchema.safeParse(body);
  if (!success || !serverSdk().isInitializeRequest(body)) {
    throw new AppError('invalid_request', {
      param: '/mcp-session-id',
      message: 'Mcp-Session-Id: is required for every request but initialize.',
      messageZh: 'Mcp-Session-Id：除 initialize 之外的请求都必须带上。',
    });
  }
  if (deps.agentExecutor.draining) throw new AppError('draining', { retryAfterMs: 5_000 });
  const identity: Identity = ctx.state.identity;
  const { principal } = identity;
  const { capabilities, protocolVersion } = initialize.params;
  const answersJson = prefersJson(ctx.get('accept'));
  const facts: McpSessionFacts = {
    locale: localeOf(ctx, deps.serviceSettings.defaultLocale),
    answersJson,
    canAsk: capabilities.elicitation?.form !== undefined && !answersJson,
    protocolVersion: protocolVersion.slice(0, MAX_VERSION_UNITS),
  };
  return deps.mcpDoor.sessions.openSession(identity, facts, id => new McpPeer({ id, principal, ...facts }, deps, false));
}

/** A client must accept both types. One that gives events a lower quality gets plain JSON, and no messages beside its answers. */
const prefersJson = (accept: string): boolean => /text\/event-stream\s*;\s*q=0(?:\.\d*)?(?:\s*[,;]|\s*$)/i.test(accept);
