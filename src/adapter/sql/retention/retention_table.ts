/** Queries that find and delete data of all tenants whose time to be kept is over. */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { OldSession, OwnerDays, SessionKind } from '../../../port/store/retention';
import { defineTable, type RowOf } from '../base/define_table';
import { inThisOrder, isPostgres } from '../base/dialect';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { insertInto } from '../base/table_statements';

const OWNER_DAYS = defineTable<OwnerDays>()('owner_days', { tenant_id: 'text', owner: 'text', days: 'number' });

declare module '../base/schema' {
  interface Schema {
    owner_days: RowOf<typeof OWNER_DAYS>;
  }
}

const DAY_MS = 86_400_000;

/** Pages of each search index that one call merges at most. */
const MERGED_PAGES = 64;

/** Tables of FTS5. */
const SEARCH_INDEXES = ['search_index', 'memory_search'] as const;

/** Key in `settings`. Its value grows with each deletion. */
const PURGE = 'search_purge';

const IS_OF_PERSON = sql<SqlBool>`origin_door is null`;
const IS_OF_DOOR = sql<SqlBool>`origin_door = 'openai'`;
const IS_TEMPORARY = sql<SqlBool>`origin_door = 'temporary'`;
const IS_FINISHED = sql<SqlBool>`not exists (
  select 1 from runs where runs.tenant_id = sessions.tenant_id and runs.session_id = sessions.id and runs.status in ('queued', 'running', 'waiting')
)`;
const HAS_OWNER_DAYS = sql<SqlBool>`exists (
  select 1 from owner_days where owner_days.tenant_id = sessions.tenant_id and owner_days.owner = sessions.owner
)`;
const HAS_RESPONSES = sql<SqlBool>`exists (
  select 1 from responses where responses.tenant_id = sessions.tenant_id and responses.session_id = sessions.id
)`;

export class RetentionTable extends sqlTable(statements) {
  async oldSessions(kind: SessionKind, before: number, limit: number): Promise<OldSession[]> {
    return (await this.runner.rows(this.statements[kind]({ before, limit }))).map(toOldSession);
  }

  async oldSessionsOfOwners(now: number, limit: number): Promise<OldSession[]> {
    return (await this.runner.rows(this.statements.ofOwners({ now, limit }))).map(toOldSession);
  }

  listOwnerDays() {
    return this.records(this.statements.listOwnerDays({}), OWNER_DAYS.toRecord);
  }

  async setOwnerDays(rows: readonly OwnerDays[]): Promise<void> {
    await this.execute(this.statements.deleteOwnerDays({}));
    await this.statements.insertOwnerDays(this.runner, rows);
  }

  deleteOldDirectCalls(before: number, limit: number): Promise<number> {
    return this.runner.changes(this.statements.directCalls({ before, limit }));
  }

  async deleteOldUsage(day: string): Promise<number> {
    return (await this.runner.changes(this.statements.usage({ day }))) + (await this.runner.changes(this.statements.toolUsage({ day })));
  }

  /**
   * In FTS5, a negative number of pages begins to merge all segments, which leaves out deleted words. A merge that changes fewer than two rows has
   * finished. Postgres overwrites deleted rows by itself (vacuum).
   */
  async purgeSearchIndex(isFirst: boolean): Promise<boolean> {
    if (isPostgres(this.db)) return false;
    let isMore = false;
    for (const index of SEARCH_INDEXES) {
      const before = await this.totalChanges();
      await this.runner.changes(this.statements[index]({ pages: isFirst ? -MERGED_PAGES : MERGED_PAGES }));
      if ((await this.totalChanges()) - before >= 2) isMore = true;
    }
    return isMore;
  }

  /**
   * Stores that texts of a deleted session or memory must be purged. Call it in the transaction of the deletion, so that the purge survives a crash.
   */
  notePurge() {
    return this.execute(this.statements.notePurge({}));
  }

  async pendingPurge(): Promise<string | undefined> {
    const [row] = await this.runner.rows(this.statements.pendingPurge({}));
    return row?.value;
  }

  endPurge(mark: string) {
    return this.execute(this.statements.endPurge({ mark }));
  }

  private async totalChanges(): Promise<number> {
    const [row] = await this.runner.rows(this.statements.totalChanges({}));
    return Number(row?.total);
  }
}

const toOldSession = ({ tenant_id: tenantId, id }: { tenant_id: string; id: string }): OldSession => ({ tenantId, id });

/** Finds the tenants by jumps through the index of their lists, so that sessions that are kept are not read. */
const oldSessions =
  (db: Kysely<Schema>, isOfKind: RawBuilder<SqlBool>, more = sql<SqlBool>`true`) =>
  ({ before, limit }: { before: number; limit: number }) => ({
    compile: () =>
      sql<{ tenant_id: string; id: string }>`
        with recursive tenants (name) as (
          select min(tenant_id) from sessions where ${isOfKind}
          union all
          select (select min(tenant_id) from sessions where ${isOfKind} and tenant_id > name) from tenants where name is not null
        )
        select sessions.tenant_id, sessions.id from tenants ${inThisOrder(db)}join sessions on sessions.tenant_id = tenants.name
        where ${isOfKind} and updated_at < ${before} and parent_run_id is null and ${IS_FINISHED} and ${more} limit ${limit}
      `.compile(db),
  });

function mergeStatement(db: Kysely<Schema>, index: (typeof SEARCH_INDEXES)[number]) {
  const table = sql.table(index);
  return template(({ pages }: { pages: number }) => ({
    compile: () => sql`insert into ${table} (${sql.ref(index)}, rank) values ('merge', ${pages})`.compile(db),
  }));
}

function statements(db: Kysely<Schema>) {
  return {
    chat: template(oldSessions(db, IS_OF_PERSON, sql<SqlBool>`not ${HAS_OWNER_DAYS}`)),
    ofOwners: template(({ now, limit }: { now: number; limit: number }) =>
      db
        .selectFrom('sessions')
        .innerJoin('owner_days', join =>
          join.onRef('owner_days.tenant_id', '=', 'sessions.tenant_id').onRef('owner_days.owner', '=', 'sessions.owner'),
        )
        .select(['sessions.tenant_id', 'sessions.id'])
        .where('owner_days.days', '>', 0)
        .where(sql<SqlBool>`sessions.updated_at < ${now} - owner_days.days * ${sql.lit(DAY_MS)}`)
        .where('parent_run_id', 'is', null)
        .where(IS_OF_PERSON)
        .where(IS_FINISHED)
        .limit(limit),
    ),
    listOwnerDays: template(() => db.selectFrom('owner_days').select(OWNER_DAYS.columns)),
    deleteOwnerDays: template(() => db.deleteFrom('owner_days')),
    insertOwnerDays: insertInto(db, OWNER_DAYS),
    stateless: template(oldSessions(db, IS_OF_DOOR, sql<SqlBool>`not ${HAS_RESPONSES}`)),
    temporary: template(oldSessions(db, IS_TEMPORARY)),
    response: template(oldSessions(db, IS_OF_DOOR, HAS_RESPONSES)),
    // Finds the tenants by jumps through the index, so that the calls of sessions are not read.
    directCalls: template(({ before, limit }: { before: number; limit: number }) => ({
      compile: () =>
        sql`
          delete from tool_executions where (tenant_id, id) in (
            with recursive tenants (name) as (
              select min(tenant_id) from tool_executions
              union all
              select (select min(tenant_id) from tool_executions where tenant_id > name) from tenants where name is not null
            )
            select calls.tenant_id, calls.id from tenants join tool_executions as calls on calls.tenant_id = tenants.name
            where calls.session_id is null and calls.created_at < ${before} and calls.status <> 'running' limit ${limit}
          )`.compile(db),
    })),
    usage: template(({ day }: { day: string }) => db.deleteFrom('usage_days').where('day', '<', day)),
    toolUsage: template(({ day }: { day: string }) => db.deleteFrom('usage_tool_days').where('day', '<', day)),
    search_index: mergeStatement(db, 'search_index'),
    memory_search: mergeStatement(db, 'memory_search'),
    notePurge: template(() =>
      db
        .insertInto('settings')
        .values({ key: PURGE, value: '1' })
        .onConflict(conflict =>
          conflict.column('key').doUpdateSet({ value: sql<string>`cast(cast(settings.value as integer) + 1 as text)` }),
        ),
    ),
    pendingPurge: template(() => db.selectFrom('settings').select('value').where('key', '=', sql.lit(PURGE))),
    endPurge: template(({ mark }: { mark: string }) =>
      db.deleteFrom('settings').where('key', '=', sql.lit(PURGE)).where('value', '=', mark),
    ),
    totalChanges: template(() => ({ compile: () => sql<{ total: number }>`select total_changes() as total`.compile(db) })),
  };
}
