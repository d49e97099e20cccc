/**
 * Decides which proxy a request to another server goes through. HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY decide; no other file reads
 * these variables.
 */
import ipaddr from 'ipaddr.js';

export interface HttpProxy {
  /** The address of the proxy, with the user and the password. */
  href: string;
  url: URL;
  /** The address without the user and the password, for logs and errors. */
  name: string;
  /** The variable that names the proxy. */
  variable: string;
  /** The value of the header `proxy-authorization`. */
  authorization?: string;
}

export interface ProxyReport {
  /** One for each proxy in use. */
  proxies: HttpProxy[];
  /** Names that are reached directly, as NO_PROXY has them. */
  direct: string;
  /** One sentence about each variable that cannot be used. */
  problems: string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The first of these that is set names the proxy, each in lower case before upper case. */
const VARIABLES = { 'http:': ['http_proxy', 'all_proxy'], 'https:': ['https_proxy', 'http_proxy', 'all_proxy'] } as const;

/** Returns undefined when the request goes to the server directly. Servers on this machine are always reached directly. */
export function proxyFor(url: URL, env: Environment = process.env): HttpProxy | undefined {
  if (isLoopback(url.hostname) || isExcluded(url, variableOf('no_proxy', env)?.value ?? '')) return undefined;
  return chosenFor(url.protocol === 'https:' ? 'https:' : 'http:', env).proxy;
}

/** Describes the variables, for the log of the start. */
export function describeProxies(env: Environment = process.env): ProxyReport {
  const chosen = [chosenFor('http:', env), chosenFor('https:', env)];
  const byHref = new Map(chosen.flatMap(({ proxy }) => (proxy ? [[proxy.href, proxy] as const] : [])));
  const problems = new Set(chosen.flatMap(({ problem }) => problem ?? []));
  return { proxies: [...byHref.values()], direct: variableOf('no_proxy', env)?.value ?? '', problems: [...problems] };
}

function chosenFor(protocol: keyof typeof VARIABLES, env: Environment): { proxy?: HttpProxy; problem?: string } {
  for (const name of VARIABLES[protocol]) {
    const found = variableOf(name, env);
    if (!found) continue;
    const proxy = found.value === '' ? undefined : toProxy(found);
    if (proxy) return { proxy };
    return found.value === '' ? {} : { problem: problemOf(found) };
  }
  return {};
}

interface Variable {
  name: string;
  value: string;
}

/** An empty variable counts too: it says that there is no proxy. */
function variableOf(name: string, env: Environment): Variable | undefined {
  for (const written of [name, name.toUpperCase()]) {
    const value = env[written];
    if (value !== undefined) return { name: written, value: value.trim() };
  }
  return undefined;
}

/** `proxy.example:3128` means `http://proxy.example:3128`. Returns undefined for what is no address of an HTTP proxy. */
function toProxy({ name: variable, value }: Variable): HttpProxy | undefined {
  const text = value.includes('://') ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') return undefined;
  const name = `${url.protocol}//${url.host}`;
  return { href: url.href, url, name, variable, authorization: authorizationOf(url) };
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  return `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}`;
}

/** A password may have a percent sign that begins no escape. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Hides the text before an @, because it may be a password. */
const problemOf = ({ name, value }: Variable): string =>
  `${name} is not used: expected the address of an HTTP proxy, such as http://proxy.example:3128, got ${value.replace(/^(.*:\/\/)?.*@/s, '$1***@')}.`;

const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

/** A proxy on another machine would take these names for itself. */
const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])\.?$/i.test(hostname);

/**
 * Returns true when NO_PROXY excludes the URL. Entries are separated by commas or blanks: a name (with all names below it), an address or a range of
 * addresses, each with or without a port; * excludes all.
 */
function isExcluded(url: URL, noProxy: string): boolean {
  const host = withoutBrackets(url.hostname).toLowerCase().replace(/\.$/, '');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return noProxy
    .toLowerCase()
    .split(/[,\s]+/)
    .some(entry => entry !== '' && matches(entry, host, port));
}

function matches(entry: string, host: string, port: number): boolean {
  if (entry === '*') return true;
  const [, name = '', onlyPort] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? ['', entry];
  if (onlyPort !== undefined && Number(onlyPort) !== port) return false;
  const wanted = withoutBrackets(name)
    .replace(/^\*?\./, '')
    .replace(/\.$/, '');
  if (ipaddr.isValid(host)) return isInRange(ipaddr.process(host), wanted);
  return wanted !== '' && (host === wanted || host.endsWith(`.${wanted}`));
}

function isInRange(address: ipaddr.IPv4 | ipaddr.IPv6, wanted: string): boolean {
  if (ipaddr.isValid(wanted)) return ipaddr.process(wanted).toString() === address.toString();
  if (!ipaddr.isValidCIDR(wanted)) return false;
  const [range, bits] = ipaddr.parseCIDR(wanted);
  return range.kind() === address.kind() && address.match([range, bits] as [typeof range & typeof address, number]);
}
