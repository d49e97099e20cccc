/** A reverse proxy that shows a gateway below a path. */
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReverseProxy {
  /** Address of the gateway behind the proxy, without a slash at the end. */
  url: string;
  /** While it is away, connections break and new ones end without an answer. */
  setAway(isAway: boolean): void;
  stop(): Promise<void>;
}

export interface ReverseProxyOptions {
  /** Address of the gateway. */
  target: string;
  /** Such as /agent. Requests elsewhere get 404. */
  path: string;
  /** True: the gateway gets addresses without the path. */
  strips: boolean;
  /** True: WebSocket connections are passed on; false: they are refused with 400. */
  upgrades?: boolean;
  /** Added to each request. */
  headers?: Record<string, string>;
  /** Changes answers to GET: `url` asks for another address, `change` gets the text. Both addresses are without the path. */
  edit?: (url: string) => { url?: string; change?: (text: string) => string };
}

export async function startReverseProxy({
  target,
  path,
  strips,
  upgrades = true,
  headers = {},
  edit,
}: ReverseProxyOptions): Promise<ReverseProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isAway = false;
  const isBelow = (url: string): boolean => url === path || url.startsWith(`${path}/`) || url.startsWith(`${path}?`);
  const inner = (url: string): string => (strips ? url.slice(path.length) || '/' : url);
  const server: Server = createServer((incoming, response) => {
    const { url = '', method } = incoming;
    if (!isBelow(url)) return void response.writeHead(404).end('The proxy has nothing here.');
    const edited = method === 'GET' ? edit?.(url.slice(path.length)) : undefined;
    const { change } = edited ?? {};
    // The whole answer, uncompressed, where its text changes.
    const plain = change && { 'accept-encoding': 'identity', 'if-none-match': '', 'if-modified-since': '' };
    const options = { hostname, port, method, path: edited?.url ?? inner(url), headers: { ...incoming.headers, ...headers, ...plain } };
    const outgoing = request(options, async answer => {
      if (!change) {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        return void answer.pipe(response);
      }
      const { 'content-length': _length, etag: _tag, 'content-md5': _hash, ...kept } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, kept).end(change(await text(answer)));
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  server.on('connection', socket => {
    if (isAway) return void socket.destroy();
    sockets.add(socket.on('close', () => sockets.delete(socket)));
  });
  server.on('upgrade', (incoming: IncomingMessage, client: Socket, head: Buffer) => {
    const { url = '', method } = incoming;
    if (!upgrades || !isBelow(url)) return void client.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n');
    const upstream = connect(Number(port), hostname, () => {
      const lines = Object.entries({ ...incoming.headers, ...headers }).map(([name, value]) => `${name}: ${value}`);
      upstream.write(`${method} ${inner(url)} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [upstream, client])
      socket.on('error', () => {
        upstream.destroy();
        client.destroy();
      });
    sockets.add(upstream.on('close', () => sockets.delete(upstream)));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    setAway: away => {
      isAway = away;
      if (away) for (const socket of sockets) socket.destroy();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
