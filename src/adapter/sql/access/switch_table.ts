/** Queries about the switches of operators. */
import type { Kysely } from 'kysely';
import type { OpsSwitch } from '../../../port/store/switches';
import { defineTable, type RowOf } from '../base/define_table';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { deleteBy, upsertInto } from '../base/table_statements';

/** A switch that is off: a switch without a row is on. */
const SWITCHES = defineTable<OpsSwitch>()('ops_switches', {
  tenant_id: 'text',
  name: 'text',
  reason: 'text?',
  changed_by: 'text',
  changed_at: 'number',
});

declare module '../base/schema' {
  interface Schema {
    ops_switches: RowOf<typeof SWITCHES>;
  }
}

export class SwitchTable extends sqlTable(statements) {
  list() {
    return this.records(this.statements.list({}), SWITCHES.toRecord);
  }

  async put(entry: OpsSwitch): Promise<void> {
    await this.statements.put(this.runner, [entry]);
  }

  delete(tenantId: string, name: string) {
    return this.hasChanged(this.statements.delete({ tenant_id: tenantId, name }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    list: template(() => db.selectFrom('ops_switches').select(SWITCHES.columns).orderBy('tenant_id').orderBy('name')),
    put: upsertInto(db, SWITCHES, ['tenant_id', 'name']),
    delete: deleteBy(db, SWITCHES, 'tenant_id', 'name'),
  };
}
