/** Timeouts of the HTTP server, shortened. test/door/http_edges.test.ts tests the doors. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { guardServer, SERVER_OPTIONS } from '../../src/middleware/http_server';

let server: Server;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Sends the request, then a byte every 20 ms until the connection closes. Resolves with the answer. */
async function drip(text: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.on('error', () => {});
  socket.setEncoding('utf8').on('data', piece => {
    answer += piece;
  });
  socket.write(text);
  const timer = setInterval(() => socket.write('x'), 20);
  await once(socket, 'close');
  clearInterval(timer);
  return answer;
}

it('gives a request 30 seconds to arrive, headers and body', () => {
  expect(SERVER_OPTIONS.requestTimeout).toBe(30_000);
  expect(SERVER_OPTIONS.headersTimeout).toBeLessThanOrEqual(30_000);
});

it.each([
  ['headers', 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: '],
  ['body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n'],
])('ends a request whose %s arrives byte by byte, with an error in wire form', async (_part, text) => {
  server = createServer({ ...SERVER_OPTIONS, headersTimeout: 150, requestTimeout: 150, connectionsCheckingInterval: 20 });
  guardServer(server, request => request.url ?? '');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await drip(text);
  expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ error: { code: 'request_timeout', retryable: true } });
});

it('ends a connection on which no request begins', async () => {
  server = createServer({ ...SERVER_OPTIONS, headersTimeout: 150, requestTimeout: 150, connectionsCheckingInterval: 20 });
  guardServer(server, request => request.url ?? '');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  socket.resume();
  await once(socket, 'close');
  expect(socket.bytesWritten).toBe(0);
});

it('keeps an idle connection for longer than the headers of a request may take', async () => {
  server = createServer({ ...SERVER_OPTIONS, headersTimeout: 150, requestTimeout: 150, connectionsCheckingInterval: 20 }, (_, response) => {
    response.end('here');
  });
  guardServer(server, request => request.url ?? '');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const ask = async (): Promise<string> => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    return String((await once(socket, 'data'))[0]);
  };
  expect(await ask()).toContain('here');
  // Three times the limit for headers.
  await new Promise(resolve => setTimeout(resolve, 450));
  expect(await ask()).toContain('here');
  socket.destroy();
});

it('does not end an answer that is being sent', async () => {
  server = createServer({ ...SERVER_OPTIONS, headersTimeout: 150, requestTimeout: 150, connectionsCheckingInterval: 20 }, (_, response) => {
    response.write('half');
  });
  guardServer(server, request => request.url ?? '');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await drip('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n');
  expect(answer).toContain('half');
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
});
