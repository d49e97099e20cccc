/** Queries about sessions. */
import { expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { ModelParameters } from '../../../port/model_parameters';
import type { Page, PageRequest } from '../../../port/store/page';
import type { SessionFilter, SessionPatch, SessionRecord } from '../../../port/store/sessions';
import { isSeenBy } from '../access/session_member_table';
import { fromJson, REMOVABLE, toJson } from '../base/column_values';
import { type ListOrder, readPage } from '../base/cursor';
import { defineTable, type RowOf } from '../base/define_table';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { insertInto, setUnlessNull } from '../base/table_statements';
import { holdsWords } from '../base/word_filter';
import type { EventExpiry } from '../retention/event_expiry';
import type { RetentionTable } from '../retention/retention_table';
import type { UsageTable } from '../usage/usage_table';
import { isNewestBranch, setProject } from './session_branch_table';
import { copiesOf, type SessionCopyTable } from './session_copy_table';
import { sessionPartStatements } from './session_parts';

const PARAMETERS = {
  encode: (parameters?: ModelParameters | null): string | null => (parameters === null ? '{}' : toJson(parameters)),
  decode: (stored: string | null): ModelParameters | undefined => (stored === null || stored === '{}' ? undefined : fromJson(stored)),
};

const SESSIONS = defineTable<SessionRecord>()('sessions', {
  tenant_id: 'text',
  id: 'text',
  title: 'text',
  agent: 'text',
  locale: 'text',
  thinking_level: 'text',
  metadata: 'json?',
  created_at: 'number',
  updated_at: 'number',
  /** The run that started this session as the session of a child run. */
  parent_run_id: 'text?',
  parent_session_id: 'text?',
  origin: 'json?',
  root_session_id: 'text?',
  before_run_id: 'text?',
  before_session_id: 'text?',
  pinned: 'flag?',
  archived: 'flag?',
  project: 'text?',
  temporary: 'flag?',
  history_version: 'number?',
  owner: 'text?',
  visibility: 'text?',
  access_id: 'text?',
  /** Lists and searches leave out sessions with a value here. */
  origin_door: ({ origin, temporary }: SessionRecord) => (temporary ? 'temporary' : origin && 'door' in origin ? origin.door : null),
  model: REMOVABLE,
  instructions: REMOVABLE,
  instructions_by: 'json?',
  parameters: PARAMETERS,
});
const CHANGES = defineTable<SessionPatch>()('sessions', {
  title: 'text?',
  agent: 'text?',
  locale: 'text?',
  thinking_level: 'text?',
  metadata: 'json?',
  model: REMOVABLE,
  instructions: REMOVABLE,
  instructions_by: 'json?',
  parameters: PARAMETERS,
  updated_at: 'number?',
  pinned: 'flag?',
  archived: 'flag?',
  project: 'text?',
});
const KEPT_UNLESS_NULL = CHANGES.without('project').columns;

declare module '../base/schema' {
  interface Schema {
    sessions: RowOf<typeof SESSIONS>;
  }
}

type Key = Pick<RowOf<typeof SESSIONS>, 'tenant_id' | 'id'>;

const ORDER: ListOrder = { list: 'sessions', columns: ['updated_at', 'id'], second: 'string', direction: 'desc' };
const LONG_COLUMNS = ['metadata', 'instructions'] as const;
/** Sessions of child runs of one parent that a list can hold. */
const MAX_CHILDREN = 10_000;

/** Rows that count as one are fewer where a row is large: a trigger deletes the tokens of a document, and an image has up to 5 MiB. */
const ROWS_OF_PART = { searchDocuments: 0.3, images: 0.01 };

/** Tables that a deletion of a session changes too. */
interface OtherTables {
  usage(): UsageTable;
  eventExpiry(): EventExpiry;
  retention(): RetentionTable;
  sessionCopies(): SessionCopyTable;
}

export class SessionTable extends sqlTable(statements) {
  private readonly parts = sessionPartStatements(this.db);

  constructor(
    db: Kysely<Schema>,
    private readonly others: OtherTables,
  ) {
    super(db);
  }

  get(tenantId: string, id: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, id }), SESSIONS.toRecord);
  }

  async list(tenantId: string, page: PageRequest, filter: SessionFilter = {}): Promise<Page<SessionRecord>> {
    const { parentRunId, title, viewer } = filter;
    const all =
      parentRunId === undefined
        ? this.chats(tenantId, filter)
        : this.db.selectFrom(this.childrenOf(tenantId, parentRunId)).select(SESSIONS.columns);
    const listed = viewer === undefined ? all : all.where(isSeenBy(this.db, tenantId, viewer));
    const query = title === undefined ? listed : listed.where(holdsWords(this.db, ['title'], title));
    return readPage(this.runner, query, { order: ORDER, long: LONG_COLUMNS, toRecord: SESSIONS.toRecord }, page);
  }

  private chats(tenantId: string, { originDoor, withHidden, pinned, archived, title, ...rest }: SessionFilter) {
    const { project, agent, since, until, owner } = rest;
    let chats = this.ofDoor(tenantId, originDoor);
    // Each condition equals the condition of a partial index.
    if (pinned) chats = chats.where(sql<SqlBool>`pinned = 1`);
    if (project !== undefined) chats = chats.where('project', '=', project).where('project', 'is not', null);
    if (owner !== undefined) chats = chats.where('owner', '=', owner);
    if (agent !== undefined) chats = chats.where('agent', '=', agent);
    if (since !== undefined) chats = chats.where('updated_at', '>=', since);
    if (until !== undefined) chats = chats.where('updated_at', '<', until);
    if (withHidden) return chats;
    if (archived) chats = chats.where(sql<SqlBool>`archived = 1`);
    else if (archived === false || title === undefined) chats = chats.where(sql<SqlBool>`coalesce(archived, 0) = 0`);
    return chats.where(isNewestBranch(this.db));
  }

  /** The condition equals the condition of a partial index, so that SQLite uses that index. */
  private ofDoor(tenantId: string, door: SessionFilter['originDoor']) {
    const all = this.db
      .selectFrom('sessions')
      .select(SESSIONS.columns)
      .where('tenant_id', '=', tenantId)
      .where('parent_run_id', 'is', null)
      .where('id', 'not in', copiesOf(this.db, tenantId));
    return door === undefined ? all.where('origin_door', 'is', null) : all.where('origin_door', '=', door);
  }

  private childrenOf(tenantId: string, parentRunId: string) {
    const ofRun = this.db
      .selectFrom('runs')
      .select('session_id')
      .where('tenant_id', '=', tenantId)
      .where('parent_run_id', '=', parentRunId);
    // The limit makes SQLite read by id and then sort: an index in the order of the list holds all sessions of the tenant.
    return this.db
      .selectFrom('sessions')
      .select(SESSIONS.columns)
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', ofRun)
      .limit(sql.lit(MAX_CHILDREN))
      .as('sessions');
  }

  async childIds(tenantId: string, id: string): Promise<string[]> {
    const rows = await this.runner.rows(this.statements.childIds({ tenant_id: tenantId, id }));
    return rows.map(row => row.id);
  }

  async insert(session: SessionRecord): Promise<void> {
    await this.statements.insert(this.runner, [session]);
  }

  update(tenantId: string, id: string, patch: SessionPatch) {
    return this.hasChanged(this.statements.update({ tenant_id: tenantId, id, ...CHANGES.toRow(patch) }));
  }

  touch(tenantId: string, id: string, updatedAt: number) {
    return this.record(this.statements.touch({ tenant_id: tenantId, id, updated_at: updatedAt }), row => ({
      session: SESSIONS.toRecord(row),
      lastOrdinal: Math.max(Number(row.last_runs), Number(row.last_messages)),
    }));
  }

  async deletePart(tenantId: string, id: string, size: number): Promise<boolean> {
    const { usage, eventExpiry, sessionCopies } = this.others;
    await sessionCopies().on(this.runner).giveUpCopiesOf(tenantId, id);
    await usage().on(this.runner).rollUpSession(tenantId, id);
    if (await eventExpiry().on(this.runner).expireSession(tenantId, id, size)) return true;
    return this.deleteSomeRows(tenantId, id, size);
  }

  private async deleteSomeRows(tenantId: string, id: string, size: number): Promise<boolean> {
    for (const [table, deleteRows] of Object.entries(this.parts)) {
      const limit = Math.ceil(size * (ROWS_OF_PART[table as keyof typeof ROWS_OF_PART] ?? 1));
      if ((await this.runner.changes(deleteRows({ tenant_id: tenantId, id, limit }))) > 0) return true;
    }
    return false;
  }

  /** Foreign keys delete the session's data, except idempotency keys, which have no foreign key. */
  async delete(tenantId: string, id: string): Promise<boolean> {
    const { usage, retention } = this.others;
    const key = { tenant_id: tenantId, id };
    await usage().on(this.runner).rollUpSession(tenantId, id);
    await this.runner.changes(this.statements.deleteIdempotencyKeys(key));
    const isDeleted = (await this.runner.changes(this.statements.delete(key))) > 0;
    if (isDeleted) await retention().on(this.runner).notePurge();
    return isDeleted;
  }
}

/** The session with the key, unless it is being copied. */
const isShown = (db: Kysely<Schema>, key: Key) => {
  const { eb } = expressionBuilder<Schema, 'sessions'>();
  return eb.and([eb('tenant_id', '=', key.tenant_id), eb('id', '=', key.id), eb('id', 'not in', copiesOf(db, key.tenant_id))]);
};

/** The highest ordinal of the session in one table, as the column `last_runs` or `last_messages`. */
const lastOrdinal = <T extends 'runs' | 'messages'>(db: Kysely<Schema>, { tenant_id, id }: Key, table: T, column: string) =>
  db
    .selectFrom(table as 'runs')
    .select(sql<number>`coalesce(max(${sql.ref(column)}), 0)`.as('last'))
    .where('tenant_id', '=', tenant_id)
    .where('session_id', '=', id)
    .as(`last_${table}`);

function statements(db: Kysely<Schema>) {
  return {
    get: template((key: Key) => db.selectFrom('sessions').select(SESSIONS.columns).where(isShown(db, key))),
    childIds: template((key: Key) =>
      db.selectFrom('sessions').select('id').where('tenant_id', '=', key.tenant_id).where('parent_session_id', '=', key.id),
    ),
    insert: insertInto(db, SESSIONS),
    update: template((change: Key & RowOf<typeof CHANGES>) =>
      db
        .updateTable('sessions')
        .set({ ...setUnlessNull(change, KEPT_UNLESS_NULL), project: setProject(change.project) })
        .where(isShown(db, change)),
    ),
    touch: template((change: Key & { updated_at: number }) =>
      db
        .updateTable('sessions')
        .set({ updated_at: change.updated_at })
        .where(isShown(db, change))
        .returning(SESSIONS.columns)
        .returning([lastOrdinal(db, change, 'runs', 'ordinal'), lastOrdinal(db, change, 'messages', 'run_ordinal')]),
    ),
    delete: template((key: Key) =>
      db
        .deleteFrom('sessions')
        .where('tenant_id', '=', key.tenant_id)
        .where(eb => eb.or([eb('id', '=', key.id), eb('parent_session_id', '=', key.id)])),
    ),
    deleteIdempotencyKeys: template((key: Key) =>
      db
        .deleteFrom('idempotency_keys')
        .where('tenant_id', '=', key.tenant_id)
        .where(({ eb, or, selectFrom }) =>
          or([
            eb('run_id', '=', key.id),
            eb('run_id', 'in', selectFrom('runs').select('id').where('tenant_id', '=', key.tenant_id).where('session_id', '=', key.id)),
          ]),
        ),
    ),
  };
}
