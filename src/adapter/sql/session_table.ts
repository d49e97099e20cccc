/** Queries about sessions. */
import { type Kysely, sql } from 'kysely';
import type { ModelParameters } from '../../port/model_parameters';
import type { Page, PageRequest } from '../../port/store/page';
import type { SessionFilter, SessionOrigin, SessionPatch, SessionRecord } from '../../port/store/sessions';
import { fromJson, orUnchanged, toJson } from './column_values';
import { type ListOrder, readPage } from './cursor';
import type { EventExpiry } from './event_expiry';
import { insertRows } from './insert_rows';
import { template } from './query_template';
import type { RetentionTable } from './retention_table';
import type { Nullable, Schema, SessionRow } from './schema';
import type { SearchIndexing } from './search_indexing';
import { sessionPartStatements } from './session_parts';
import { SqlTable } from './sql_table';
import { titleHolds } from './title_filter';
import type { TsvectorIndexing } from './tsvector_indexing';
import type { UsageTable } from './usage_table';

const COLUMNS = [
  'tenant_id',
  'id',
  'title',
  'agent',
  'locale',
  'thinking_level',
  'metadata',
  'created_at',
  'updated_at',
  'parent_run_id',
  'parent_session_id',
  'origin',
  'origin_door',
  'model',
  'parameters',
] as const;

const ORDER: ListOrder = { list: 'sessions', columns: ['updated_at', 'id'], second: 'string', direction: 'desc' };
const LONG_COLUMNS = ['metadata'] as const;
/** Sessions of child runs of one parent that a list can hold. */
const MAX_CHILDREN = 10_000;

/** Values of removed fields: in a change, null leaves a column as it is. */
const REMOVED = '';
const NO_PARAMETERS = '{}';

type Key = Pick<SessionRow, 'tenant_id' | 'id'>;
/** New values of a session; null leaves a column as it is. */
type Change = Key & Nullable<Omit<SessionRow, keyof Key | 'created_at' | 'parent_run_id' | 'parent_session_id' | 'origin' | 'origin_door'>>;

/** Tables that a deletion of a session changes too. */
interface OtherTables {
  usage(): UsageTable;
  eventExpiry(): EventExpiry;
  searchIndex(): SearchIndexing | TsvectorIndexing;
  retention(): RetentionTable;
}

export class SessionTable extends SqlTable {
  private readonly statements: ReturnType<typeof statements>;
  private readonly parts: ReturnType<typeof sessionPartStatements>;

  constructor(
    private readonly db: Kysely<Schema>,
    private readonly others: OtherTables,
  ) {
    super();
    this.statements = statements(db);
    this.parts = sessionPartStatements(db);
  }

  async get(tenantId: string, id: string): Promise<SessionRecord | undefined> {
    const [row] = await this.runner.rows(this.statements.get({ tenant_id: tenantId, id }));
    return row && toRecord(row);
  }

  async list(tenantId: string, page: PageRequest, { parentRunId, originDoor, title }: SessionFilter = {}): Promise<Page<SessionRecord>> {
    const listed =
      parentRunId === undefined
        ? this.ofDoor(tenantId, originDoor)
        : this.db.selectFrom(this.childrenOf(tenantId, parentRunId)).select(COLUMNS);
    const query = title === undefined ? listed : listed.where(titleHolds(this.db, title));
    return readPage(this.runner, query, { order: ORDER, long: LONG_COLUMNS, toRecord: toRecord }, page);
  }

  /** The condition equals the condition of a partial index, so that SQLite uses that index. */
  private ofDoor(tenantId: string, door: SessionFilter['originDoor']) {
    const all = this.db.selectFrom('sessions').select(COLUMNS).where('tenant_id', '=', tenantId).where('parent_run_id', 'is', null);
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
      .select(COLUMNS)
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
    await this.statements.insert(this.runner, [toRow(session)]);
  }

  async update(tenantId: string, id: string, patch: SessionPatch): Promise<boolean> {
    const change: Change = {
      tenant_id: tenantId,
      id,
      title: patch.title ?? null,
      agent: patch.agent ?? null,
      locale: patch.locale ?? null,
      thinking_level: patch.thinkingLevel ?? null,
      metadata: toJson(patch.metadata),
      model: patch.model === null ? REMOVED : (patch.model ?? null),
      parameters: patch.parameters === null ? NO_PARAMETERS : toJson(patch.parameters),
      updated_at: patch.updatedAt ?? null,
    };
    return (await this.runner.changes(this.statements.update(change))) > 0;
  }

  async touch(tenantId: string, id: string, updatedAt: number): Promise<SessionRecord | undefined> {
    const [row] = await this.runner.rows(this.statements.touch({ tenant_id: tenantId, id, updated_at: updatedAt }));
    return row && toRecord(row);
  }

  async deletePart(tenantId: string, id: string): Promise<boolean> {
    const { usage, eventExpiry, searchIndex } = this.others;
    // Adds the usage of ended runs to their days before the runs are deleted: days keep their usage.
    await usage().on(this.runner).rollUp();
    if (await eventExpiry().on(this.runner).expireSession(tenantId, id)) return true;
    const isDeleted = await this.deleteSomeRows(tenantId, id);
    if (isDeleted) await searchIndex().on(this.runner).moveBack();
    return isDeleted;
  }

  private async deleteSomeRows(tenantId: string, id: string): Promise<boolean> {
    for (const deleteRows of Object.values(this.parts)) {
      if ((await this.runner.changes(deleteRows({ tenant_id: tenantId, id }))) > 0) return true;
    }
    return false;
  }

  /** Foreign keys delete the session's data, except idempotency keys, which have no foreign key. */
  async delete(tenantId: string, id: string): Promise<boolean> {
    const { usage, searchIndex, retention } = this.others;
    const key = { tenant_id: tenantId, id };
    while ((await usage().on(this.runner).rollUp()) > 0);
    await this.runner.changes(this.statements.deleteIdempotencyKeys(key));
    const isDeleted = (await this.runner.changes(this.statements.delete(key))) > 0;
    await searchIndex().on(this.runner).moveBack();
    if (isDeleted) await retention().on(this.runner).notePurge();
    return isDeleted;
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: template((key: Key) => db.selectFrom('sessions').select(COLUMNS).where('tenant_id', '=', key.tenant_id).where('id', '=', key.id)),
    childIds: template((key: Key) =>
      db.selectFrom('sessions').select('id').where('tenant_id', '=', key.tenant_id).where('parent_session_id', '=', key.id),
    ),
    insert: insertRows<SessionRow>(COLUMNS, rows => db.insertInto('sessions').values(rows)),
    update: template((change: Change) =>
      db
        .updateTable('sessions')
        .set({
          title: orUnchanged(change.title, 'title'),
          agent: orUnchanged(change.agent, 'agent'),
          locale: orUnchanged(change.locale, 'locale'),
          thinking_level: orUnchanged(change.thinking_level, 'thinking_level'),
          metadata: orUnchanged(change.metadata, 'metadata'),
          model: orUnchanged(change.model, 'model'),
          parameters: orUnchanged(change.parameters, 'parameters'),
          updated_at: orUnchanged(change.updated_at, 'updated_at'),
        })
        .where('tenant_id', '=', change.tenant_id)
        .where('id', '=', change.id),
    ),
    touch: template((change: Pick<SessionRow, 'tenant_id' | 'id' | 'updated_at'>) =>
      db
        .updateTable('sessions')
        .set({ updated_at: change.updated_at })
        .where('tenant_id', '=', change.tenant_id)
        .where('id', '=', change.id)
        .returning(COLUMNS),
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

function toRow(session: SessionRecord): SessionRow {
  return {
    tenant_id: session.tenantId,
    id: session.id,
    title: session.title,
    agent: session.agent,
    locale: session.locale,
    thinking_level: session.thinkingLevel,
    metadata: toJson(session.metadata),
    created_at: session.createdAt,
    updated_at: session.updatedAt,
    parent_run_id: session.parentRunId ?? null,
    parent_session_id: session.parentSessionId ?? null,
    origin: toJson(session.origin),
    origin_door: session.origin && 'door' in session.origin ? session.origin.door : null,
    model: session.model ?? null,
    parameters: toJson(session.parameters),
  };
}

function toRecord(row: SessionRow): SessionRecord {
  return {
    tenantId: row.tenant_id,
    id: row.id,
    title: row.title,
    agent: row.agent,
    locale: row.locale,
    thinkingLevel: row.thinking_level,
    metadata: row.metadata === null ? undefined : fromJson<Record<string, unknown>>(row.metadata),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    parentRunId: row.parent_run_id ?? undefined,
    parentSessionId: row.parent_session_id ?? undefined,
    origin: row.origin === null ? undefined : fromJson<SessionOrigin>(row.origin),
    model: row.model !== null && row.model !== REMOVED ? row.model : undefined,
    parameters: row.parameters !== null && row.parameters !== NO_PARAMETERS ? fromJson<ModelParameters>(row.parameters) : undefined,
  };
}
