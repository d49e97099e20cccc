/** Creates the prompt library of each tenant. */
import type { Kysely } from 'kysely';

export async function createPrompts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('prompts')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('text', 'text', column => column.notNull())
    .addColumn('variables', 'text', column => column.notNull())
    .addColumn('key_name', 'text')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('updated_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('prompts_key', ['tenant_id', 'id'])
    .addUniqueConstraint('prompts_name', ['tenant_id', 'name'])
    .execute();
  await db.schema.createIndex('prompts_by_time').on('prompts').columns(['tenant_id', 'updated_at', 'id']).execute();
}
