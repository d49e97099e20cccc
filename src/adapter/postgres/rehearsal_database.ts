/** Creates a database of its own on the server of a gateway, and drops it: for the rehearsal of an update. */
import { randomBytes } from 'node:crypto';
import { migrationConfig } from './postgres_address';
import { describePostgresError } from './postgres_errors';
import { ServerClient } from './server_client';

/** A database for one rehearsal. */
export interface RehearsalDatabase {
  url: string;
  /** Ends its connections, too. */
  drop(): Promise<void>;
}

const PREFIX = 'neta_rehearsal_';
/** A database of this age belongs to an update that was killed. */
const LEFT_OVER_MS = 24 * 3_600_000;
/** Path of an address with one or several hosts. */
const DATABASE = /^(postgres(?:ql)?:\/\/[^/?#]+)(?:\/[^?#]*)?/;

/** Creates an empty database with the locale of the one at `url`. Resolves with the reason when the server refuses it. Drops left-over ones. */
export async function createRehearsalDatabase(url: string, now: number): Promise<RehearsalDatabase | { refused: string }> {
  const name = `${PREFIX}${now.toString(36)}_${randomBytes(4).toString('hex')}`;
  const database = { url: url.replace(DATABASE, `$1/${name}`), drop: () => onServer(url, client => drop(client, name)) };
  try {
    await onServer(url, async client => {
      await dropLeftOvers(client, now);
      const { rows } = await client.query<{ statement: string }>(CREATE, [name]);
      for (const { statement } of rows) await client.query(statement);
    });
    // A pooler may know no other databases.
    await onServer(database.url, client => client.query('select 1')).catch(async (thrown: unknown) => {
      await database.drop();
      throw thrown;
    });
    return database;
  } catch (thrown) {
    return { refused: describePostgresError(thrown) };
  }
}

/** Writes the statement that creates a database with the locale of this one. */
const CREATE = `
  select format('create database %I template template0 encoding ''UTF8'' lc_collate %L lc_ctype %L', $1::text, datcollate, datctype) as statement
  from pg_database where datname = current_database()`;

async function drop(client: ServerClient, name: string): Promise<void> {
  await client.query(`drop database if exists "${name}" with (force)`);
}

/** Drops only databases of this user; others cannot be dropped. */
async function dropLeftOvers(client: ServerClient, now: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database where datname like '${PREFIX.replaceAll('_', '\\_')}%' and pg_get_userbyid(datdba) = current_user`,
  );
  for (const { name } of rows) {
    const madeAt = Number.parseInt(name.slice(PREFIX.length), 36);
    if (now - madeAt > LEFT_OVER_MS) await drop(client, name);
  }
}

async function onServer<T>(url: string, use: (client: ServerClient) => Promise<T>): Promise<T> {
  const client = new ServerClient(migrationConfig(url));
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}
