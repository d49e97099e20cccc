/**
 * The list of runs for operators, over one tenant or all of them. It reads a limited number of rows, so that a filter which few runs pass does
 * not hold the event loop; the cursor then goes on from the last row that was read.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { foreignCursor, packCursor, unpackCursor } from '../../../adapter/sql/base/cursor';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { jsonText, unindexed } from '../../../adapter/sql/base/dialect';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import type { Usage } from '../../../port/llm';
import type { Page, PageRequest } from '../../../port/store/page';
import type { UsageByModel } from '../../../port/store/usage';
import type { OpsRunFilter, OpsRunRow, OpsScope } from './ops_records';

/** `reason` and `error_code` are parts of the outcome. */
const SHOWN = defineTable<Omit<OpsRunRow, 'usage'>>()('runs', {
  tenant_id: 'text',
  id: 'text',
  session_id: 'text',
  parent_run_id: 'text?',
  status: 'text',
  reason: 'text?',
  error_code: 'text?',
  error_message: 'text?',
  first_words: 'text?',
  door: 'text',
  agent: 'text',
  key_name: 'text?',
  model: 'text?',
  created_at: 'number',
  started_at: 'number?',
  ended_at: 'number?',
});
type Row = RowOf<typeof SHOWN> & { usage_by_model: string | null };

const LIST = 'ops_runs';
/** The most rows that one page reads of each tenant. */
const MAX_READ = 20_000;
/** Tenants of one page at most. */
const MAX_TENANTS = 1_000;
/** Must equal the condition of the partial index `runs_unsuccessful`, or SQLite does not use it. */
const IS_UNSUCCESSFUL = sql.raw<SqlBool>("status in ('incomplete', 'failed', 'cancelled')");

/** The place of a run in the list: newest first; of the same time, the higher id first. */
type Place = Pick<Row, 'created_at' | 'id'>;

/** Characters of a message that tell it from others. */
const MAX_WORDS = 160;
const COLUMNS = sql.raw(
  `tenant_id, id, session_id, parent_run_id, status, door, agent, key_name, model, usage_by_model, created_at, started_at, ended_at, outcome, substr(input, 1, ${MAX_WORDS}) as first_words`,
);

export class OpsRunList extends sqlTable(() => undefined) {
  private readonly shown =
    sql`runs.*, ${jsonText(this.db, 'outcome', 'reason')} as reason, ${jsonText(this.db, 'outcome', 'error', 'code')} as error_code, ${jsonText(this.db, 'outcome', 'error', 'message')} as error_message`;

  async list({ tenantId }: OpsScope, filter: OpsRunFilter, { limit, cursor }: PageRequest): Promise<Page<OpsRunRow>> {
    const after = cursor === undefined ? undefined : toPlace(cursor);
    const tenants = tenantId === undefined ? await this.tenants() : [tenantId];
    const rows: Row[] = [];
    let stop: Place | undefined;
    for (const tenant of tenants) {
      const part = await this.listOf(tenant, filter, { limit, after });
      rows.push(...part.rows);
      if (part.stop && (!stop || isBefore(part.stop, stop))) stop = part.stop;
    }
    const end = stop;
    // Tenants stop at different places. Leave out rows behind the nearest of these places: they would hide the rest of the tenant that stopped there.
    const sorted = rows.sort((a, b) => (isBefore(a, b) ? -1 : 1)).filter(row => !end || !isBefore(end, row));
    const data = sorted.slice(0, limit);
    const last = sorted.length > limit ? data.at(-1) : end;
    return {
      data: data.map(row => ({ ...SHOWN.toRecord(row), usage: usageOf(row.usage_by_model) })),
      nextCursor: last && packCursor([LIST, last.created_at, last.id]),
    };
  }

  async firstWords(runs: readonly { tenantId: string; id: string }[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const [tenant, own] of Map.groupBy(runs, ({ tenantId }) => tenantId)) {
      const query = this.db
        .selectFrom('runs')
        .select(['id', sql<string>`substr(input, 1, ${sql.lit(MAX_WORDS)})`.as('words')])
        .where('tenant_id', '=', tenant)
        .where(
          'id',
          'in',
          own.map(({ id }) => id),
        );
      for (const { id, words } of await this.runner.rows(query.compile())) found.set(id, words);
    }
    return found;
  }

  /** Steps from tenant to tenant through the index, so that it reads one row of each. */
  private async tenants(): Promise<string[]> {
    const query = sql<{ name: string | null }>`with recursive tenants(name) as (
      select min(tenant_id) from runs
      union all select (select min(tenant_id) from runs where tenant_id > tenants.name) from tenants where tenants.name is not null
    ) select name from tenants where name is not null limit ${sql.lit(MAX_TENANTS)}`;
    return (await this.runner.rows(query.compile(this.db))).flatMap(({ name }) => name ?? []);
  }

  /** `stop`: the last row that was read, when more rows follow it. */
  private async listOf(
    tenant: string,
    filter: OpsRunFilter,
    { limit, after }: { limit: number; after: Place | undefined },
  ): Promise<{ rows: Row[]; stop?: Place }> {
    const conditions = this.conditionsOf(filter);
    if (filter.id !== undefined) return { rows: await this.listById(tenant, filter, { limit, after }) };
    const source = this.sourceOf(tenant, filter, after);
    if (!conditions) {
      const found = sql<Row>`select ${this.shown} from (${source(COLUMNS)} limit ${limit + 1}) as runs`;
      return { rows: await this.runner.rows(found.compile(this.db)) };
    }
    const inner = sql`(${source(COLUMNS)} limit ${sql.lit(MAX_READ)}) as runs`;
    const rows = await this.runner.rows(
      sql<Row>`select ${this.shown} from ${inner} where ${conditions} limit ${limit + 1}`.compile(this.db),
    );
    if (rows.length > limit) return { rows };
    const place = source(sql.raw('created_at, id'));
    const [stop] = await this.runner.rows(
      sql<Place>`${place} limit 1 offset ${sql.lit(MAX_READ - 1)}`.compile(this.db) as ReturnType<RawBuilder<Place>['compile']>,
    );
    return { rows, stop };
  }

  /** The run with the id, or the runs of the session with it. The plus keeps SQLite from reading all runs in the order of the list. */
  private async listById(
    tenant: string,
    filter: OpsRunFilter,
    { limit, after }: { limit: number; after: Place | undefined },
  ): Promise<Row[]> {
    const rows: Row[] = [];
    for (const column of ['id', 'session_id']) {
      const parts = [sql`tenant_id = ${tenant}`, sql`${sql.ref(column)} = ${filter.id}`];
      if (filter.status !== undefined) parts.push(sql`status = ${filter.status}`);
      if (filter.since !== undefined) parts.push(sql`created_at >= ${filter.since}`);
      if (filter.until !== undefined) parts.push(sql`created_at < ${filter.until}`);
      if (after) parts.push(sql`(created_at, id) < (${after.created_at}, ${after.id})`);
      parts.push(this.conditionsOf(filter) ?? sql`true`);
      const query = sql<Row>`select ${this.shown} from (select ${COLUMNS} from runs where ${sql.join(parts, sql` and `)} order by ${unindexed(this.db, 'created_at')} desc, id desc limit ${limit + 1}) as runs`;
      rows.push(...(await this.runner.rows(query.compile(this.db))));
    }
    return rows;
  }

  /** The rows that an index finds in the order of the list. */
  private sourceOf(tenant: string, { status, since, until }: OpsRunFilter, after: Place | undefined) {
    const parts: RawBuilder<unknown>[] = [sql`tenant_id = ${tenant}`];
    if (status !== undefined && status !== 'completed') parts.push(sql`${IS_UNSUCCESSFUL} and status = ${status}`);
    if (since !== undefined) parts.push(sql`created_at >= ${since}`);
    if (until !== undefined) parts.push(sql`created_at < ${until}`);
    if (after) parts.push(sql`(created_at, id) < (${after.created_at}, ${after.id})`);
    const where = sql.join(parts, sql` and `);
    return (columns: RawBuilder<unknown>) => sql`select ${columns} from runs where ${where} order by created_at desc, id desc`;
  }

  private conditionsOf({ status, agent, door, keyName, reason }: OpsRunFilter): RawBuilder<unknown> | undefined {
    const parts: RawBuilder<unknown>[] = [];
    if (status === 'completed') parts.push(sql`status = ${status}`);
    if (agent !== undefined) parts.push(sql`agent = ${agent}`);
    if (door !== undefined) parts.push(sql`door = ${door}`);
    if (keyName !== undefined) parts.push(sql`key_name = ${keyName}`);
    if (reason !== undefined) parts.push(sql`status = 'incomplete' and ${jsonText(this.db, 'outcome', 'reason')} = ${reason}`);
    return parts.length === 0 ? undefined : sql.join(parts, sql` and `);
  }
}

const isBefore = (a: Place, b: Place): boolean => a.created_at > b.created_at || (a.created_at === b.created_at && a.id > b.id);

function toPlace(cursor: string): Place {
  const parts = unpackCursor(cursor);
  if (!Array.isArray(parts) || parts.length !== 3) throw foreignCursor();
  const [list, createdAt, id]: unknown[] = parts;
  if (list !== LIST || typeof createdAt !== 'number' || !Number.isSafeInteger(createdAt) || typeof id !== 'string') throw foreignCursor();
  return { created_at: createdAt, id };
}

/** The sum over all models; the cost is unknown when one model has no known cost. */
function usageOf(text: string | null): Usage | undefined {
  if (text === null) return undefined;
  const parts = Object.values(JSON.parse(text) as UsageByModel);
  const sum = (amountOf: (usage: Usage) => number) => parts.reduce((total, usage) => total + amountOf(usage), 0);
  const isPriced = parts.every(({ costUsd }) => costUsd !== undefined);
  return {
    inputTokens: sum(usage => usage.inputTokens),
    outputTokens: sum(usage => usage.outputTokens),
    cachedTokens: sum(usage => usage.cachedTokens ?? 0),
    reasoningTokens: sum(usage => usage.reasoningTokens ?? 0),
    costUsd: isPriced ? sum(usage => usage.costUsd ?? 0) : undefined,
  };
}
