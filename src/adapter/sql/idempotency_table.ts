/** Idempotency keys in the database. */
import type { Kysely } from 'kysely';
import type { IdempotencyRecord } from '../../port/store_records';
import { insertRows } from './insert_rows';
import { type Runner, template } from './query_template';
import type { IdempotencyKeyRow, Schema } from './schema';

const COLUMNS = ['tenant_id', 'key', 'fingerprint', 'run_id', 'created_at'] as const;

export class IdempotencyTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(db: Kysely<Schema>) {
    this.statements = statements(db);
  }

  async get(runner: Runner, tenantId: string, key: string): Promise<IdempotencyRecord | undefined> {
    const [row] = await runner.rows(this.statements.get({ tenant_id: tenantId, key }));
    return row && { tenantId, key, fingerprint: row.fingerprint, runId: row.run_id, createdAt: row.created_at };
  }

  /** False when the key exists. */
  async insert(runner: Runner, record: IdempotencyRecord): Promise<boolean> {
    const { tenantId, key, fingerprint, runId, createdAt } = record;
    const row = { tenant_id: tenantId, key, fingerprint, run_id: runId, created_at: createdAt };
    return (await this.statements.insert(runner, [row])) > 0;
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: template((id: Pick<IdempotencyKeyRow, 'tenant_id' | 'key'>) =>
      db.selectFrom('idempotency_keys').select(COLUMNS).where('tenant_id', '=', id.tenant_id).where('key', '=', id.key),
    ),
    insert: insertRows<IdempotencyKeyRow>(COLUMNS, rows =>
      db
        .insertInto('idempotency_keys')
        .values(rows)
        .onConflict(conflict => conflict.doNothing()),
    ),
  };
}
