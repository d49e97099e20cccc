/**
 * Frees the HTTP request of a Socket.IO connection once the connection is open. The engine would keep it, its headers and its response object as
 * long as the connection lives, about a sixth of the memory of an idle socket.
 */
import type { IncomingMessage } from 'node:http';
import type { ConnectionWithFacts, HandshakeFacts } from '../wire/handshake_facts';

/** The parts of Socket.IO's engine that hold a request. Its types declare neither the response of an upgrade nor a connection without request. */
interface RequestHolder {
  use(middleware: (request: IncomingMessage, response: unknown, next: () => void) => void): unknown;
  on(event: 'connection', listener: (connection: { request: unknown } & ConnectionWithFacts) => void): unknown;
}

/** https://socket.io/docs/v4/memory-usage/#cleanup-the-http-request: Socket.IO works without the request; `socket.handshake` then has no headers. */
export function releaseHandshakes(engine: RequestHolder, read: (request: IncomingMessage) => HandshakeFacts): void {
  const responses = new WeakMap<object, { req: unknown }>();
  engine.use((request, response, next) => {
    responses.set(request, response as { req: unknown });
    next();
  });
  engine.on('connection', connection => {
    const response = responses.get(connection.request as object);
    // A polling transport still answers with its response; the response of an upgrade is only a stand-in. Set to undefined, not deleted: V8 turns an
    // object that loses a property into a hash table, which is larger.
    if (response && !('writableEnded' in response)) response.req = undefined;
    connection.facts = read(connection.request as IncomingMessage);
    connection.request = undefined;
  });
}

const MAX_AGENT_UNITS = 120;

/** The start of the header User-Agent, for lists of connections. */
export function userAgentOf({ headers }: IncomingMessage): Pick<HandshakeFacts, 'userAgent'> {
  const agent = headers['user-agent'];
  return agent === undefined ? {} : { userAgent: agent.slice(0, MAX_AGENT_UNITS) };
}
