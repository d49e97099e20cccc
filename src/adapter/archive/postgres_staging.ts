/** Loads a Postgres database in a schema of its own, and moves its tables into the schema of the gateway in one transaction. */
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely } from 'kysely';
import type { Client } from 'pg';
import { publicAddress } from '../postgres/postgres_address';
import { createPostgresDialect } from '../postgres/postgres_dialect';
import { toQueryConfig } from '../postgres/postgres_values';
import { MIGRATION_LOCK } from '../postgres/transaction_locks';
import type { Runner } from '../sql/base/query_template';
import type { Schema } from '../sql/base/schema';
import { ArchiveError, type TableLayout } from './archive_form';
import { connectTo } from './postgres_snapshot';
import type { Staging } from './staged_store';

/** The schema of a load. */
export const BESIDE = 'neta_restoring';
/** Key of the lock of the command that loads: "load" in ASCII. */
const LOAD_LOCK = 0x6c6f6164;
const WAIT_MS = 30_000;
const LOOK_MS = 200;

/** Rejects with an ArchiveError when the database cannot be opened. */
export async function openPostgresStaging(url: string): Promise<Staging> {
  const client = await connectTo(url);
  await lockAlone(client, url).catch(async (thrown: unknown) => {
    await client.end().catch(() => {});
    throw thrown;
  });
  const { rows: places } = await client.query<{ place: string }>('select current_schema() as place');
  const place = places[0]?.place ?? 'public';
  // The session ends with the connection.
  await client.query(`create schema if not exists ${BESIDE}; set search_path = ${BESIDE}`);
  const runner: Runner = {
    rows: async query => (await client.query(toQueryConfig(query))).rows,
    changes: async query => (await client.query(toQueryConfig(query))).rowCount ?? 0,
    write: async query => void (await client.query(toQueryConfig(query))),
  };
  const transact = (work: () => Promise<void>) => inTransaction(client, work);
  return {
    db: new Kysely<Schema>({ dialect: createPostgresDialect(client) }),
    runner,
    transact,
    insert: (table, lines) => insertLines(client, table, lines),
    resetNumbers: () => resetNumbers(client),
    async clear() {
      await client.query(`drop schema if exists ${BESIDE} cascade; create schema ${BESIDE}`);
    },
    async takePlace() {
      await transact(() => moveTo(client, place));
      await client.end();
    },
    close: () => client.end(),
  };
}

/** Takes the lock of loads until the connection ends. Waits for the server to end the statement of a command that was killed. */
async function lockAlone(client: Client, url: string): Promise<void> {
  for (const end = Date.now() + WAIT_MS; ; await pause(LOOK_MS)) {
    const { rows } = await client.query<{ locked: boolean }>(`select pg_try_advisory_lock(${LOAD_LOCK}) as locked`);
    if (rows[0]?.locked) return;
    if (Date.now() > end) throw new ArchiveError(`Another command restores or moves data into ${publicAddress(url)}: wait for its end.`);
  }
}

async function inTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (thrown) {
    await client.query('rollback').catch(() => {});
    throw thrown;
  }
}

const POSTGRES_TYPES = { text: 'text', integer: 'bigint', number: 'double precision', bytes: 'text' } as const;

/** Sends the lines as one JSON list, which the server splits: one statement for thousands of rows. */
async function insertLines(client: Client, { name, columns }: TableLayout, lines: Buffer): Promise<void> {
  const names = columns.map(column => `"${column.name}"`).join(', ');
  const values = columns.map(column => (column.type === 'bytes' ? `decode("${column.name}", 'base64')` : `"${column.name}"`)).join(', ');
  const types = columns.map(column => `"${column.name}" ${POSTGRES_TYPES[column.type]}`).join(', ');
  // A line break inside a text is escaped.
  const list = `[${lines.toString().trimEnd().replaceAll('\n', ',')}]`;
  const statement = `insert into "${name}" (${names}) overriding system value select ${values} from json_to_recordset($1::json) as row (${types})`;
  await client.query(statement, [list]);
}

const NUMBERED = `
  select table_name as table, column_name as column from information_schema.columns
  where table_schema = '${BESIDE}' and (is_identity = 'YES' or column_default like 'nextval(%')`;

async function resetNumbers(client: Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(NUMBERED);
  for (const { table, column } of rows) {
    const sequence = `pg_get_serial_sequence('${BESIDE}."${table}"', '${column}')`;
    await client.query(`select setval(${sequence}, max("${column}")) from ${BESIDE}."${table}" having max("${column}") is not null`);
  }
}

const FUNCTIONS = `
  select proname as name, pg_get_function_identity_arguments(oid) as arguments from pg_proc where pronamespace = '${BESIDE}'::regnamespace`;

/** Replaces the tables and functions of the same names, which an empty gateway has, by those of the load. */
async function moveTo(client: Client, place: string): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  const tables = await client.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = '${BESIDE}'`);
  const functions = await client.query<{ name: string; arguments: string }>(FUNCTIONS);
  for (const { name } of tables.rows) await client.query(`drop table if exists "${place}"."${name}" cascade`);
  for (const { name, arguments: types } of functions.rows) {
    await client.query(`drop function if exists "${place}"."${name}"(${types}) cascade`);
    await client.query(`alter function ${BESIDE}."${name}"(${types}) set schema "${place}"`);
  }
  for (const { name } of tables.rows) await client.query(`alter table ${BESIDE}."${name}" set schema "${place}"`);
  await client.query(`drop schema ${BESIDE} cascade`);
}
