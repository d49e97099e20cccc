/** Decides which addresses may be reached: public ones, and those that the operator allows. */
import ipaddr from 'ipaddr.js';
import { WebError } from '../../port/web';
import type { Bilingual } from '../../utils/bilingual';

export interface AddressPolicy {
  /** Returns true for an address whose host and port the operator allows by name. */
  isNamed(url: URL): boolean;
  /** Returns the address in its normal form. Throws WebError for an address that is refused whatever its name resolves to. */
  checkUrl(text: string, base?: URL): URL;
  /** Throws WebError unless the gateway may connect to this resolved address for that page. */
  checkAddress(address: string, url: URL): void;
}

/** Ports of web servers. A service on another port might take a request for a command. */
const WEB_PORTS = [80, 443, 8000, 8080, 8443];
const MAX_URL_LENGTH = 4_096;

/** `allow`: host:port entries that may be reached although they are private or on another port. */
export function createAddressPolicy(allow: readonly string[]): AddressPolicy {
  const allowed = new Set(allow.map(normalHostAndPort));
  const isAllowed = (url: URL) => allowed.has(`${url.hostname}:${portOf(url)}`);
  return {
    isNamed: isAllowed,
    checkUrl(text, base) {
      const url = parseUrl(text, base);
      if (isAllowed(url)) return url;
      const port = portOf(url);
      if (!WEB_PORTS.includes(port)) {
        throw new WebError(
          'forbidden_address',
          `Port ${port} is not allowed; web pages are fetched from ports ${WEB_PORTS.join(', ')}.`,
          `不允许使用端口 ${port}；只能从端口 ${WEB_PORTS.join('、')} 获取网页。`,
        );
      }
      // Checked here, because a literal IP address needs no lookup.
      const host = withoutBrackets(url.hostname);
      if (ipaddr.isValid(host)) assertPublic(host);
      return url;
    },
    checkAddress(address, url) {
      if (!isAllowed(url)) assertPublic(address);
    },
  };
}

/** Normalises host:port as URLs do; throws TypeError when it is malformed. */
function normalHostAndPort(entry: string): string {
  const [, host = '', port = ''] = /^(\[[^\]/?#@]+\]|[^:/?#@\s]+):(\d{1,5})$/.exec(entry.trim()) ?? [];
  const { hostname } = new URL(`http://${host}`);
  if (Number(port) < 1 || Number(port) > 65_535) throw new TypeError(`${port} is not a port.`);
  return `${hostname}:${Number(port)}`;
}

/** Returns the port of a URL, also when the URL names none. */
export const portOf = (url: URL): number => (url.port ? Number(url.port) : url.protocol === 'https:' ? 443 : 80);

const NO_ADDRESS: Bilingual = {
  en: 'That is not a complete web address: give one such as https://example.com/page.',
  'zh-CN': '这不是完整的网址，应形如 https://example.com/page。',
};

/** The URL parser normalises decimal, octal, hexadecimal and full-width forms of an IPv4 address. */
function parseUrl(text: string, base?: URL): URL {
  const url = text.length <= MAX_URL_LENGTH && URL.canParse(text, base?.href) ? new URL(text, base?.href) : undefined;
  if (!url) throw new WebError('bad_url', NO_ADDRESS.en, NO_ADDRESS['zh-CN']);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const protocol = url.protocol.slice(0, 20);
    throw new WebError(
      'bad_url',
      `Only http and https addresses can be fetched, not ${protocol}`,
      `只能获取 http 和 https 网址，不能获取 ${protocol} 网址。`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new WebError('bad_url', 'An address with a user name or password in it is not fetched.', '不获取含有用户名或密码的网址。');
  }
  url.hash = '';
  return url;
}

function assertPublic(address: string): void {
  if (isPublic(address)) return;
  throw new WebError(
    'forbidden_address',
    'The address is not public: private, local and special networks cannot be reached from here.',
    '该地址不是公开地址：这里不能访问私有、本地和特殊网络。',
  );
}

function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // Check an IPv4 address inside an IPv6 one as IPv4.
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // Public IPv6 addresses begin with the bits 001. Others are special, or embed IPv4 in ways that differ by network.
  return parsed.kind() === 'ipv4' || ((parsed.toByteArray()[0] ?? 0) & 0xe0) === 0x20;
}

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');
