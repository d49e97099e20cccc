import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
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

function post(url: string, headers: Record<string, string> = {}) {
  const http = createHttpPost({ endpoint: { url: new URL(url), headers }, connectMs: 2_000 });
  posts.push(http);
  return async (text = 'hi', signal = new AbortController().signal) => {
    let answer = '';
    await http.send({
      body: [Buffer.from(text)],
      signal,
      onPiece: piece => {
        answer += piece.toString();
      },
    });
    return answer;
  };
}

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

  test('are not used in the second in which the server closes them', async () => {
    const send = post(`http://127.0.0.1:${await listen(createServer(numbered('timeout=1')))}/`);
    expect([await send(), await send()]).toEqual(['0', '1']);
  });

  test('are not reused when the server answered before it had read the request', async () => {
    const sockets: Socket[] = [];
    const server = createTcpServer(socket => {
      sockets.push(socket.on('error', () => {}));
      socket.once('data', () => socket.pause().write('HTTP/1.1 413 Content Too Large\r\nContent-Length: 8\r\n\r\ntoo long'));
    });
    const send = post(`http://127.0.0.1:${await listen(server)}/`);
    const body = 'x'.repeat(16 * 1024 * 1024);
    await expect(send(body)).rejects.toMatchObject({ status: 413, text: 'too long' });
    await expect(send(body)).rejects.toMatchObject({ status: 413, text: 'too long' });
    expect(sockets).toHaveLength(2);
    for (const socket of sockets) socket.destroy();
  });

  test('that the server closes while they are idle are replaced', async () => {
    const server = createServer(numbered());
    const closed = new Promise(resolve => server.once('connection', socket => socket.once('close', resolve)));
    const send = post(`http://127.0.0.1:${await listen(server)}/`);
    expect(await send()).toBe('0');
    server.closeIdleConnections();
    await closed;
    // The client reads the end of the connection in the next turn of the event loop.
    await setImmediate();
    await setImmediate();
    expect(await send()).toBe('1');
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
    headers: { host: `127.0.0.1:${port}`, accept: 'application/json', authorization: `Basic ${btoa('me:p@ss')}`, 'content-length': '2' },
  });
});

test('refuses a header that would end its line', () => {
  expect(() => post('http://127.0.0.1/', { 'x-name': 'a\r\nhost: b' })).toThrow('x-name');
});

describe('over TLS', () => {
  const trusted = getCACertificates('default');
  afterEach(() => setDefaultCACertificates(trusted));

  async function listenSecurely(): Promise<number> {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
    });
    setDefaultCACertificates([...trusted, cert]);
    return listen(createTlsServer({ key, cert }, numbered()));
  }

  test('reuses a connection for requests and large answers', async () => {
    const send = post(`https://localhost:${await listenSecurely()}/`);
    expect([await send(), await send('x'.repeat(1024 * 1024))]).toEqual(['0', '0']);
  });

  test('refuses a certificate that is not trusted', async () => {
    const port = await listenSecurely();
    setDefaultCACertificates(trusted);
    await expect(post(`https://localhost:${port}/`)()).rejects.toMatchObject({
      code: 'model_unreachable',
      message: expect.stringContaining('its certificate is not trusted'),
    });
  });

  test('refuses a certificate of another name', async () => {
    const port = await listenSecurely();
    await expect(post(`https://127.0.0.1:${port}/`)()).rejects.toMatchObject({ code: 'model_unreachable' });
  });
});
