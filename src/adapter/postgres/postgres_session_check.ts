/** Checks that a pooler between the gateway and the server keeps the settings that the gateway makes on a connection. */
import type { Client } from 'pg';
import { StoreOpenError } from '../../port/store/store_errors';
import { connectionConfig, SESSION } from './postgres_address';
import { ServerClient } from './server_client';

const ADVICE = 'connect directly to Postgres, or through a pooler in session mode that passes the startup parameter options on.';

/** Rejects with StoreOpenError for a pooler that shares connections among transactions, or drops settings. `first`: an idle connection. */
export async function checkSession(first: Client, url: string): Promise<void> {
  const second = new ServerClient(connectionConfig(url, {}));
  try {
    await second.connect();
    await assertOwnConnection(first, second);
    await assertSettings(second);
  } finally {
    await second.end().catch(() => {});
  }
}

/** While the second connection holds a transaction, a pooler that shares connections gives the first connection another process of the server. */
async function assertOwnConnection(first: Client, second: Client): Promise<void> {
  const before = await processOf(first);
  await begin(second);
  await processOf(second);
  const after = await processOf(first);
  await second.query('rollback');
  if (before !== after) throw sharedConnections('transaction');
}

/** A pooler in statement mode refuses each transaction: PgBouncer with 08P01 and "transaction blocks not allowed in statement pooling mode". */
async function begin(client: Client): Promise<void> {
  try {
    await client.query('begin');
  } catch (thrown) {
    if (thrown instanceof Error && /\bstatement\b.{0,20}\bmode\b|transaction.{0,20}\bnot (?:allowed|supported)/i.test(thrown.message))
      throw sharedConnections('statement', thrown);
    throw thrown;
  }
}

const sharedConnections = (mode: 'transaction' | 'statement', cause?: Error): StoreOpenError =>
  new StoreOpenError(`DATABASE_URL leads to a pooler in ${mode} mode, which breaks prepared statements and locks: ${ADVICE}`, { cause });

async function processOf(client: Client): Promise<number | undefined> {
  return (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
}

/** Checks the settings of the server. Without synchronous_commit, an accepted run could be lost in a crash of the server. */
async function assertSettings(client: Client): Promise<void> {
  const asked: Readonly<Record<string, string | number>> = SESSION;
  const { rows } = await client.query<{ name: string; setting: string }>('select name, setting from pg_settings where name = any($1)', [
    Object.keys(asked),
  ]);
  const ignored = rows.find(({ name, setting }) => setting !== String(asked[name]));
  if (ignored === undefined) return;
  const { name, setting } = ignored;
  throw new StoreOpenError(`DATABASE_URL: a pooler ignores what the gateway asks (${name}=${asked[name]}, got ${setting}): ${ADVICE}`);
}
