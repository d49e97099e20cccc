import { ProxyTrust } from '../../src/middleware/proxy_trust';

const PROXIES = new ProxyTrust(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']);

const from = (remoteAddress: string, forwarded?: string) => ({
  socket: { remoteAddress },
  headers: { ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) },
});

it.each([
  ['a direct connection', '203.0.113.9', undefined, '203.0.113.9'],
  ['a direct connection that forges the header', '203.0.113.9', '127.0.0.1', '203.0.113.9'],
  ['one proxy', '10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['a chain of proxies', '192.0.2.1', '203.0.113.9, 10.9.9.9', '203.0.113.9'],
  ['a client that forges the begin of the chain', '10.1.2.3', '127.0.0.1, 203.0.113.9', '203.0.113.9'],
  ['a proxy that connects over IPv6-mapped IPv4', '::ffff:10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['a proxy that adds ports', '10.1.2.3', '203.0.113.9:4711', '203.0.113.9'],
  ['a client over IPv6', '2001:db8::7', '[2001:4860::1]:4711', '2001:4860::1'],
  ['a proxy that sends no address', '10.1.2.3', undefined, '10.1.2.3'],
  ['a header that is no address', '10.1.2.3', '203.0.113.9, unknown', '10.1.2.3'],
])('finds the address of the client behind %s', (_what, remoteAddress, forwarded, address) => {
  expect(PROXIES.clientAddress(from(remoteAddress, forwarded))).toBe(address);
});

it('ignores every header when no proxy is named', () => {
  const none = new ProxyTrust([]);
  const request = {
    socket: { remoteAddress: '127.0.0.1' },
    headers: { host: 'a', 'x-forwarded-host': 'b', 'x-forwarded-for': '203.0.113.9' },
  };
  expect(none.clientAddress(request)).toBe('127.0.0.1');
  expect(none.publicAddress(request)).toEqual({ protocol: 'http', host: 'a' });
});
