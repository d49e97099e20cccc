/** Creates API keys and logins, and records which key a run counts for and which key made a job. */
import type { Kysely } from 'kysely';

export async function createApiKeys(db: Kysely<unknown>): Promise<void> {
  for (const table of ['runs', 'jobs']) await db.schema.alterTable(table).addColumn('key_name', 'text').execute();
  await db.schema
    .createTable('api_keys')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull().primaryKey())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('secret_hash', 'text', column => column.notNull().unique())
    .addColumn('scopes', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .addColumn('request_key', 'text', column => column.unique())
    .addColumn('request_fingerprint', 'text')
    .execute();
  await db.schema
    .createTable('logins')
    .addColumn('token_hash', 'text', column => column.notNull().primaryKey())
    .addColumn('key_hash', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .execute();
  await db.schema.createIndex('logins_by_key').on('logins').columns(['key_hash']).execute();
  await db.schema.createIndex('logins_by_expiry').on('logins').columns(['expires_at']).execute();
}
