/** Queries about idempotency keys. */
import type { Kysely } from 'kysely';
import type { IdempotencyRecord } from '../../../port/store/idempotency_keys';
import { defineTable, type RowOf } from '../base/define_table';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { selectBy, upsertInto } from '../base/table_statements';

const KEYS = defineTable<IdempotencyRecord>()('idempotency_keys', {
  tenant_id: 'text',
  key: 'text',
  fingerprint: 'text',
  run_id: 'text',
  created_at: 'number',
});

declare module '../base/schema' {
  interface Schema {
    idempotency_keys: RowOf<typeof KEYS>;
  }
}

export class IdempotencyTable extends sqlTable(statements) {
  get(tenantId: string, key: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, key }), KEYS.toRecord);
  }

  async put(record: IdempotencyRecord): Promise<void> {
    await this.statements.put(this.runner, [record]);
  }

  async deleteBefore(before: number, limit: number): Promise<number> {
    return this.runner.changes(this.statements.deleteBefore({ before, limit }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: selectBy(db, KEYS, 'tenant_id', 'key'),
    put: upsertInto(db, KEYS, ['tenant_id', 'key']),
    deleteBefore: template(({ before, limit }: { before: number; limit: number }) =>
      db
        .deleteFrom('idempotency_keys')
        .where(({ eb, refTuple }) =>
          eb(
            refTuple('tenant_id', 'key'),
            'in',
            eb
              .selectFrom('idempotency_keys')
              .select(['tenant_id', 'key'])
              .where('created_at', '<', before)
              .orderBy('created_at')
              .limit(limit)
              .$asTuple('tenant_id', 'key'),
          ),
        ),
    ),
  };
}
