import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { brotliCompressSync, createGzip, deflateSync, gzipSync, constants as zlib, zstdCompressSync } from 'node:zlib';
import { generate } from 'selfsigned';
import { createHttpPost, type HttpPost } from '../../../src/adapter/openai/http_post';

const servers: (Server | TcpServer)[] = [];
const posts: HttpPost[] = [];
afterEach(async () => {
  for (const post of posts.splice(0)) post.close();
  await Promise.all(servers.splice(0).map(server => new Promise(resolve => server.close(resolve))));
});

async function listen(server: Server | TcpServer): Promise<number> {
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function open(url: string, headers: Record<string, string> = {}): HttpPost {
  const http = createHttpPost({ endpoint: { url: new URL(url), headers }, connectMs: 2_000 });
  posts.push(http);
  return http;
}

interface Sending {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  onPiece?: (text: string) => void;
}

/** Resolves with the body of the response. */
async function sendText(http: HttpPost, text: string, { headers, signal = new AbortController().signal, onPiece }: Sending = {}) {
  let answer = '';
  await http.send({
    body: [Buffer.from(text)],
    headers,
    signal,
    onPiece: piece => {
      answer += piece.toString();
      onPiece?.(piece.toString());
    },
  });
  return answer;
}

function post(url: string, headers: Record<string, string> = {}) {
  const http = open(url, headers);
  return (text = 'hi', sending: Sending = {}) => sendText(http, text, sending);
}

/** Listens for plain TCP. `answer` is called for each request, with the number of its connection. `sockets` holds those that sent a request. */
async function listenRaw(answer: (socket: Socket, connection: number) => void): Promise<{ port: number; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server = createTcpServer(socket => {
    socket.on('error', () => {});
    socket.once('data', () => sockets.push(socket));
    socket.on('data', () => answer(socket, sockets.indexOf(socket)));
  });
  return { port: await listen(server), sockets };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setTimeout(1);
}

const OK = 'HTTP/1.1 200 OK\r\n';
const sized = (text: string) => `${OK}Content-Length: ${text.length}\r\n\r\n${text}`;
const chunks = (...parts: string[]) => parts.map(part => `${part.length.toString(16)}\r\n${part}\r\n`).join('');
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

/** Answers with the number of the connection. Each response names the time after which the server may close the connection. */
const numbered = (keepAlive?: string): RequestListener => {
  const seen: unknown[] = [];
  return (request, response) => {
    if (!seen.includes(request.socket)) seen.push(request.socket);
    request.resume().once('end', () => {
      if (keepAlive) response.setHeader('keep-alive', keepAlive);
      response.end(`${seen.indexOf(request.socket)}`);
    });
  };
};

describe('connections', () => {
  test('are reused one after the other, and added for requests at the same time', async () => {
    const send = post(`http://127.0.0.1:${await listen(createServer(numbered()))}/`);
    expect([await send(), await send()]).toEqual(['0', '0']);
    expect((await Promise.all([send(), send(), send()])).sort()).toEqual(['0', '1', '2']);
  });

  test('are not used in the second in which the server closes them, but closed', async () => {
    const server = createServer(numbered('timeout=1'));
    const closed = new Promise(resolve => server.once('connection', socket => socket.once('close', resolve)));
    const send = post(`http://127.0.0.1:${await listen(server)}/`);
    expect([await send(), await send()]).toEqual(['0', '1']);
    await closed;
  });

  test('are closed after a response with Connection: close', async () => {
    const { port, sockets } = await listenRaw((socket, connection) =>
      socket.write(`${OK}Connection: keep-alive, close\r\nContent-Length: 1\r\n\r\n${connection}`),
    );
    const send = post(`http://127.0.0.1:${port}/`);
    expect([await send(), await send()]).toEqual(['0', '1']);
    expect(sockets).toHaveLength(2);
  });

  test('on which the server speaks without a request are replaced', async () => {
    const { port, sockets } = await listenRaw((socket, connection) => socket.write(sized(`${connection}`)));
    const send = post(`http://127.0.0.1:${port}/`);
    expect(await send()).toBe('0');
    const closed = once(sockets[0] as Socket, 'close');
    sockets[0]?.write('HTTP/1.1 408 Request Timeout\r\n\r\n');
    await closed;
    expect(await send()).toBe('1');
  });

  test('keep their answers apart when the pieces arrive in turn', async () => {
    const { port, sockets } = await listenRaw(socket => socket.write(CHUNKED));
    const http = open(`http://127.0.0.1:${port}/`);
    const arrived = ['', ''];
    const sendings = arrived.map((_, i) =>
      sendText(http, 'hi', {
        onPiece: text => {
          arrived[i] += text;
        },
      }),
    );
    await until(() => sockets.length === 2);
    for (let round = 0; round < 20; round += 1) {
      for (const socket of sockets) socket.write(chunks(`${sockets.indexOf(socket)}${round},`));
      await until(() => arrived.every(text => text.endsWith(`${round},`)));
    }
    for (const socket of sockets) socket.write(chunks(''));
    const told = await Promise.all(sendings);
    const line = (connection: number) => Array.from({ length: 20 }, (_, round) => `${connection}${round},`).join('');
    expect(told.sort()).toEqual([line(0), line(1)]);
  });

  test('that are idle are closed at the end, and the others after their answers', async () => {
    const { port, sockets } = await listenRaw((socket, connection) => socket.write(connection === 0 ? sized('idle') : CHUNKED));
    const http = open(`http://127.0.0.1:${port}/`);
    const first = sendText(http, 'hi');
    const second = sendText(http, 'hi');
    await until(() => sockets.length === 2);
    const closed = Promise.all(sockets.map(socket => once(socket, 'close')));
    http.close();
    sockets[1]?.write(chunks('late', ''));
    expect((await Promise.all([first, second])).sort()).toEqual(['idle', 'late']);
    await closed;
  });

  test('are not reused when the server answered before it had read the request', async () => {
    const { port, sockets } = await listenRaw(socket => {
      socket.pause().write('HTTP/1.1 413 Content Too Large\r\nContent-Length: 8\r\n\r\ntoo long');
    });
    const send = post(`http://127.0.0.1:${port}/`);
    const body = 'x'.repeat(16 * 1024 * 1024);
    await expect(send(body)).rejects.toMatchObject({ status: 413, text: 'too long' });
    await expect(send(body)).rejects.toMatchObject({ status: 413, text: 'too long' });
    expect(sockets).toHaveLength(2);
    for (const socket of sockets) socket.destroy();
  });

  test('that the server closes while they are idle are replaced, also when the request is on its way', async () => {
    const { port, sockets } = await listenRaw((socket, connection) => socket.write(sized(`${connection}`)));
    const send = post(`http://127.0.0.1:${port}/`);
    expect(await send()).toBe('0');
    sockets[0]?.end();
    // The client has not read the end.
    expect(await send()).toBe('1');
  });

  test('that the server closes after each request are replaced once', async () => {
    const { port, sockets } = await listenRaw((socket, connection) => (connection === 0 ? socket.write(sized('0')) : socket.destroy()));
    const send = post(`http://127.0.0.1:${port}/`);
    expect(await send()).toBe('0');
    sockets[0]?.end();
    await expect(send()).rejects.toMatchObject({ code: 'model_unreachable' });
    expect(sockets).toHaveLength(2);
  });

  test('call readers in no asynchronous context, also not in that of the request which opened them', async () => {
    const { port } = await listenRaw((socket, connection) => socket.write(sized(`${connection}`)));
    const send = post(`http://127.0.0.1:${port}/`);
    const context = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const onPiece = (text: string) => seen.push([text, context.getStore()]);
    await context.run('first', () => send('hi', { onPiece }));
    await context.run('second', () => send('hi', { onPiece }));
    expect(seen).toEqual([
      ['0', undefined],
      ['0', undefined],
    ]);
  });
});

test('sends the method, the path, the headers, and the credentials of the URL', async () => {
  let seen: unknown;
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    seen = { method, url, headers };
    response.end();
  });
  const port = await listen(server);
  await post(`http://me:p%40ss@127.0.0.1:${port}/v1/chat?version=1`, { accept: 'application/json' })();
  expect(seen).toEqual({
    method: 'POST',
    url: '/v1/chat?version=1',
    headers: {
      host: `127.0.0.1:${port}`,
      accept: 'application/json',
      authorization: `Basic ${btoa('me:p@ss')}`,
      connection: 'keep-alive',
      'content-length': '2',
    },
  });
});

test('sends each header once: those of the request replace those of the endpoint, and these the usual ones', async () => {
  let seen: string[] = [];
  const server = createServer((request, response) => {
    seen = request.rawHeaders;
    response.end();
  });
  const endpoint = { Host: 'models.example', 'Content-Length': '7', 'Transfer-Encoding': 'chunked', traceparent: 'mine' };
  await post(`http://127.0.0.1:${await listen(server)}/`, endpoint)('hi', { headers: { Traceparent: 'yours' } });
  expect(seen).toEqual(['host', 'models.example', 'connection', 'keep-alive', 'traceparent', 'yours', 'content-length', '2']);
});

test('refuses a header that would end its line', async () => {
  expect(() => post('http://127.0.0.1/', { 'x-name': 'a\r\nhost: b' })).toThrow('x-name');
  expect(() => post('http://127.0.0.1/', { 'x-name: b\r\nhost': 'a' })).toThrow('x-name');
  await expect(post('http://127.0.0.1/')('hi', { headers: { tracestate: 'a\nb' } })).rejects.toThrow('tracestate');
});

describe('a compressed body', () => {
  test.each([
    ['Content-Encoding: gzip', gzipSync('one answer')],
    ['Content-Encoding: deflate', deflateSync('one answer')],
    ['Content-Encoding: br', brotliCompressSync('one answer')],
    ['Content-Encoding: zstd', zstdCompressSync('one answer')],
    ['content-encoding: GZIP', gzipSync('one answer')],
    ['Content-Encoding: gzip', Buffer.from('one answer')],
    ['Transfer-Encoding: gzip, chunked', gzipSync('one answer')],
    ['Transfer-Encoding: gzip, chunked', Buffer.from('one answer')],
    ['Content-Encoding: identity', Buffer.from('one answer')],
  ])('of the header %s is read, and its connection is kept', async (header, body) => {
    const isChunked = header.includes('chunked');
    const { port, sockets } = await listenRaw(socket => {
      socket.write(`${OK}${header}\r\n${isChunked ? '' : `Content-Length: ${body.length}\r\n`}\r\n`);
      if (isChunked) socket.write(`${body.length.toString(16)}\r\n`);
      socket.write(body);
      if (isChunked) socket.write('\r\n0\r\n\r\n');
    });
    const send = post(`http://127.0.0.1:${port}/`);
    expect([await send(), await send(), sockets.length]).toEqual(['one answer', 'one answer', 1]);
  });

  test('is handed over while it arrives', async () => {
    const gzip = createGzip();
    const write = (text: string) => {
      gzip.write(text);
      gzip.flush(zlib.Z_SYNC_FLUSH);
    };
    const port = await listen(
      createServer((_, response) => {
        gzip.pipe(response.setHeader('content-encoding', 'gzip'));
        write('first ');
      }),
    );
    const onPiece = (text: string) => (text === 'first ' ? write('second ') : gzip.end());
    expect(await post(`http://127.0.0.1:${port}/`)('hi', { onPiece })).toBe('first second ');
  });

  test('of an error is read', async () => {
    const page = gzipSync('{"error":{"message":"no credit"}}');
    const port = await listen(createServer((_, response) => response.writeHead(402, { 'content-encoding': 'gzip' }).end(page)));
    await expect(post(`http://127.0.0.1:${port}/`)()).rejects.toMatchObject({ status: 402, text: expect.stringContaining('no credit') });
  });

  test.each([
    ['damaged', 'gzip', Buffer.concat([gzipSync('one answer').subarray(0, 10), Buffer.alloc(50, 7)]), 'its compressed body is damaged'],
    ['of an unknown coding', 'snappy', Buffer.from('one answer'), 'it is compressed as "snappy"'],
  ])('that is %s is refused in words', async (_, coding, body, words) => {
    const port = await listen(createServer((_request, response) => response.setHeader('content-encoding', coding).end(body)));
    await expect(post(`http://127.0.0.1:${port}/`)()).rejects.toMatchObject({
      code: 'model_bad_response',
      message: expect.stringContaining(words),
    });
  });

  test('that grows without end is read no further than the reader wants', async () => {
    const port = await listen(
      createServer((_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(64 * 1024 * 1024)))),
    );
    let bytes = 0;
    const onPiece = (text: string) => {
      bytes += text.length;
      if (bytes > 100_000) throw new Error('enough');
    };
    await expect(post(`http://127.0.0.1:${port}/`)('hi', { onPiece })).rejects.toThrow('enough');
    expect(bytes).toBeLessThan(200_000);
  });
});

describe('odd answers', () => {
  const odd = (head: string, body = 'x') => `HTTP/1.1 ${head}\r\nConnection: close\r\n\r\n${body}`;

  test.each([
    ['with the transfer encoding identity', odd('200 OK\r\nTransfer-Encoding: identity')],
    ['without a reason phrase', odd('200')],
    ['with 40 KiB of headers', odd(`200 OK${`\r\nSet-Cookie: a=${'y'.repeat(1000)}`.repeat(40)}`)],
    ['with a header without a value', odd('200 OK\r\nX-Empty:')],
    ['behind early hints', `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${odd('200 OK')}`],
    ['behind empty lines', `\r\n\r\n${odd('200 OK')}`],
    ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nx'],
  ])('%s are read', async (_, text) => {
    const { port } = await listenRaw(socket => socket.end(text));
    expect(await post(`http://127.0.0.1:${port}/`)()).toBe('x');
  });

  test.each([
    ['a folded header', odd('200 OK\r\nX-Long: a\r\n b'), 'it is not valid HTTP ('],
    ['a blank before a colon', odd('200 OK\r\nX-Odd : 1'), 'it is not valid HTTP (Invalid header token)'],
    ['a blank before a chunk size', `${CHUNKED} 1\r\nx\r\n0\r\n\r\n`, 'it is not valid HTTP ('],
    ['a head with bare line feeds', 'HTTP/1.1 200 OK\nConnection: close\n\nx', 'it is not valid HTTP ('],
    ['an unasked 100 Continue', `HTTP/1.1 100 Continue\r\n\r\n${odd('200 OK')}`, 'that was not asked for'],
    ['an unasked upgrade', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n', 'that was not asked for'],
    ['100 KiB of headers', odd(`200 OK${`\r\nSet-Cookie: a=${'y'.repeat(1000)}`.repeat(100)}`), 'longer than 64 KiB'],
    ['frames of HTTP/2', Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]), 'it is HTTP/2'],
  ])('with %s are refused in words', async (_, bytes, words) => {
    const { port } = await listenRaw(socket => socket.end(bytes));
    await expect(post(`http://127.0.0.1:${port}/`)()).rejects.toMatchObject({ message: expect.stringContaining(words) });
  });

  test('of a status that does not exist tell the status', async () => {
    const { port } = await listenRaw(socket => socket.end(odd('600 Unparseable')));
    await expect(post(`http://127.0.0.1:${port}/`)()).rejects.toMatchObject({ status: 600, text: 'x' });
  });

  test('of a server of HTTP/2 alone are refused at once', async () => {
    const port = await listen(createHttp2Server() as unknown as Server);
    await expect(post(`http://127.0.0.1:${port}/`)()).rejects.toMatchObject({
      code: 'model_bad_response',
      message: expect.stringContaining('it is HTTP/2, and the gateway asks in HTTP/1.1'),
    });
  });
});

describe('an exchange ends, with its connection,', () => {
  /** Answers with three chunks at once and leaves the response open. Resolves with the pieces that were handed over until it ended. */
  async function readUntil(onPiece: (controller: AbortController) => void) {
    const { port, sockets } = await listenRaw(socket => socket.write(CHUNKED + chunks('a', 'b', 'c')));
    const pieces: string[] = [];
    const controller = new AbortController();
    const sending = post(`http://127.0.0.1:${port}/`)('hi', {
      signal: controller.signal,
      onPiece: text => {
        pieces.push(text);
        onPiece(controller);
      },
    });
    await expect(sending).rejects.toThrow('enough');
    if (sockets[0]?.destroyed === false) await once(sockets[0], 'close');
    return pieces;
  }

  test('when the reader aborts it in the middle of a read', async () => {
    expect(await readUntil(controller => controller.abort(new Error('enough')))).toEqual(['a']);
  });

  test('when the reader throws in the middle of a read', async () => {
    const readers = readUntil(() => {
      throw new Error('enough');
    });
    expect(await readers).toEqual(['a']);
  });

  test('when an error page goes on and on', async () => {
    const page = 'x'.repeat(20_000);
    const { port, sockets } = await listenRaw(socket => socket.write(`HTTP/1.1 500 Oh\r\n\r\n${page}`));
    await expect(post(`http://127.0.0.1:${port}/`)()).rejects.toMatchObject({ status: 500, text: page.slice(0, 16 * 1024) });
    if (sockets[0]?.destroyed === false) await once(sockets[0], 'close');
  });

  test('when the rest of an error page does not come', async () => {
    const head = 'HTTP/1.1 429 Slow\r\nRetry-After: 1\r\nContent-Length: 99\r\n\r\n';
    const { port } = await listenRaw(socket => socket.write(`${head}Slow down`));
    await expect(post(`http://127.0.0.1:${port}/`)()).rejects.toMatchObject({ status: 429, text: 'Slow down' });
  });

  test.each([
    ['between two chunks', CHUNKED + chunks('half')],
    ['inside a chunk', `${CHUNKED}5\r\nhal`],
  ])('when the server closes it %s', async (_, text) => {
    const { port } = await listenRaw(socket => socket.end(text));
    await expect(post(`http://127.0.0.1:${port}/`)()).rejects.toMatchObject({ code: 'model_unreachable' });
  });

  test('and succeeds, when the server closes a response without a length', async () => {
    const { port } = await listenRaw(socket => socket.end(`${OK}\r\nall of it`));
    expect(await post(`http://127.0.0.1:${port}/`)()).toBe('all of it');
  });

  test.each([
    ['before', 'SSH-2.0-OpenSSH_9.2\r\n', 'model_bad_response'],
    ['in', `${CHUNKED}1\r\naXX\r\n`, 'model_unreachable'],
  ])('when its bytes are not HTTP %s the body', async (_, text, code) => {
    const { port } = await listenRaw(socket => socket.write(text));
    await expect(post(`http://127.0.0.1:${port}/`)()).rejects.toMatchObject({ code });
  });
});

describe('over TLS', () => {
  const trusted = getCACertificates('default');
  afterEach(() => setDefaultCACertificates(trusted));

  let requests = 0;
  const countRequest: RequestListener = (_, response) => {
    requests += 1;
    response.end();
  };

  async function listenSecurely(listener = numbered()): Promise<number> {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
    });
    setDefaultCACertificates([...trusted, cert]);
    return listen(createTlsServer({ key, cert }, listener));
  }

  test('reuses a connection for requests and large answers', async () => {
    const send = post(`https://localhost:${await listenSecurely()}/`);
    expect([await send(), await send('x'.repeat(1024 * 1024))]).toEqual(['0', '0']);
  });

  test('resumes the TLS session of an earlier connection', async () => {
    const port = await listenSecurely((request, response) => {
      const socket = request.socket as TLSSocket;
      request.resume().once('end', () => response.setHeader('connection', 'close').end(`${socket.isSessionReused()}`));
    });
    const send = post(`https://localhost:${port}/`);
    expect([await send(), await send()]).toEqual(['false', 'true']);
  });

  test('refuses a certificate that is not trusted', async () => {
    const port = await listenSecurely(countRequest);
    setDefaultCACertificates(trusted);
    await expect(post(`https://localhost:${port}/`)()).rejects.toMatchObject({
      code: 'model_unreachable',
      message: expect.stringContaining('its certificate is not trusted'),
    });
    // The request carries the key.
    expect(requests).toBe(0);
  });

  test('refuses a certificate of another name', async () => {
    const port = await listenSecurely(countRequest);
    await expect(post(`https://127.0.0.1:${port}/`)()).rejects.toMatchObject({ code: 'model_unreachable' });
    expect(requests).toBe(0);
  });
});
