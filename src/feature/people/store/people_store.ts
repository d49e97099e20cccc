/** The owner that people add to the store, and its tables. */
import type { Kysely } from 'kysely';
import type { StorePart } from '../../../adapter/sql/store_part';
import { PeopleTable } from './people_table';

export const peopleStore: StorePart = {
  owners: { people: db => new PeopleTable(db) },
  migrations: { people_081_people: { up: createPeople } },
};

async function createPeople(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('people')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('handle', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('email', 'text', column => column.notNull().unique())
    .addColumn('role', 'text', column => column.notNull())
    .addColumn('locale', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('subject', 'text', column => column.notNull().unique())
    .addColumn('password_hash', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('updated_at', 'bigint', column => column.notNull())
    .addColumn('last_login_at', 'bigint')
    .addPrimaryKeyConstraint('people_key', ['tenant_id', 'id'])
    .addUniqueConstraint('people_handle', ['tenant_id', 'handle'])
    .execute();
  await db.schema
    .createTable('invitations')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('token_hash', 'text', column => column.notNull().unique())
    .addColumn('role', 'text', column => column.notNull())
    .addColumn('email', 'text')
    .addColumn('person_id', 'text')
    .addColumn('key_name', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('invitations_key', ['tenant_id', 'id'])
    .execute();
}
