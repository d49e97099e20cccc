/** The owner that people add to the store, and its tables. */
import type { Kysely } from 'kysely';
import type { StorePart } from '../../../adapter/sql/store_part';
import { FactorTable } from './factor_table';
import { IdentityTable } from './identity_table';
import { PeopleTable } from './people_table';
import { createScim } from './scim_migration';
import { ScimTable } from './scim_table';
import { createSignIns, SignInTable } from './sign_in_table';

export const peopleStore: StorePart = {
  owners: {
    people: db => new PeopleTable(db),
    personIdentities: db => new IdentityTable(db),
    personFactors: db => new FactorTable(db),
    scim: db => new ScimTable(db),
    signIns: db => new SignInTable(db),
  },
  migrations: {
    people_081_people: { up: createPeople },
    people_087_identities: { up: createIdentities },
    people_088_factors: { up: createFactors },
    people_089_sign_ins: { up: createSignIns },
    people_101_scim: { up: createScim },
    people_111_groups: { up: addGroupNames },
  },
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

async function createIdentities(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('people')
    .addColumn('made_by', 'text', column => column.notNull().defaultTo('invitation'))
    .execute();
  await db.schema
    .createTable('person_identities')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('issuer', 'text', column => column.notNull())
    .addColumn('subject', 'text', column => column.notNull())
    .addColumn('person_id', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('person_identities_key', ['tenant_id', 'issuer', 'subject'])
    .execute();
  await db.schema.createIndex('person_identities_by_person').on('person_identities').columns(['tenant_id', 'person_id']).execute();
  await db.schema
    .createTable('provider_sessions')
    .addColumn('token_hash', 'text', column => column.primaryKey())
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('provider', 'text', column => column.notNull())
    .addColumn('issuer', 'text', column => column.notNull())
    .addColumn('subject', 'text', column => column.notNull())
    .addColumn('session_id', 'text')
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .execute();
  await db.schema.createIndex('provider_sessions_by_subject').on('provider_sessions').columns(['issuer', 'subject']).execute();
  await db.schema.createIndex('provider_sessions_by_session').on('provider_sessions').columns(['issuer', 'session_id']).execute();
  await db.schema
    .createTable('spent_tokens')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .execute();
}

async function addGroupNames(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('person_identities').addColumn('group_names', 'text').execute();
}

async function createFactors(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('person_factors')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('person_id', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('credential', 'text', column => column.notNull().unique())
    .addColumn('secret', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('counter', 'bigint', column => column.notNull())
    .addColumn('failures', 'bigint', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .addPrimaryKeyConstraint('person_factors_key', ['tenant_id', 'id'])
    .execute();
  await db.schema.createIndex('person_factors_by_person').on('person_factors').columns(['tenant_id', 'person_id']).execute();
}
