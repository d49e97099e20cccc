/** Queries about idempotency keys. */
import { type Kysely, sql } from 'kysely';
import type { IdempotencyRecord } from '../../port/store/idempotency_keys';
import { insertRows } from './insert_rows';
import { template } from './query_template';
import type { IdempotencyKeyRow, Schema } from './schema';
import { SqlTable } from './sql_table';

const COLUMNS = ['tenant_id', 'key', 'fingerprint', 'run_id', 'created_at'] as const;

/** Keys that one call deletes at most: a statement holds the event loop. */
const MAX_DELETED = sql.lit(5_000);

export class IdempotencyTable extends SqlTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(db: Kysely<Schema>) {
    super();
    this.statements = statements(db);
  }

  async get(tenantId: string, key: string): Promise<IdempotencyRecord | undefined> {
    const [row] = await this.runner.rows(this.statements.get({ tenant_id: tenantId, key }));
    return row && { tenantId, key, fingerprint: row.fingerprint, runId: row.run_id, createdAt: row.created_at };
  }

  async put(record: IdempotencyRecord): Promise<void> {
    await this.statements.put(this.runner, [toRow(record)]);
  }

  async deleteBefore(before: number): Promise<number> {
    return this.runner.changes(this.statements.deleteBefore({ before }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: template((id: Pick<IdempotencyKeyRow, 'tenant_id' | 'key'>) =>
      db.selectFrom('idempotency_keys').select(COLUMNS).where('tenant_id', '=', id.tenant_id).where('key', '=', id.key),
    ),
    put: insertRows<IdempotencyKeyRow>(COLUMNS, rows =>
      db
        .insertInto('idempotency_keys')
        .values(rows)
        .onConflict(conflict =>
          conflict.columns(['tenant_id', 'key']).doUpdateSet(eb => ({
            fingerprint: eb.ref('excluded.fingerprint'),
            run_id: eb.ref('excluded.run_id'),
            created_at: eb.ref('excluded.created_at'),
          })),
        ),
    ),
    deleteBefore: template(({ before }: { before: number }) =>
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
              .limit(MAX_DELETED)
              .$asTuple('tenant_id', 'key'),
          ),
        ),
    ),
  };
}

function toRow(record: IdempotencyRecord): IdempotencyKeyRow {
  return {
    tenant_id: record.tenantId,
    key: record.key,
    fingerprint: record.fingerprint,
    run_id: record.runId,
    created_at: record.createdAt,
  };
}
