/** Describes how the connections of a gateway reach the database, and what they ask of it. */
import type { ClientConfig } from 'pg';

/** Milliseconds until a connection must stand, and after which the server cancels a statement. */
const CONNECT_MS = 5_000;
const STATEMENT_MS = 10_000;
/** Longer than the server's timeout: it ends the wait for a server that has gone away without a word. */
const ANSWER_MS = 15_000;

/** Settings of the server for each connection. Acknowledged means durable, whatever the server's own setting. */
const SESSION = {
  synchronous_commit: 'on',
  statement_timeout: STATEMENT_MS,
  // Compiling costs more than the short statements of the gateway.
  jit: 'off',
};

/** `more`: further settings of the server for this connection. */
export function connectionConfig(url: string, more: Record<string, string | number>): ClientConfig {
  const options = Object.entries({ ...SESSION, ...more }).map(([name, value]) => `-c ${name}=${value}`);
  return {
    connectionString: url,
    application_name: 'neta-gateway',
    options: options.join(' '),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
  };
}

/** The address for messages: without user, password and options. */
export const publicAddress = (url: string): string => url.replace(/\/\/[^/]*@/, '//').replace(/\?.*$/s, '');
