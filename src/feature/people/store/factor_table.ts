/** Queries about authenticator apps, recovery codes and passkeys. */
import { type Kysely, sql } from 'kysely';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { deleteBy, insertInto, selectBy } from '../../../adapter/sql/base/table_statements';
import type { FactorRecord } from './factor_records';

const FACTORS = defineTable<FactorRecord>()('person_factors', {
  tenant_id: 'text',
  id: 'text',
  person_id: 'text',
  kind: 'text',
  name: 'text',
  credential: 'text',
  secret: 'text',
  state: 'text',
  counter: 'number',
  failures: 'number',
  created_at: 'number',
  last_used_at: 'number?',
});

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    person_factors: RowOf<typeof FACTORS>;
  }
}

export class FactorTable extends sqlTable(statements) {
  list(tenantId: string) {
    return this.records(this.statements.list({ tenant_id: tenantId }), FACTORS.toRecord);
  }

  listOfPerson(tenantId: string, personId: string) {
    return this.records(this.statements.listOfPerson({ tenant_id: tenantId, person_id: personId }), FACTORS.toRecord);
  }

  findByCredential(credential: string) {
    return this.record(this.statements.findByCredential({ credential }), FACTORS.toRecord);
  }

  async insert(factor: FactorRecord): Promise<void> {
    await this.statements.insert(this.runner, [factor]);
  }

  activate(tenantId: string, id: string) {
    return this.execute(this.statements.activate({ tenant_id: tenantId, id }));
  }

  use(tenantId: string, id: string, { counter, at }: { counter: number; at: number }) {
    const key = { tenant_id: tenantId, id, last_used_at: at };
    return this.hasChanged(counter === 0 ? this.statements.useUncounted(key) : this.statements.use({ ...key, counter }));
  }

  useWithoutCounter(tenantId: string, id: string, at: number) {
    return this.execute(this.statements.useWithoutCounter({ tenant_id: tenantId, id, last_used_at: at }));
  }

  addTry(tenantId: string, id: string, limit: number) {
    return this.hasChanged(this.statements.addTry({ tenant_id: tenantId, id, limit }));
  }

  delete(tenantId: string, personId: string, id: string) {
    return this.hasChanged(this.statements.delete({ tenant_id: tenantId, person_id: personId, id }));
  }

  deleteOfPerson(tenantId: string, personId: string) {
    return this.execute(this.statements.deleteOfPerson({ tenant_id: tenantId, person_id: personId }));
  }
}

type Key = Pick<RowOf<typeof FACTORS>, 'tenant_id' | 'id'>;

function statements(db: Kysely<Schema>) {
  const one = (key: Key) => db.updateTable('person_factors').where('tenant_id', '=', key.tenant_id).where('id', '=', key.id);
  return {
    list: selectBy(db, FACTORS, 'tenant_id'),
    listOfPerson: template((key: { tenant_id: string; person_id: string }) =>
      db
        .selectFrom('person_factors')
        .select(FACTORS.columns)
        .where('tenant_id', '=', key.tenant_id)
        .where('person_id', '=', key.person_id)
        .orderBy('created_at')
        .orderBy('id'),
    ),
    findByCredential: selectBy(db, FACTORS, 'credential'),
    insert: insertInto(db, FACTORS),
    activate: template((key: Key) => one(key).set({ state: 'active' })),
    use: template((used: Key & { counter: number; last_used_at: number }) =>
      one(used).where('counter', '<', used.counter).set({ counter: used.counter, failures: 0, last_used_at: used.last_used_at }),
    ),
    useUncounted: template((used: Key & { last_used_at: number }) =>
      one(used).where('counter', '=', 0).set({ failures: 0, last_used_at: used.last_used_at }),
    ),
    useWithoutCounter: template((used: Key & { last_used_at: number }) => one(used).set({ failures: 0, last_used_at: used.last_used_at })),
    addTry: template((tried: Key & { limit: number }) =>
      one(tried).where('failures', '<', tried.limit).set({ failures: sql<number>`failures + 1` }),
    ),
    delete: deleteBy(db, FACTORS, 'tenant_id', 'person_id', 'id'),
    deleteOfPerson: deleteBy(db, FACTORS, 'tenant_id', 'person_id'),
  };
}
