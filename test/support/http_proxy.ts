/** A proxy on this machine that reaches servers by names which only it knows. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface TestProxy {
  url: string;
  /** The name in errors and logs. */
  name: string;
  /** One line for each request, such as `CONNECT model.invalid:443`. */
  seen: string[];
  /** The value of `proxy-authorization` of each request. */
  logins: (string | undefined)[];
  /** Answers all requests with this status from now on; undefined: forwards them. */
  answerWith(status: number | undefined): void;
  stop(): Promise<void>;
}

/** `servers`: host:port, or * for every other -> the port on 127.0.0.1 that stands behind it. */
export async function startHttpProxy(servers: Readonly<Record<string, number>>): Promise<TestProxy> {
  const seen: string[] = [];
  const logins: (string | undefined)[] = [];
  const sockets = new Set<Socket>();
  let refusal: number | undefined;
  const portOf = (target: string): number | undefined => servers[target] ?? servers['*'];
  const note = ({ method, url = '', headers }: IncomingMessage): void => {
    seen.push(`${method} ${url}`);
    logins.push(headers['proxy-authorization']);
  };

  const forward = (incoming: IncomingMessage, response: ServerResponse): void => {
    note(incoming);
    const url = new URL(incoming.url ?? '', 'http://origin.form');
    const port = portOf(`${url.hostname}:${url.port || 80}`);
    if (refusal !== undefined || port === undefined) {
      response.writeHead(refusal ?? 503, { 'content-type': 'text/html' }).end('<h1>ERR_DNS_FAIL</h1>');
      return;
    }
    const { 'proxy-authorization': _, ...headers } = incoming.headers;
    const outgoing = request({ host: '127.0.0.1', port, path: `${url.pathname}${url.search}`, method: incoming.method, headers });
    outgoing.on('response', answer => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  };

  const server = createServer(forward);
  server.on('connection', socket => sockets.add(socket));
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    note(incoming);
    socket.on('error', () => {});
    const port = portOf(incoming.url ?? '');
    if (refusal !== undefined || port === undefined) {
      socket.end(`HTTP/1.1 ${refusal ?? 503} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const name = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: name,
    name,
    seen,
    logins,
    answerWith(status) {
      refusal = status;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
