/** Describes how the connections of a gateway reach the database, and what they ask of it. */
import type { ClientConfig } from 'pg';
import { StoreOpenError } from '../../port/store/store_errors';
import { type DatabaseAddress, readDatabaseAddress, type SessionAttributes } from './database_address';
import { CONNECT_MS, type ServerConfig, Servers } from './server_client';

/** Milliseconds that a work of a burst may wait for a connection of a pool, which would otherwise count as a server that does not answer. */
export const POOL_WAIT_MS = 20_000;
/** Milliseconds after which the server cancels a statement. */
const STATEMENT_MS = 10_000;
/** Longer than the server's timeout: it ends the wait for a server that has disappeared without closing the connection. */
const ANSWER_MS = 15_000;

/** Settings of the server for each connection. Acknowledged means durable, whatever the server's own setting. */
export const SESSION = {
  synchronous_commit: 'on',
  statement_timeout: STATEMENT_MS,
  // Compiling, or workers, cost more than the short statements of the gateway. Before Postgres 17 no worker may run `neta_json`.
  jit: 'off',
  max_parallel_workers_per_gather: 0,
  bytea_output: 'hex',
};

/** A gateway writes, so of several servers it wants one that accepts writes. */
const USUAL = 'read-write';
/** Servers that a gateway cannot use, because it writes. */
const WITHOUT_WRITES: readonly SessionAttributes[] = ['read-only', 'standby', 'prefer-standby'];

/** Servers that are no replica. */
const WITHOUT_REPLICA: readonly SessionAttributes[] = ['read-write', 'primary'];

/** Throws StoreOpenError, which names the part of DATABASE_URL that is wrong. */
export function assertDatabaseUrl(url: string): void {
  const { attributes } = readDatabaseAddress(url, 'DATABASE_URL', USUAL);
  if (!WITHOUT_WRITES.includes(attributes)) return;
  throw new StoreOpenError(`DATABASE_URL: target_session_attrs=${attributes} leads to a server without writes; use read-write or primary.`);
}

/** Throws StoreOpenError, which names the part of DATABASE_READ_URL that is wrong. */
export function assertReplicaUrl(url: string): void {
  const { attributes } = readReplicaAddress(url);
  if (!WITHOUT_REPLICA.includes(attributes)) return;
  throw new StoreOpenError(`DATABASE_READ_URL: target_session_attrs=${attributes} leads to the primary; use standby.`);
}

/** `more`: further settings of the server for this connection. They and those above win over `options` in the address. */
export const connectionConfig = (url: string, more: Record<string, string | number>): ServerConfig =>
  serverConfig(readDatabaseAddress(url, 'DATABASE_URL', USUAL), more);

/** As `connectionConfig`, for the server that answers lists. */
export const replicaConfig = (url: string, more: Record<string, string | number>): ServerConfig =>
  serverConfig(readReplicaAddress(url), more);

const readReplicaAddress = (url: string): DatabaseAddress => readDatabaseAddress(url, 'DATABASE_READ_URL', 'standby');

function serverConfig(address: DatabaseAddress, more: Record<string, string | number>): ServerConfig {
  const servers = new Servers(address, clientConfig(address.url, {}));
  return { ...clientConfig(address.url, more), servers };
}

function clientConfig(url: string, more: Record<string, string | number>): ClientConfig {
  const address = new URL(url);
  const given = address.searchParams.get('options') ?? '';
  // An address with options of its own would replace ours.
  if (given !== '') address.searchParams.delete('options');
  const options = Object.entries({ ...SESSION, ...more }).map(([name, value]) => `-c ${name}=${value}`);
  return {
    connectionString: given === '' ? url : address.href,
    application_name: 'neta-gateway',
    options: [given, ...options].join(' ').trim(),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
  };
}

/** Returns the settings of the connection that migrates. A migration may take minutes, or wait for another gateway that migrates. */
export function migrationConfig(url: string): ServerConfig {
  const endless = { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };
  return { ...connectionConfig(url, endless), query_timeout: 0 };
}

/** The address for messages: without user, password and options. */
export const publicAddress = (url: string): string => url.replace(/\/\/[^/]*@/, '//').replace(/\?.*$/s, '');
