import { createAddressPolicy } from '../../../src/adapter/web/address_policy';

const policy = createAddressPolicy(['127.0.0.1:4000', 'wiki.internal:443', '[::1]:9000']);
const PRIVATE = [
  '127.0.0.1',
  '127.1.2.3',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.8',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::1',
  '100::1',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '2001:db8::1',
  'not an address',
  '',
];

describe('address policy', () => {
  it.each([
    ['http://127.0.0.1/', 'the usual form'],
    ['http://2130706433/', 'decimal'],
    ['http://0x7f000001/', 'hexadecimal'],
    ['http://0x7f.0x0.0x0.0x1/', 'hexadecimal parts'],
    ['http://0177.0.0.1/', 'octal'],
    ['http://017700000001/', 'one octal number'],
    ['http://127.1/', 'omitted parts'],
    ['http://127.0.0.1./', 'a dot at the end'],
    ['http://１２７.０.０.１/', 'full-width digits'],
    ['http://127。0。0。1/', 'ideographic dots'],
    ['http://%31%32%37.0.0.1/', 'percent signs'],
    ['http:\\\\127.0.0.1\\', 'backslashes'],
    ['http://[::1]/', 'IPv6'],
    ['http://[0:0:0:0:0:0:0:1]/', 'long IPv6'],
    ['http://[::ffff:127.0.0.1]/', 'IPv4 in IPv6'],
    ['http://[::ffff:7f00:1]/', 'IPv4 in IPv6, hexadecimal'],
    ['http://[64:ff9b::7f00:1]/', 'NAT64'],
    ['http://169.254.169.254/latest/meta-data/', 'the address of cloud metadata'],
    ['http://10.0.0.1:8080/', 'a private network'],
  ])('refuses %s: %s', url => {
    expect(() => policy.checkUrl(url)).toThrow(expect.objectContaining({ code: 'forbidden_address' }));
  });

  it.each([
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://example.com/',
    'data:text/html,x',
    'javascript:alert(1)',
    'http://user@example.com/',
    'http://user:pass@example.com/',
    'http://[fe80::1%25eth0]/',
    'http://',
    'example.com',
    '/path',
    '',
    `http://example.com/${'x'.repeat(5_000)}`,
  ])('refuses %j as no web address', url => {
    expect(() => policy.checkUrl(url)).toThrow(expect.objectContaining({ code: 'bad_url' }));
  });

  it.each(['http://example.com:22/', 'http://example.com:6379/', 'https://example.com:25/', 'http://127.0.0.1:4001/'])(
    'refuses the port of %s',
    url => {
      expect(() => policy.checkUrl(url)).toThrow(expect.objectContaining({ code: 'forbidden_address' }));
    },
  );

  it.each(PRIVATE)('refuses to connect to %j', address => {
    expect(() => policy.checkAddress(address, new URL('http://example.com/'))).toThrow(
      expect.objectContaining({ code: 'forbidden_address' }),
    );
  });

  it.each(['93.184.215.14', '8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'])('allows a connection to %s', address => {
    expect(() => policy.checkAddress(address, new URL('http://example.com/'))).not.toThrow();
  });

  it('allows what the operator listed, on that port only', () => {
    expect(policy.checkUrl('http://127.0.0.1:4000/a#b').href).toBe('http://127.0.0.1:4000/a');
    expect(policy.checkUrl('http://2130706433:4000/').hostname).toBe('127.0.0.1');
    const wiki = policy.checkUrl('https://wiki.internal/page');
    expect(() => policy.checkAddress('10.0.0.7', wiki)).not.toThrow();
    expect(() => policy.checkAddress('10.0.0.7', new URL('http://wiki.internal/'))).toThrow();
    expect(() => policy.checkAddress('::1', new URL('http://[::1]:9000/'))).not.toThrow();
  });
});
