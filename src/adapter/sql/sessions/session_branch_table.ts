/** Queries about the branches of chats. */
import { expressionBuilder, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Page, PageRequest } from '../../../port/store/page';
import type { Viewer } from '../../../port/store/session_access';
import { type BranchRecord, type ChatSession, MAX_LISTED_BRANCHES } from '../../../port/store/session_branches';
import type { ChatPatch } from '../../../port/store/sessions';
import { isSeenBy } from '../access/session_member_table';
import { REMOVABLE } from '../base/column_values';
import { type ListOrder, readPage } from '../base/cursor';
import { defineTable, type RowOf } from '../base/define_table';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { setUnlessNull } from '../base/table_statements';
import { copiesOf } from './session_copy_table';

const CHANGES = defineTable<ChatPatch>()('sessions', {
  title: 'text?',
  pinned: 'flag?',
  archived: 'flag?',
  project: 'text?',
  instructions: REMOVABLE,
  instructions_by: 'json?',
});

const KEPT_UNLESS_NULL = CHANGES.without('project').columns;

const MAX_PROJECTS = 500;

interface ChatKey {
  tenant_id: string;
  root_session_id: string;
}

const OLDEST_FIRST: ListOrder = { list: 'chat_sessions', columns: ['created_at', 'id'], second: 'string', direction: 'asc' };

/** The new project of a chat: the present one when `project` is null, none when it is empty. */
export const setProject = (project: string | null): RawBuilder<string | null> => sql`nullif(coalesce(${project}, project), '')`;

/** True for a session of which no other branch of its chat was used later. Probes an index that an ordinary session is not in. */
export function isNewestBranch(db: Kysely<Schema>) {
  const later = db
    .selectFrom('sessions as other')
    .select('other.id')
    .whereRef('other.tenant_id', '=', 'sessions.tenant_id' as never)
    .whereRef('other.root_session_id', '=', 'sessions.root_session_id' as never)
    .where(sql<SqlBool>`(other.updated_at, other.id) > (sessions.updated_at, sessions.id)`);
  const { eb } = expressionBuilder<Schema, 'sessions'>();
  return eb.not(eb.exists(later));
}

export class SessionBranchTable extends sqlTable(statements) {
  async list(tenantId: string, rootSessionId: string): Promise<BranchRecord[]> {
    const rows = await this.runner.rows(this.statements.list({ tenant_id: tenantId, root_session_id: rootSessionId }));
    return rows.toReversed().flatMap(({ session_id, before_run_id, before_session_id, first_run_id }) =>
      before_run_id === null
        ? []
        : {
            sessionId: session_id,
            beforeRunId: before_run_id,
            beforeSessionId: before_session_id ?? undefined,
            firstRunId: first_run_id,
          },
    );
  }

  sessions(tenantId: string, rootSessionId: string, page: PageRequest): Promise<Page<ChatSession>> {
    const query = sessionsOfChat(this.db, { tenant_id: tenantId, root_session_id: rootSessionId });
    return readPage(this.runner, query, { order: OLDEST_FIRST, long: ['title'], toRecord: toChatSession }, page);
  }

  async sessionIds(tenantId: string, rootSessionId: string): Promise<string[]> {
    const rows = await this.runner.rows(this.statements.sessionIds({ tenant_id: tenantId, root_session_id: rootSessionId }));
    return rows.map(({ id }) => id);
  }

  beginChat(tenantId: string, sessionId: string): Promise<void> {
    return this.execute(this.statements.beginChat({ tenant_id: tenantId, root_session_id: sessionId }));
  }

  activate(tenantId: string, rootSessionId: string, sessionId: string, now: number): Promise<boolean> {
    return this.hasChanged(this.statements.activate({ tenant_id: tenantId, root_session_id: rootSessionId, id: sessionId, now }));
  }

  changeChat(tenantId: string, rootSessionId: string, patch: ChatPatch): Promise<void> {
    return this.execute(this.statements.changeChat({ tenant_id: tenantId, root_session_id: rootSessionId, ...CHANGES.toRow(patch) }));
  }

  async projects(tenantId: string, viewer?: Viewer): Promise<{ name: string; sessions: number }[]> {
    const all = projectsOf(this.db, tenantId);
    const rows = await this.runner.rows((viewer ? all.where(isSeenBy(this.db, tenantId, viewer)) : all).compile());
    return rows.map(({ project, count }) => ({ name: project ?? '', sessions: Number(count) }));
  }
}

interface ChatSessionRow {
  id: string;
  title: string;
  created_at: number;
  parent_message_id: string | null;
  messages: number;
  is_active: number;
}

/** The sessions of a chat. A session that is being copied is left out. */
function sessionsOfChat(db: Kysely<Schema>, { tenant_id, root_session_id }: ChatKey) {
  const replaced = sql`select replaced.run_ordinal, replaced.position from messages as replaced where replaced.tenant_id = sessions.tenant_id
    and replaced.session_id = sessions.before_session_id and replaced.run_id = sessions.before_run_id
    order by replaced.run_ordinal, replaced.position limit 1`;
  const parent = sql<string | null>`(select parent.id from messages as parent where parent.tenant_id = sessions.tenant_id
    and parent.session_id = sessions.before_session_id and (parent.run_ordinal, parent.position) < (${replaced})
    order by parent.run_ordinal desc, parent.position desc limit 1)`;
  const messages = sql<number>`(select count(*) from messages as own where own.tenant_id = sessions.tenant_id and own.session_id = sessions.id)`;
  return (
    db
      .selectFrom('sessions')
      .select(['id', 'title', 'created_at', parent.as('parent_message_id'), messages.as('messages')])
      .select(sql<number>`case when ${isNewestBranch(db)} then 1 else 0 end`.as('is_active'))
      .where('tenant_id', '=', tenant_id)
      // Two conditions with `or` would make SQLite read all sessions of the tenant.
      .where(
        sql<SqlBool>`id in (select branch.id from sessions as branch where branch.tenant_id = ${tenant_id} and branch.root_session_id = ${root_session_id}
        union all select cast(${root_session_id} as text))`,
      )
      .where('id', 'not in', copiesOf(db, tenant_id))
  );
}

const toChatSession = ({ id, title, created_at, parent_message_id, messages, is_active }: ChatSessionRow): ChatSession => ({
  id,
  title,
  parentMessageId: parent_message_id ?? undefined,
  messages: Number(messages),
  createdAt: Number(created_at),
  isActive: is_active === 1,
});

const activateSession = (db: Kysely<Schema>) =>
  template((key: ChatKey & { id: string; now: number }) =>
    db
      .updateTable('sessions')
      .set({
        // Later than all branches, whatever the clocks of other gateways said.
        updated_at: sql<number>`(select case when max(other.updated_at) >= ${key.now} then max(other.updated_at) + 1 else ${key.now} end
          from sessions as other where other.tenant_id = ${key.tenant_id} and other.root_session_id = ${key.root_session_id})`,
      })
      .where('tenant_id', '=', key.tenant_id)
      .where('root_session_id', '=', key.root_session_id)
      .where('id', '=', key.id),
  );

function statements(db: Kysely<Schema>) {
  return {
    list: template((key: ChatKey) =>
      db
        .selectFrom('sessions')
        .innerJoin('runs as first', join =>
          join
            .onRef('first.tenant_id', '=', 'sessions.tenant_id')
            .onRef('first.session_id', '=', 'sessions.id')
            .on('first.ordinal', '=', 1),
        )
        .leftJoin('sessions as source', join =>
          join.onRef('source.tenant_id', '=', 'sessions.tenant_id').onRef('source.id', '=', 'sessions.before_session_id'),
        )
        .select(['sessions.id as session_id', 'sessions.before_run_id', 'source.id as before_session_id', 'first.id as first_run_id'])
        .where('sessions.tenant_id', '=', key.tenant_id)
        .where('sessions.root_session_id', '=', key.root_session_id)
        .where('sessions.before_run_id', 'is not', null)
        .orderBy('sessions.created_at', 'desc')
        .orderBy('sessions.id', 'desc')
        .limit(sql.lit(MAX_LISTED_BRANCHES)),
    ),
    sessionIds: template((key: ChatKey) =>
      db.selectFrom('sessions').select('id').where('tenant_id', '=', key.tenant_id).where('root_session_id', '=', key.root_session_id),
    ),
    beginChat: template((key: ChatKey) =>
      db
        .updateTable('sessions')
        .set({ root_session_id: key.root_session_id })
        .where('tenant_id', '=', key.tenant_id)
        .where('id', '=', key.root_session_id)
        .where('root_session_id', 'is', null),
    ),
    activate: activateSession(db),
    changeChat: template((key: ChatKey & RowOf<typeof CHANGES>) =>
      db
        .updateTable('sessions')
        .set({ ...setUnlessNull(key, KEPT_UNLESS_NULL), project: setProject(key.project) })
        .where('tenant_id', '=', key.tenant_id)
        .where('root_session_id', '=', key.root_session_id),
    ),
  };
}

/** The projects of the tenant, with their number of chats that are not archived. */
const projectsOf = (db: Kysely<Schema>, tenantId: string) =>
  db
    .selectFrom('sessions')
    .select(eb => ['project', eb.fn.countAll<number>().as('count')])
    .where('tenant_id', '=', tenantId)
    .where('project', 'is not', null)
    .where('parent_run_id', 'is', null)
    .where(sql<SqlBool>`coalesce(archived, 0) = 0`)
    .where(isNewestBranch(db))
    .groupBy('project')
    .orderBy('project')
    .limit(sql.lit(MAX_PROJECTS));
