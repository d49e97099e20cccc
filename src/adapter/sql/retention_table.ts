/** Queries that find and delete what is older than it should be kept, of all tenants. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { OldSession, SessionKind } from '../../port/store/retention';
import { type Runner, template } from './query_template';
import type { Schema } from './schema';

/** Pages of the search index that one call merges at most. */
const MERGED_PAGES = 64;

const IS_FINISHED = sql<SqlBool>`not exists (
  select 1 from runs where runs.tenant_id = sessions.tenant_id and runs.session_id = sessions.id and runs.status in ('queued', 'running', 'waiting')
)`;
const HAS_RESPONSES = sql<SqlBool>`exists (
  select 1 from responses where responses.tenant_id = sessions.tenant_id and responses.session_id = sessions.id
)`;

export class RetentionTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(db: Kysely<Schema>) {
    this.statements = statements(db);
  }

  async oldSessions(runner: Runner, kind: SessionKind, place: { before: number; limit: number }): Promise<OldSession[]> {
    const rows = await runner.rows(this.statements[kind](place));
    return rows.map(({ tenant_id: tenantId, id }) => ({ tenantId, id }));
  }

  deleteOldDirectCalls(runner: Runner, before: number, limit: number): Promise<number> {
    return runner.changes(this.statements.directCalls({ before, limit }));
  }

  async deleteOldUsage(runner: Runner, day: string): Promise<number> {
    return (await runner.changes(this.statements.usage({ day }))) + (await runner.changes(this.statements.toolUsage({ day })));
  }

  /** A negative number of pages puts all segments together; FTS5 leaves out what was deleted. Its end shows in the number of changes. */
  async purgeSearchIndex(runner: Runner, isFirst: boolean): Promise<boolean> {
    const before = await this.totalChanges(runner);
    await runner.changes(this.statements.merge({ pages: isFirst ? -MERGED_PAGES : MERGED_PAGES }));
    return (await this.totalChanges(runner)) - before >= 2;
  }

  private async totalChanges(runner: Runner): Promise<number> {
    const [row] = await runner.rows(this.statements.totalChanges({}));
    return Number(row?.total);
  }
}

function statements(db: Kysely<Schema>) {
  const old = db.selectFrom('sessions').select(['tenant_id', 'id']).where('parent_run_id', 'is', null).where(IS_FINISHED);
  type Place = { before: number; limit: number };
  return {
    chat: template(({ before, limit }: Place) => old.where('origin_door', 'is', null).where('updated_at', '<', before).limit(limit)),
    stateless: template(({ before, limit }: Place) =>
      old.where('origin_door', 'is not', null).where('updated_at', '<', before).where(sql<SqlBool>`not ${HAS_RESPONSES}`).limit(limit),
    ),
    response: template(({ before, limit }: Place) =>
      old.where('origin_door', 'is not', null).where('updated_at', '<', before).where(HAS_RESPONSES).limit(limit),
    ),
    // Finds the tenants by jumps through the index, so that the calls of sessions are not read.
    directCalls: template(({ before, limit }: Place) => ({
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
    merge: template(({ pages }: { pages: number }) => ({
      compile: () => sql`insert into search_index (search_index, rank) values ('merge', ${pages})`.compile(db),
    })),
    totalChanges: template(() => ({ compile: () => sql<{ total: number }>`select total_changes() as total`.compile(db) })),
  };
}
