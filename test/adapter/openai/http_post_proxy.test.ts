import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { generate } from 'selfsigned';
import { createHttpPost, type HttpPost } from '../../../src/adapter/openai/http_post';
import { startHttpProxy, type TestProxy } from '../../support/http_proxy';
import { setProxyVariables } from '../../support/proxy_environment';

const trusted = getCACertificates('default');
const servers: Server[] = [];
const posts: HttpPost[] = [];
let proxy: TestProxy;
let restore: () => void;

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'secure.invalid' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'secure.invalid' }] }],
  });
  setDefaultCACertificates([...trusted, cert]);
  const plain = await listen(createServer((request, response) => response.end(`${request.headers.host} ${request.url}`)));
  const secure = await listen(createTlsServer({ key, cert }, (request, response) => response.end(`secure ${request.headers.host}`)));
  proxy = await startHttpProxy({ 'plain.invalid:8000': plain, 'secure.invalid:443': secure, 'other.invalid:443': secure });
  restore = setProxyVariables({ HTTP_PROXY: proxy.url.replace('//', '//me:p%40ss@') });
});
beforeEach(() => {
  proxy.answerWith(undefined);
  proxy.seen.length = 0;
});
afterAll(async () => {
  for (const post of posts) post.close();
  restore();
  setDefaultCACertificates(trusted);
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await proxy.stop();
});

async function send(url: string, connectMs = 2_000): Promise<string> {
  const http = createHttpPost({ endpoint: { url: new URL(url), headers: { authorization: 'Bearer k' } }, connectMs });
  posts.push(http);
  return sendOver(http);
}

async function sendOver(http: HttpPost): Promise<string> {
  let answer = '';
  const onPiece = (piece: Buffer) => {
    answer += piece.toString();
  };
  await http.send({ body: [Buffer.from('hi')], signal: new AbortController().signal, onPiece });
  return answer;
}

test('a proxy forwards requests to http servers, and gets the user and the password alone', async () => {
  expect(await send('http://plain.invalid:8000/v1/chat?version=1')).toBe('plain.invalid:8000 /v1/chat?version=1');
  expect(proxy.seen).toEqual(['POST http://plain.invalid:8000/v1/chat?version=1']);
  expect(proxy.logins.at(-1)).toBe(`Basic ${btoa('me:p@ss')}`);
});

test('https servers are reached through a tunnel that is kept, and their certificate is checked', async () => {
  const http = createHttpPost({ endpoint: { url: new URL('https://secure.invalid/v1'), headers: {} }, connectMs: 2_000 });
  posts.push(http);
  expect([await sendOver(http), await sendOver(http)]).toEqual(['secure secure.invalid', 'secure secure.invalid']);
  expect(proxy.seen).toEqual(['CONNECT secure.invalid:443']);
  await expect(send('https://other.invalid/v1')).rejects.toMatchObject({ message: expect.stringContaining('certificate') });
});

test.each([
  [407, 'http://plain.invalid:8000/', 'does not accept the user and the password (HTTP 407): check HTTP_PROXY.'],
  [407, 'https://secure.invalid/', 'does not accept the user and the password (HTTP 407): check HTTP_PROXY.'],
  [403, 'http://plain.invalid:8000/', 'refused to connect to plain.invalid:8000 (HTTP 403).'],
  [403, 'https://secure.invalid/', 'refused to connect to secure.invalid:443 (HTTP 403).'],
  [502, 'http://plain.invalid:8000/', 'refused to connect to plain.invalid:8000 (HTTP 502).'],
  [502, 'https://secure.invalid/', 'refused to connect to secure.invalid:443 (HTTP 502).'],
])('a proxy that answers %i for %s is named, without its password', async (status, url, words) => {
  proxy.answerWith(status);
  await expect(send(url)).rejects.toMatchObject({ code: 'model_unreachable', message: `The proxy ${proxy.name} ${words}` });
});

test.each(['http://plain.invalid:8000/', 'https://secure.invalid/'])('a proxy that is not there is named for %s', async url => {
  const back = setProxyVariables({ HTTP_PROXY: 'http://me:secret@127.0.0.1:9' });
  try {
    await expect(send(url)).rejects.toMatchObject({
      code: 'model_unreachable',
      message: expect.stringMatching(
        /^The proxy http:\/\/127\.0\.0\.1:9 cannot be reached: nothing listens at its address \(ECONNREFUSED\)\. Check HTTP_PROXY/,
      ),
    });
  } finally {
    back();
  }
});

test('a proxy that never answers is named', async () => {
  const silent = await listen(
    createServer(() => {})
      .on('connect', () => {})
      .on('connection', socket => socket.pause()),
  );
  const back = setProxyVariables({ HTTPS_PROXY: `http://127.0.0.1:${silent}` });
  try {
    await expect(send('https://secure.invalid/', 200)).rejects.toMatchObject({
      message: expect.stringContaining('It goes through the proxy http://1'),
    });
  } finally {
    back();
  }
});

test('servers on this machine are reached directly', async () => {
  const port = await listen(createServer((_, response) => response.end('direct')));
  expect(await send(`http://127.0.0.1:${port}/`)).toBe('direct');
  expect(proxy.seen).toEqual([]);
});
