/** The tables of SCIM: names of people in a directory, its groups, and who is in them. */
import type { Kysely } from 'kysely';

export async function createScim(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('scim_names')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('person_id', 'text', column => column.notNull())
    .addColumn('user_name', 'text', column => column.notNull())
    .addColumn('external_id', 'text')
    .addPrimaryKeyConstraint('scim_names_key', ['tenant_id', 'person_id'])
    .execute();
  await db.schema
    .createTable('scim_groups')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('external_id', 'text')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('updated_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('scim_groups_key', ['tenant_id', 'id'])
    .execute();
  await db.schema
    .createTable('scim_members')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('group_id', 'text', column => column.notNull())
    .addColumn('person_id', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('scim_members_key', ['tenant_id', 'group_id', 'person_id'])
    .execute();
}
