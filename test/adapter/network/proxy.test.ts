import { describeProxies, proxyFor } from '../../../src/adapter/network/proxy';

const HTTP = 'http://proxy.corp:3128';
const OTHER = 'http://other.corp:8080';
const nameFor = (url: string, env: Record<string, string>) => proxyFor(new URL(url), env)?.name;

test.each<[string, Record<string, string>, string, string | undefined]>([
  ['HTTP_PROXY serves http', { HTTP_PROXY: HTTP }, 'http://model.corp/v1', HTTP],
  ['HTTP_PROXY serves https when nothing else does', { HTTP_PROXY: HTTP }, 'https://model.corp/v1', HTTP],
  ['HTTPS_PROXY comes first for https', { HTTP_PROXY: HTTP, HTTPS_PROXY: OTHER }, 'https://model.corp/v1', OTHER],
  ['HTTPS_PROXY does not serve http', { HTTPS_PROXY: OTHER }, 'http://model.corp/v1', undefined],
  ['lower case comes first', { HTTP_PROXY: HTTP, http_proxy: OTHER }, 'http://model.corp/v1', OTHER],
  ['an empty variable switches the proxy off', { HTTP_PROXY: HTTP, http_proxy: '' }, 'http://model.corp/v1', undefined],
  ['ALL_PROXY serves both', { ALL_PROXY: HTTP }, 'https://model.corp/v1', HTTP],
  ['a scheme may be missing', { HTTP_PROXY: 'proxy.corp:3128' }, 'http://model.corp/v1', HTTP],
  ['blanks around the address do not count', { HTTP_PROXY: ` ${HTTP}\n` }, 'http://model.corp/v1', HTTP],
  ['the user and the password are no part of the name', { HTTP_PROXY: 'http://me:pw@proxy.corp:3128/' }, 'http://model.corp/v1', HTTP],
  ['an address of another kind is not used', { HTTP_PROXY: 'socks5://proxy.corp:1080' }, 'http://model.corp/v1', undefined],
  ['no variable means no proxy', {}, 'http://model.corp/v1', undefined],
])('%s', (_, env, url, expected) => {
  expect(nameFor(url, env)).toBe(expected);
});

test.each([
  'http://localhost:11434/v1',
  'http://127.0.0.1:7001',
  'http://127.8.0.1',
  'http://[::1]:80',
  'http://0.0.0.0:11434',
  'http://model.localhost',
])('%s is reached directly, since it is this machine', url => {
  expect(nameFor(url, { HTTP_PROXY: HTTP })).toBeUndefined();
});

describe('NO_PROXY', () => {
  test.each([
    ['model.corp', 'http://model.corp'],
    ['model.corp', 'http://eu.model.corp:8000'],
    ['.corp', 'http://model.corp'],
    ['*.corp', 'https://model.corp'],
    ['MODEL.corp', 'http://model.CORP'],
    ['a.example, model.corp', 'http://model.corp'],
    ['a.example model.corp', 'http://model.corp'],
    ['model.corp:8000', 'http://model.corp:8000'],
    ['model.corp:443', 'https://model.corp'],
    ['*', 'http://model.corp'],
    ['a.example,*', 'http://model.corp'],
    ['10.0.0.5', 'http://10.0.0.5:8000'],
    ['10.0.0.0/8', 'http://10.20.30.40'],
    ['fd00::/8', 'http://[fd00::1]:8000'],
    ['fd00::1', 'http://[fd00::1]:8000'],
    ['[fd00::1]:8000', 'http://[fd00::1]:8000'],
    ['model.corp.', 'http://model.corp'],
  ])('%s excludes %s', (list, url) => {
    expect(nameFor(url, { HTTP_PROXY: HTTP, NO_PROXY: list })).toBeUndefined();
  });

  test.each([
    ['', 'http://model.corp'],
    [' , ', 'http://model.corp'],
    ['model.corp', 'http://mymodel.corp'],
    ['model.corp:8000', 'http://model.corp:9000'],
    ['10.0.0.0/8', 'http://11.0.0.1'],
    ['0.0.5', 'http://10.0.0.5'],
    ['10.0.0.0/8', 'http://model.corp'],
    ['::1', 'http://10.0.0.1'],
  ])('%s does not exclude %s', (list, url) => {
    expect(nameFor(url, { HTTP_PROXY: HTTP, NO_PROXY: list })).toBe(HTTP);
  });
});

test('the user and the password become a header, also with escapes and with a lone percent sign', () => {
  const of = (login: string) => proxyFor(new URL('http://a.corp'), { HTTP_PROXY: `http://${login}@proxy.corp` })?.authorization;
  expect(of('me:p%40ss')).toBe(`Basic ${btoa('me:p@ss')}`);
  expect(of('me')).toBe(`Basic ${btoa('me:')}`);
  expect(of('me:100%')).toBe(`Basic ${btoa('me:100%')}`);
});

test('describes each proxy once, and each variable that cannot be used, without passwords', () => {
  const report = describeProxies({ HTTP_PROXY: 'http://me:secret@proxy.corp:3128', NO_PROXY: '.corp' });
  expect(report).toMatchObject({ proxies: [{ name: HTTP, variable: 'HTTP_PROXY' }], direct: '.corp', problems: [] });
  const wrong = describeProxies({ HTTPS_PROXY: 'socks5://me:secret@proxy.corp:1080', http_proxy: 'http://:80:80' });
  expect(wrong.proxies).toEqual([]);
  expect(wrong.problems).toEqual([
    'http_proxy is not used: expected the address of an HTTP proxy, such as http://proxy.example:3128, got http://:80:80.',
    'HTTPS_PROXY is not used: expected the address of an HTTP proxy, such as http://proxy.example:3128, got socks5://***@proxy.corp:1080.',
  ]);
});
