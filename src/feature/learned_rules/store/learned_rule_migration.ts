/** Creates what admins decided about proposed rules. */
import type { Kysely } from 'kysely';

export async function createLearnedRules(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('learned_rules')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('rule', 'text')
    .addColumn('based_on', 'bigint', column => column.notNull())
    .addColumn('decided_by', 'text', column => column.notNull())
    .addColumn('decided_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('learned_rules_key', ['tenant_id', 'id'])
    .execute();
}
