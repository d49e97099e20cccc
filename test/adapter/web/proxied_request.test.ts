/** Pages and webhooks through a proxy: the name is resolved and checked here, and the proxy gets the address. */
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { generate } from 'selfsigned';
import type { ResolveHost } from '../../../src/adapter/web/checked_request';
import { createPageFetcher } from '../../../src/adapter/web/page_fetcher';
import { createWebhookSender } from '../../../src/adapter/web/webhook_sender';
import { startHttpProxy, type TestProxy } from '../../support/http_proxy';
import { setProxyVariables } from '../../support/proxy_environment';

const trusted = getCACertificates('default');
const servers: Server[] = [];
let proxy: TestProxy;
let restore: () => void;

const listen = async (server: Server): Promise<number> => {
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

beforeAll(async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'site.example' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'site.example' }] }],
  });
  setDefaultCACertificates([...trusted, cert]);
  const answer = (kind: string) => (request: { headers: { host?: string } }, response: { end(text: string): void }) =>
    response.end(`${kind} ${request.headers.host}`);
  const plain = await listen(createServer(answer('plain')));
  const secure = await listen(createTlsServer({ key, cert }, answer('secure')));
  proxy = await startHttpProxy({
    '93.184.216.34:80': plain,
    '93.184.216.34:443': secure,
    '10.1.2.3:8123': plain,
    '[2606:2800::1]:80': plain,
  });
  restore = setProxyVariables({ HTTP_PROXY: proxy.url, NO_PROXY: 'direct.example' });
});
beforeEach(() => {
  proxy.answerWith(undefined);
  proxy.seen.length = 0;
});
afterAll(async () => {
  restore();
  setDefaultCACertificates(trusted);
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await proxy.stop();
});

const NAMES: Record<string, string[]> = {
  'site.example': ['93.184.216.34'],
  'other.example': ['93.184.216.34'],
  'inside.example': ['10.1.2.3'],
  'mixed.example': ['93.184.216.34', '10.1.2.3'],
};
const resolve: ResolveHost = async name => {
  const addresses = NAMES[name];
  if (!addresses) throw new Error('ENOTFOUND');
  return addresses.map(address => ({ address, family: 4 }));
};
const fetchPage = async (url: string, allow: string[] = []) => {
  const { bytes } = await createPageFetcher({ resolve, allow }).fetch(url, AbortSignal.timeout(5_000));
  return Buffer.from(bytes).toString();
};

test.each([
  ['http://site.example/', 'plain site.example', 'CONNECT 93.184.216.34:80'],
  ['https://site.example/', 'secure site.example', 'CONNECT 93.184.216.34:443'],
  ['http://93.184.216.34/', 'plain 93.184.216.34', 'CONNECT 93.184.216.34:80'],
  ['http://[2606:2800::1]/', 'plain [2606:2800::1]', 'CONNECT [2606:2800::1]:80'],
])('%s is fetched through a tunnel to the checked address', async (url, text, line) => {
  expect([await fetchPage(url), proxy.seen]).toEqual([text, [line]]);
});

test('an address that the operator allows is fetched through the proxy too', async () => {
  expect(await fetchPage('http://inside.example:8123/', ['inside.example:8123'])).toBe('plain inside.example:8123');
  expect(proxy.seen).toEqual(['CONNECT 10.1.2.3:8123']);
});

test.each([
  ['http://inside.example/', 'forbidden_address'],
  ['https://mixed.example/', 'forbidden_address'],
  ['http://10.1.2.3/', 'forbidden_address'],
  ['http://169.254.169.254/latest', 'forbidden_address'],
  ['http://localhost/', 'forbidden_address'],
  ['http://unknown.example/', 'unknown_host'],
])('%s is refused before the proxy hears of it', async (url, code) => {
  const local: ResolveHost = async name => (name === 'localhost' ? [{ address: '127.0.0.1', family: 4 }] : resolve(name));
  await expect(createPageFetcher({ resolve: local }).fetch(url, AbortSignal.timeout(5_000))).rejects.toMatchObject({ code });
  expect(proxy.seen).toEqual([]);
});

test('the certificate is that of the name', async () => {
  await expect(fetchPage('https://other.example/')).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
  });
});

test.each([407, 403, 503])('a proxy that answers %i is named', async status => {
  proxy.answerWith(status);
  await expect(fetchPage('https://site.example/')).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(new RegExp(`^The proxy ${proxy.name} .*HTTP ${status}`)),
  });
});

test('webhooks go through the proxy, and private addresses are refused', async () => {
  const post = (url: string) => createWebhookSender({ allow: [], resolve }).post(url, '{}', {}, AbortSignal.timeout(5_000));
  expect(await post('https://site.example/hook')).toMatchObject({ status: 200 });
  expect(proxy.seen).toEqual(['CONNECT 93.184.216.34:443']);
  await expect(post('https://inside.example/hook')).rejects.toMatchObject({ code: 'forbidden_address' });
  proxy.answerWith(502);
  await expect(post('https://site.example/hook')).rejects.toThrow(`The proxy ${proxy.name} refused to connect`);
});
