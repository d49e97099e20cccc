/** Queries about views of lists that operators saved. */
import type { Kysely } from 'kysely';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { deleteBy, upsertInto } from '../../../adapter/sql/base/table_statements';
import type { SavedViewRecord } from './saved_views';

const VIEWS = defineTable<SavedViewRecord>()('saved_views', {
  tenant_id: 'text',
  screen: 'text',
  name: 'text',
  query: 'json',
  saved_by: 'text',
  saved_at: 'number',
});

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    saved_views: RowOf<typeof VIEWS>;
  }
}

export class SavedViewTable extends sqlTable(statements) {
  list(tenantId: string, screen?: string) {
    const all = this.db.selectFrom('saved_views').select(VIEWS.columns).where('tenant_id', '=', tenantId);
    const named = screen === undefined ? all : all.where('screen', '=', screen);
    return this.records(named.orderBy('screen').orderBy('name').compile(), VIEWS.toRecord);
  }

  async put(view: SavedViewRecord): Promise<void> {
    await this.statements.put(this.runner, [view]);
  }

  delete(tenantId: string, screen: string, name: string) {
    return this.hasChanged(this.statements.delete({ tenant_id: tenantId, screen, name }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    put: upsertInto(db, VIEWS, ['tenant_id', 'screen', 'name']),
    delete: deleteBy(db, VIEWS, 'tenant_id', 'screen', 'name'),
  };
}
