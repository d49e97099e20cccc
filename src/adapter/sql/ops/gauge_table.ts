/** Queries for monitoring, across all tenants. Each reads a bounded number of index entries. */
import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type { StoreGauges } from '../../../port/store/gauges';
import type { QuestionKind } from '../../../port/store/questions';
import { databaseBytes } from '../base/dialect';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';

const MOST = sql.lit(10_000);

interface PendingRow {
  kind: QuestionKind;
  count: number;
  oldest: number;
}

export class GaugeTable extends sqlTable(() => undefined) {
  constructor(
    db: Kysely<Schema>,
    private readonly migrations: readonly string[],
  ) {
    super(db);
  }

  async read(now: number): Promise<StoreGauges> {
    const rows = <R>(query: RawBuilder<R>) => this.runner.rows(query.compile(this.db) as CompiledQuery<R>);
    const [pending, queued, [size], applied] = await Promise.all([
      rows(pendingQuestions(now)),
      rows(QUEUED_RUNS),
      rows(sql<{ bytes: number }>`select ${databaseBytes(this.db)} as bytes`),
      rows(APPLIED_MIGRATIONS),
    ]);
    const names = new Set(applied.map(({ name }) => name));
    return {
      pendingQuestions: Object.fromEntries(
        pending.map(({ kind, count, oldest }) => [kind, { count: Number(count), oldestAt: Number(oldest) }]),
      ),
      queuedRuns: Object.fromEntries(queued.map(({ door, count }) => [door, Number(count)])),
      sizeBytes: Number(size?.bytes ?? 0),
      schema: applied.at(-1)?.name ?? '',
      missingMigrations: this.migrations.filter(name => !names.has(name)).length,
    };
  }
}

/** Jumps from tenant to tenant, because the index begins with the tenant. */
const pendingQuestions = (now: number): RawBuilder<PendingRow> => sql`
  with recursive tenants(id) as (
    select min(tenant_id) from clarifications
    union all
    select (select min(tenant_id) from clarifications where tenant_id > tenants.id) from tenants where tenants.id is not null
  )
  select kind, count(*) as count, min(created_at) as oldest from (
    select kind, created_at from tenants join clarifications
      on clarifications.tenant_id = tenants.id and clarifications.status = 'pending'
    where expires_at > ${now} limit ${MOST}
  ) as open group by kind`;

/** The first condition is that of the index. */
const QUEUED_RUNS: RawBuilder<{ door: string; count: number }> = sql`
  select door, count(*) as count from (
    select door from runs where status in ('queued', 'running', 'waiting') and status = 'queued' limit ${MOST}
  ) as queued group by door`;

const APPLIED_MIGRATIONS: RawBuilder<{ name: string }> = sql`select name from schema_migrations order by name`;
