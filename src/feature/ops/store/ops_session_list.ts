/** Sessions for operators, over one tenant or all of them, and what each of them holds. */
import { sql } from 'kysely';
import { foreignCursor, packCursor, unpackCursor } from '../../../adapter/sql/base/cursor';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { copiesOf } from '../../../adapter/sql/sessions/session_copy_table';
import type { Page, PageRequest } from '../../../port/store/page';
import type { OpsScope, OpsSessionFilter, OpsSessionReader, OpsSessionRow, OpsSessionSize, OpsThing } from './ops_records';

const SHOWN = defineTable<OpsSessionRow>()('sessions', {
  tenant_id: 'text',
  id: 'text',
  title: 'text',
  agent: 'text',
  created_at: 'number',
  updated_at: 'number',
});

const LAST_RUN = defineTable<NonNullable<OpsSessionSize['lastRun']>>()('runs', {
  id: 'text',
  status: 'text',
  door: 'text',
  outcome: 'json?',
  created_at: 'number',
  ended_at: 'number?',
});

const LIST = 'ops_sessions';
/** Tenants of one page at most. */
const MAX_TENANTS = 1_000;
/** The most messages of a session that are counted; counting them takes about 5 ms. */
const MAX_MESSAGES = 5_000;
const MAX_RUNS = 2_000;

const TABLES = { run: 'runs', session: 'sessions', question: 'clarifications' } as const;

/** The place of a session in the list: the latest change first; of the same time, the higher id first. */
type Place = Pick<RowOf<typeof SHOWN>, 'updated_at' | 'id'>;

export class OpsSessionList extends sqlTable(() => undefined) implements OpsSessionReader {
  /** Reads one page of each tenant, by an index in the order of the list. */
  async list({ tenantId }: OpsScope, filter: OpsSessionFilter, { limit, cursor }: PageRequest): Promise<Page<OpsSessionRow>> {
    const after = cursor === undefined ? undefined : toPlace(cursor);
    const tenants = tenantId === undefined ? await this.tenants('sessions') : [tenantId];
    const rows: RowOf<typeof SHOWN>[] = [];
    for (const tenant of tenants) rows.push(...(await this.runner.rows(this.pageOf(tenant, filter, { limit, after }).compile())));
    rows.sort((a, b) => (isBefore(a, b) ? -1 : 1));
    const data = rows.slice(0, limit);
    const last = rows.length > limit ? data.at(-1) : undefined;
    return { data: data.map(SHOWN.toRecord), nextCursor: last && packCursor([LIST, last.updated_at, last.id]) };
  }

  async size(tenantId: string, sessionId: string): Promise<OpsSessionSize> {
    const messages = this.db
      .selectFrom('messages')
      .select(sql<number>`octet_length(message)`.as('bytes'))
      .where('tenant_id', '=', tenantId)
      .where('session_id', '=', sessionId)
      .orderBy('run_ordinal', 'desc')
      .orderBy('position', 'desc')
      .limit(sql.lit(MAX_MESSAGES));
    const runs = this.runsOf(tenantId, sessionId).select('last_seq').limit(sql.lit(MAX_RUNS));
    const [counted] = await this.runner.rows(
      this.db
        .selectFrom(messages.as('m'))
        .select(eb => [eb.fn.countAll<number>().as('count'), eb.fn.sum<number | null>('bytes').as('bytes')])
        .compile(),
    );
    const [ofRuns] = await this.runner.rows(
      this.db
        .selectFrom(runs.as('r'))
        .select(eb => [eb.fn.countAll<number>().as('count'), eb.fn.sum<number | null>('last_seq').as('events')])
        .compile(),
    );
    const newest = this.runsOf(tenantId, sessionId).select(LAST_RUN.columns).limit(1);
    const [last] = await this.runner.rows(newest.compile());
    const [messageCount, runCount] = [Number(counted?.count ?? 0), Number(ofRuns?.count ?? 0)];
    return {
      messages: messageCount,
      messageBytes: Number(counted?.bytes ?? 0),
      runs: runCount,
      events: Number(ofRuns?.events ?? 0),
      isMore: messageCount === MAX_MESSAGES || runCount === MAX_RUNS,
      lastRun: last && LAST_RUN.toRecord(last),
    };
  }

  async tenantOf(kind: OpsThing, id: string): Promise<string | undefined> {
    const table = TABLES[kind];
    for (const tenant of await this.tenants(table)) {
      const query = this.db.selectFrom(table).select('id').where('tenant_id', '=', tenant).where('id', '=', id);
      if ((await this.runner.rows(query.compile())).length > 0) return tenant;
    }
    return undefined;
  }

  /** Steps from tenant to tenant through the index, so that it reads one row of each. */
  private async tenants(table: 'runs' | 'sessions' | 'clarifications'): Promise<string[]> {
    const names: string[] = [];
    while (names.length < MAX_TENANTS) {
      const least = this.db.selectFrom(table).select(eb => eb.fn.min<string | null>('tenant_id').as('name'));
      const last = names.at(-1);
      const [row] = await this.runner.rows((last === undefined ? least : least.where('tenant_id', '>', last)).compile());
      if (row?.name == null) break;
      names.push(row.name);
    }
    return names;
  }

  private pageOf(tenant: string, { originDoor, since }: OpsSessionFilter, { limit, after }: { limit: number; after: Place | undefined }) {
    const all = this.db
      .selectFrom('sessions')
      .select(SHOWN.columns)
      .where('tenant_id', '=', tenant)
      .where('parent_run_id', 'is', null)
      .where('id', 'not in', copiesOf(this.db, tenant));
    const ofDoor = originDoor === undefined ? all.where('origin_door', 'is', null) : all.where('origin_door', '=', originDoor);
    const changed = since === undefined ? ofDoor : ofDoor.where('updated_at', '>=', since);
    const rest = after
      ? changed.where(({ eb, refTuple, tuple }) => eb(refTuple('updated_at', 'id'), '<', tuple(after.updated_at, after.id)))
      : changed;
    return rest
      .orderBy('updated_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1);
  }

  private runsOf(tenantId: string, sessionId: string) {
    return this.db.selectFrom('runs').where('tenant_id', '=', tenantId).where('session_id', '=', sessionId).orderBy('ordinal', 'desc');
  }
}

const isBefore = (a: Place, b: Place): boolean => a.updated_at > b.updated_at || (a.updated_at === b.updated_at && a.id > b.id);

function toPlace(cursor: string): Place {
  const parts = unpackCursor(cursor);
  if (!Array.isArray(parts) || parts.length !== 3) throw foreignCursor();
  const [list, updatedAt, id]: unknown[] = parts;
  if (list !== LIST || typeof updatedAt !== 'number' || !Number.isSafeInteger(updatedAt) || typeof id !== 'string') throw foreignCursor();
  return { updated_at: updatedAt, id };
}
