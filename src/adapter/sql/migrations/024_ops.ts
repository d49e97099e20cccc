/** Creates the switches of operators and the figures of the gateways on one store, and finds the open questions among all questions. */
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../base/dialect';

export async function createOps(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) await createJsonFunction(db);
  await db.schema
    .createTable('ops_switches')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('changed_by', 'text', column => column.notNull())
    .addColumn('changed_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('ops_switches_key', ['tenant_id', 'name'])
    .execute();
  await db.schema
    .createTable('ops_nodes')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('seen_at', 'bigint', column => column.notNull())
    .addColumn('wanted_until', 'bigint', column => column.notNull())
    .addColumn('figures', 'text', column => column.notNull())
    .execute();
  await db.schema
    .createIndex('clarifications_pending')
    .on('clarifications')
    .columns(['tenant_id', 'created_at', 'id'])
    .where(sql<boolean>`status = 'pending'`)
    .execute();
}

/** JSON of a model can hold escapes of characters that Postgres cannot store, such as U+0000. */
async function createJsonFunction(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function neta_json(content text) returns jsonb language plpgsql immutable strict parallel safe as $body$
    begin
      return cast(content as jsonb);
    exception when others then
      return null;
    end $body$
  `.execute(db);
}
