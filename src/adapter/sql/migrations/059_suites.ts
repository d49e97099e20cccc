/** Creates the cases of suites. A case has a copy of its run, so it belongs to no session. */
import type { Kysely } from 'kysely';

export async function createSuites(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('suite_cases')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('suite', 'text', column => column.notNull())
    .addColumn('title', 'text', column => column.notNull())
    .addColumn('run_id', 'text', column => column.notNull())
    .addColumn('agent', 'text', column => column.notNull())
    .addColumn('checks', 'text', column => column.notNull())
    .addColumn('recorded', 'text', column => column.notNull())
    .addColumn('key_name', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('outcome', 'text')
    .addPrimaryKeyConstraint('suite_cases_key', ['tenant_id', 'id'])
    .execute();
  await db.schema.createIndex('suite_cases_by_age').on('suite_cases').columns(['tenant_id', 'created_at', 'id']).execute();
}
