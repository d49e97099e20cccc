/** Reads the address of a database that several servers may serve: `postgres://user:password@a:5432,b:5433/neta?target_session_attrs=read-write`. */
import { StoreOpenError } from '../../port/store/store_errors';

/** The role that the server of a connection must have; the meaning is that of libpq. */
export const SESSION_ATTRIBUTES = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
export type SessionAttributes = (typeof SESSION_ATTRIBUTES)[number];

const SSL_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
const DEFAULT_PORT = 5432;
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]+)(.*)$/s;

export interface ServerHost {
  /** A name, an IP address without brackets, or the directory of a socket. */
  host: string;
  port: number;
}

export interface DatabaseAddress {
  /** In the order in which they are tried. */
  hosts: readonly ServerHost[];
  attributes: SessionAttributes;
  /** The address of the first server, without `target_session_attrs`. */
  url: string;
}

/** Without `target_session_attrs`, the first of several servers that fits `usual` is taken. Throws StoreOpenError, which names the wrong part. */
export function readDatabaseAddress(address: string, setting: string, usual: SessionAttributes): DatabaseAddress {
  const [, start = '', list = '', rest = ''] = ADDRESS.exec(address) ?? [];
  // A question mark or hash in a password cuts the address there: an error must not quote the password as a host.
  if (!start.endsWith('@') && /^[?#][^&=]*@/.test(rest))
    throw new StoreOpenError(`${setting}: percent-encode special characters of the user and the password.`);
  const texts = list.split(',');
  const hosts = texts.map(text => readHost(text, setting));
  const url = `${start}${texts[0]}${rest}`;
  if (!URL.canParse(url)) throw new StoreOpenError(`${setting} is not an address of Postgres.`);
  const { searchParams } = new URL(url);
  assertOneOf(setting, 'sslmode', searchParams.get('sslmode'), SSL_MODES);
  const given = searchParams.get('target_session_attrs');
  assertOneOf(setting, 'target_session_attrs', given, SESSION_ATTRIBUTES);
  const attributes = (given as SessionAttributes | null) ?? (hosts.length > 1 ? usual : 'any');
  return { hosts, attributes, url: withoutParameter(url, 'target_session_attrs') };
}

function readHost(text: string, setting: string): ServerHost {
  const [, host = '', port] = /^(\[[^\]]+\]|[^:[\]]*)(?::(.*))?$/s.exec(text) ?? [];
  if (host === '') throw new StoreOpenError(`${setting}: "${text}" names no host; write host:port, and [address]:port for IPv6.`);
  const number = port === undefined || port === '' ? DEFAULT_PORT : Number(port);
  if (!/^\d*$/.test(port ?? '') || number < 1 || number > 65_535)
    throw new StoreOpenError(`${setting}: the port of "${text}" is not a number from 1 to 65535.`);
  if (!URL.canParse(`postgres://${host}:${number}/`))
    throw new StoreOpenError(`${setting}: the host of "${text}" is not a name or an address.`);
  return { host: decodeURIComponent(host.replace(/^\[(.*)\]$/, '$1')), port: number };
}

function assertOneOf(setting: string, name: string, value: string | null, values: readonly string[]): void {
  if (value === null || values.includes(value)) return;
  throw new StoreOpenError(`${setting}: ${name}=${value} does not exist; it is one of ${values.join(', ')}.`);
}

/** Leaves the other parameters as they were written. */
const withoutParameter = (url: string, name: string): string => {
  const [start = '', ...query] = url.split('?');
  const kept = query
    .join('?')
    .split('&')
    .filter(part => part !== '' && part.split('=')[0] !== name);
  return kept.length === 0 ? start : `${start}?${kept.join('&')}`;
};

/** Writes hosts for messages. */
export const hostText = ({ host, port }: ServerHost): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;
