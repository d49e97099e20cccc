/** Describes how the connections of a gateway reach the database, and what they ask of it. */
import type { ClientConfig } from 'pg';
import { StoreOpenError } from '../../port/store/store_errors';

/** Milliseconds until a connection must stand, and after which the server cancels a statement. */
export const CONNECT_MS = 5_000;
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

/** `more`: further settings of the server for this connection. They and those above win over `options` in the address. */
export function connectionConfig(url: string, more: Record<string, string | number>): ClientConfig {
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
export function migrationConfig(url: string): ClientConfig {
  const endless = { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };
  return { ...connectionConfig(url, endless), query_timeout: 0 };
}

const SSL_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];

/** Throws StoreOpenError for a mode that does not exist: the client would connect without TLS. */
export function assertSslMode(url: string): void {
  const mode = new URL(url).searchParams.get('sslmode');
  if (mode === null || SSL_MODES.includes(mode)) return;
  throw new StoreOpenError(`DATABASE_URL: sslmode=${mode} does not exist; it is one of ${SSL_MODES.join(', ')}.`);
}

/** The address for messages: without user, password and options. */
export const publicAddress = (url: string): string => url.replace(/\/\/[^/]*@/, '//').replace(/\?.*$/s, '');
