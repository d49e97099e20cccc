/** Queries about sign-ins of people. */
import type { Kysely } from 'kysely';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { deleteBy, insertInto } from '../../../adapter/sql/base/table_statements';
import type { SignInRecord } from './sign_in_records';

const SIGN_INS = defineTable<SignInRecord>()('person_sign_ins', {
  tenant_id: 'text',
  id: 'text',
  person_id: 'text',
  at: 'number',
  way: 'text',
  address: 'text',
  network: 'text',
  client: 'text',
  kind: 'text',
});

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    person_sign_ins: RowOf<typeof SIGN_INS>;
  }
}

export class SignInTable extends sqlTable(statements) {
  listOfPerson(tenantId: string, personId: string) {
    return this.records(this.statements.listOfPerson({ tenant_id: tenantId, person_id: personId }), SIGN_INS.toRecord);
  }

  async insert(signIn: SignInRecord): Promise<void> {
    await this.statements.insert(this.runner, [signIn]);
  }

  delete(tenantId: string, id: string) {
    return this.execute(this.statements.delete({ tenant_id: tenantId, id }));
  }

  deleteOfPerson(tenantId: string, personId: string) {
    return this.execute(this.statements.deleteOfPerson({ tenant_id: tenantId, person_id: personId }));
  }
}

export async function createSignIns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('person_sign_ins')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('person_id', 'text', column => column.notNull())
    .addColumn('at', 'bigint', column => column.notNull())
    .addColumn('way', 'text', column => column.notNull())
    .addColumn('address', 'text', column => column.notNull())
    .addColumn('network', 'text', column => column.notNull())
    .addColumn('client', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('person_sign_ins_key', ['tenant_id', 'id'])
    .execute();
  await db.schema.createIndex('person_sign_ins_by_person').on('person_sign_ins').columns(['tenant_id', 'person_id', 'at']).execute();
}

function statements(db: Kysely<Schema>) {
  return {
    listOfPerson: template((key: { tenant_id: string; person_id: string }) =>
      db
        .selectFrom('person_sign_ins')
        .select(SIGN_INS.columns)
        .where('tenant_id', '=', key.tenant_id)
        .where('person_id', '=', key.person_id)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc'),
    ),
    insert: insertInto(db, SIGN_INS),
    delete: deleteBy(db, SIGN_INS, 'tenant_id', 'id'),
    deleteOfPerson: deleteBy(db, SIGN_INS, 'tenant_id', 'person_id'),
  };
}
