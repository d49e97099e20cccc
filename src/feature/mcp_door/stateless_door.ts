/**
 * Answers requests of protocol version 2026-07-28 and later. Each request stands alone: it brings the version and the abilities of its client along,
 * and the run that it is about is in the store. So any gateway answers it, and none keeps a session.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Context } from '@midwayjs/koa';
import { localeOf, traceOf } from '../../controller/http_request';
import type { Identity } from '../../service/auth/key_ring';
import { CREATE_SERVER } from './stateless_handlers';
import { createStatelessServer, type StatelessServerDeps } from './stateless_server';

/** The first version without sessions. */
const FIRST_VERSION = '2026-07-28';
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
/** No request goes there: the SDK wants an address. */
const OWN_URL = 'http://gateway/mcp';
/** Headers that the SDK compares with the message. */
const HEADERS = /^(content-type|accept|mcp-.*)$/;

type Params = { _meta?: Record<string, unknown> } | undefined;

/** Returns true when a message belongs to a version without sessions. */
export function isStateless(ctx: Context, body: unknown): boolean {
  if (ctx.method !== 'POST') return false;
  const { _meta } = ((body as { params?: Params } | null | undefined)?.params ?? {}) as NonNullable<Params>;
  return (typeof _meta === 'object' && VERSION_KEY in (_meta ?? {})) || ctx.get('mcp-protocol-version') >= FIRST_VERSION;
}

/** Answers one request. Resolves when the answer has been sent. */
export async function answerStateless(ctx: Context, body: unknown, deps: StatelessServerDeps): Promise<void> {
  const identity: Identity = ctx.state.identity;
  const over = new AbortController();
  /** Says that the client has closed the connection, which cancels its call. */
  let hasLeft = false;
  const onClose = () => {
    hasLeft = !ctx.res.writableFinished;
    over.abort();
  };
  ctx.res.once('close', onClose);
  const forgetCaller = deps.mcpDoor.followCaller(identity, () => over.abort());
  try {
    const request = {
      principal: identity.principal,
      locale: localeOf(ctx, deps.serviceSettings.defaultLocale),
      requestId: String(ctx.state.requestId),
      trace: traceOf(ctx),
      hasLeft: () => hasLeft && !deps.agentExecutor.draining,
    };
    const authInfo = { token: '', clientId: '', scopes: [], extra: { [CREATE_SERVER]: () => createStatelessServer(request, deps) } };
    const handler = deps.mcpDoor.handlers.handlerFor(isCall(body) ? 'sse' : 'auto');
    const response = await handler.fetch(new Request(OWN_URL, { method: 'POST', headers: headersOf(ctx), signal: over.signal }), {
      authInfo,
      parsedBody: body,
    });
    ctx.respond = false;
    if (ctx.res.destroyed) return;
    ctx.res.writeHead(response.status, Object.fromEntries(response.headers)).flushHeaders();
    if (!response.body) ctx.res.end();
    // A client that leaves ends the stream.
    else await pipeline(Readable.fromWeb(response.body as ReadableStream), ctx.res).catch(() => {});
  } finally {
    forgetCaller();
    ctx.res.off('close', onClose);
  }
}

function headersOf(ctx: Context): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(ctx.req.headers)) if (HEADERS.test(name)) headers.set(name, String(value));
  return headers;
}

const isCall = (body: unknown): boolean => (body as { method?: unknown } | undefined)?.method === 'tools/call';
