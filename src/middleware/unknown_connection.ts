/**
 * Answers requests of a long-polling connection that is not at this gateway, and says why. The engine of Socket.IO keeps its connections in memory, and
 * its own answer, "Session ID unknown", tells nobody that a balancer has sent the request to another gateway.
 */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, ServerResponse } from 'node:http';
import { AppError, toWireError } from '../errors';

/** The part of Socket.IO's engine that tells of refused requests, before it answers them. */
export interface RefusingEngine {
  on(event: 'connection_error', listener: (refusal: { req: IncomingMessage & { res?: ServerResponse }; code: number }) => void): unknown;
}

/** The number and the text that the engine has for such a request. */
const UNKNOWN_SID = { code: 1, message: 'Session ID unknown' };

const NOT_HERE = new AppError('invalid_request', {
  param: '/sid',
  message:
    'This connection is not at this gateway: it has ended, or a balancer sent the request to another gateway. Connect with transports ["websocket", "polling"], or let the balancer send all requests of a client to one gateway.',
  messageZh:
    '这个连接不在此网关上：它已经结束，或者负载均衡器把请求发给了另一个网关。请用 transports ["websocket", "polling"] 连接，或让负载均衡器把同一客户端的请求都发给同一个网关。',
});

/** Answers in place of the engine, which adds nothing to an answer that has been sent. Upgrades have no response object and go on to the engine. */
export function explainUnknownConnections(engine: RefusingEngine): void {
  engine.on('connection_error', ({ req, code }) => {
    if (code !== UNKNOWN_SID.code || !(req.res instanceof ServerResponse)) return;
    const requestId = randomUUID();
    const locale = /^zh\b/i.test(req.headers['accept-language'] ?? '') ? 'zh-CN' : 'en';
    const body = { ...UNKNOWN_SID, error: toWireError(NOT_HERE, requestId, locale) };
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'X-Request-Id': requestId, Vary: 'Accept-Language' };
    req.res.writeHead(NOT_HERE.status, headers).end(JSON.stringify(body));
  });
}
