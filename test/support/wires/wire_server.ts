/** A model server of one wire, over real HTTP on a free loopback port. Each `serve` has an address of its own. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ModelWire, WireAnswer, WireFailure, WireRequest } from './model_wire';

/** One answer: a whole answer, a refusal, or anything else. */
export type Served =
  | WireAnswer
  | { refuse: WireFailure; headers?: Record<string, string> }
  /** Refuses the request with these words. */
  | { badRequest: string }
  /** Sends these pieces; `ending` says what happens behind them. Default: the body ends. */
  | { pieces: readonly string[]; ending?: 'end' | 'reset' | 'hang' }
  | { respond: (request: IncomingMessage, response: ServerResponse) => void }
  /** Decides by the request. */
  | ((request: WireRequest, body: Record<string, unknown>) => Served | Promise<Served>);

export interface ServedAddress {
  baseUrl: string;
  /** Requests so far, in neutral words. */
  requests: WireRequest[];
  /** The bodies and the headers of these requests. */
  bodies: Record<string, unknown>[];
  headers: IncomingHttpHeaders[];
  /** The answer to requests that count tokens. Undefined: the server has no such route. broken: it fails. */
  tokens: number | 'broken' | undefined;
  /** The bodies of these requests. */
  counted: Record<string, unknown>[];
  /** Resolves when the first request has arrived and its answer has begun. */
  arrived: Promise<void>;
  /** Resolves when the connection of the first request is closed, with the time (performance.now()). */
  closed: Promise<number>;
}

export interface WireServer {
  /** Answers its requests one after the other; the last answer repeats. */
  serve(...answers: readonly [Served, ...Served[]]): ServedAddress;
  stop(): Promise<void>;
}

interface Address extends ServedAddress {
  answers: readonly Served[];
  noteArrival: () => void;
  noteClose: (at: number) => void;
}

export async function startWireServer(wire: ModelWire): Promise<WireServer> {
  const addresses: Address[] = [];
  const server = createServer((request, response) => {
    const [, number = ''] = /^\/s(\d+)\//.exec(request.url ?? '') ?? [];
    const address = addresses[Number(number)];
    if (!address) response.writeHead(404).end();
    else if (request.method === 'GET')
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(wire.list(['one', 'two'])));
    else
      answer(address, request, response).catch((thrown: Error) => {
        response.writeHead(400).end(`The test's server cannot read the request: ${thrown.message}`);
      });
  });
  const answer = async (address: Address, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += piece;
    const body = JSON.parse(text) as Record<string, unknown>;
    if (wire.count?.path.test(request.url ?? '')) {
      address.counted.push(body);
      const { tokens } = address;
      if (tokens === undefined)
        return void response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"Not Found"}}');
      if (tokens === 'broken') return void response.writeHead(500).end();
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(wire.count.answer(tokens)));
    }
    watchClose(request.socket, address);
    address.bodies.push(body);
    address.headers.push(request.headers);
    address.requests.push(wire.read(body, request.headers, (request.url ?? '').replace(/^\/s\d+/, '')));
    const served = address.answers[Math.min(address.requests.length, address.answers.length) - 1];
    const asked = address.requests.at(-1);
    if (served && asked) send(wire, typeof served === 'function' ? await served(asked, body) : served, request, response);
    address.noteArrival();
  };
  const watched = new WeakMap<Socket, Set<Address>>();
  /** A connection that carries many requests has one listener. */
  const watchClose = (socket: Socket, address: Address): void => {
    const known = watched.get(socket);
    const addresses = known ?? new Set<Address>();
    addresses.add(address);
    if (known) return;
    watched.set(socket, addresses);
    socket.once('close', () => {
      for (const { noteClose } of addresses) noteClose(performance.now());
    });
  };
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    serve(...answers) {
      const arrived = Promise.withResolvers<void>();
      const closed = Promise.withResolvers<number>();
      const address: Address = {
        baseUrl: `http://127.0.0.1:${port}/s${addresses.length}/v1`,
        requests: [],
        bodies: [],
        headers: [],
        tokens: undefined,
        counted: [],
        arrived: arrived.promise,
        closed: closed.promise,
        answers,
        noteArrival: arrived.resolve,
        noteClose: closed.resolve,
      };
      addresses.push(address);
      return address;
    },
    stop: () =>
      new Promise((resolve, reject) => {
        server.close(error => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

function send(wire: ModelWire, served: Served, request: IncomingMessage, response: ServerResponse): void {
  if (typeof served === 'function') throw new Error('An answer that decides by the request gives another such answer.');
  if ('respond' in served) served.respond(request, response);
  else if ('refuse' in served) {
    const { status, body } = wire.refuse(served.refuse);
    response.writeHead(status, { 'content-type': 'application/json', ...served.headers }).end(JSON.stringify(body));
  } else if ('badRequest' in served) {
    const { status, body } = wire.badRequest(served.badRequest);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  } else stream('pieces' in served ? served : { pieces: wire.encode(served) }, request, response);
}

function stream(
  { pieces, ending = 'end' }: Extract<Served, { pieces: unknown }>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).flushHeaders();
  for (const piece of pieces) response.write(piece);
  if (ending === 'end') response.end();
  if (ending === 'reset') setImmediate(() => setImmediate(() => request.socket.resetAndDestroy()));
}
