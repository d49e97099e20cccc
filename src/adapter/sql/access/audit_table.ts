/** Queries about the audit log. The hash of the newest row is kept in `settings` too, so that removing rows at the end of the log is noticed. */
import { type Generated, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type {
  AuditAction,
  AuditDetails,
  AuditEnds,
  AuditFilter,
  AuditRecord,
  NewAuditRecord,
  PlacedAuditRecord,
} from '../../../port/store/audit';
import { auditHash, FIRST_AUDIT_HASH } from '../../../port/store/audit_hash';
import type { Page, PageRequest } from '../../../port/store/page';
import { fromJson } from '../base/column_values';
import { type ListOrder, readPage } from '../base/cursor';
import { defineTable, type RowOf } from '../base/define_table';
import { jsonItems } from '../base/dialect';
import { searchPage } from '../base/page_search';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { insertInto, upsertInto } from '../base/table_statements';
import { holdsWords } from '../base/word_filter';

/** `action`: another version of the gateway may have other actions. `details`: the exact JSON text that is hashed. */
const ENTRY_COLUMNS = {
  id: 'text',
  tenant_id: 'text',
  at: 'number',
  actor: 'text',
  action: 'text',
  target: 'text',
  details: { encode: (details: AuditDetails): string => JSON.stringify(details), decode: readDetails },
} as const;

/** Rows that wait for the sealer, written in the transactions of their acts. */
const QUEUE = defineTable<NewAuditRecord>()('audit_queue', ENTRY_COLUMNS);
/** Sealed rows. `position`: place in the chain. */
const AUDIT = defineTable<PlacedAuditRecord>()('audit_log', { position: 'number', ...ENTRY_COLUMNS, prev_hash: 'text', hash: 'text' });
type AuditRow = RowOf<typeof AUDIT>;

/** Values that the gateway keeps about its own database. */
const SETTINGS = defineTable<{ key: string; value: string }>()('settings', { key: 'text', value: 'text' });

declare module '../base/schema' {
  interface Schema {
    /** `place`: order of the inserts, which is not the order of the commits. */
    audit_queue: RowOf<typeof QUEUE> & { place: Generated<number> };
    audit_log: AuditRow;
    settings: RowOf<typeof SETTINGS>;
  }
}

/** The position is left out, because it counts the rows of all tenants and a client can read its cursor. */
const ORDER: ListOrder = { list: 'audit', columns: ['at', 'id'], second: 'string', direction: 'desc' };

/** Columns that a search looks into. */
const SEARCHED = ['actor', 'action', 'target', 'details'] as const;

/** Keys in `settings`. The triggers of the table read the second one. */
const HEAD = 'audit_head';
const PRUNED_THROUGH = 'audit_pruned_through';
const PRUNED_HASH = 'audit_pruned_hash';

export class AuditTable extends sqlTable(statements) {
  async append(record: NewAuditRecord): Promise<void> {
    await this.statements.enqueue(this.runner, [record]);
  }

  countUnsealed(): Promise<number> {
    return this.readCount(this.statements.unsealed({}));
  }

  async seal(limit: number): Promise<number> {
    const waiting = await this.runner.rows(this.statements.waiting({ limit }));
    if (waiting.length === 0) return 0;
    const { head, prunedThrough } = await this.ends();
    const sealed = chainOf(waiting.map(QUEUE.toRecord), {
      // Continue from the hash in `settings`, not from the last row: a row after a cut tail then names a row that is gone.
      hash: head ?? FIRST_AUDIT_HASH,
      // Retention may have deleted the last row.
      position: Math.max(prunedThrough, await this.readCount(this.statements.lastPosition({}))),
    });
    await this.statements.insert(this.runner, sealed);
    await this.statements.put(this.runner, [{ key: HEAD, value: sealed.at(-1)?.hash ?? FIRST_AUDIT_HASH }]);
    // Exactly these rows: a row with a lower place may have been committed since.
    await this.runner.changes(this.statements.dequeue({ places: JSON.stringify(waiting.map(({ place }) => place)) }));
    return sealed.length;
  }

  list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditRecord>> {
    const { tenantId, from, to, ...conditions } = filter;
    let list = this.db.selectFrom('audit_log').select(AUDIT.columns);
    if (tenantId !== undefined) list = list.where('tenant_id', '=', tenantId);
    if (from !== undefined) list = list.where('at', '>=', from);
    if (to !== undefined) list = list.where('at', '<', to);
    const shape = { order: ORDER, long: ['details'] as const, toRecord: AUDIT.toRecord };
    if (Object.values(conditions).every(value => value === undefined)) return readPage(this.runner, list, shape, page);
    const matches = (part: typeof list) => this.matching(part, conditions);
    return searchPage(this.runner, { list, matches }, shape, page);
  }

  /** Selects rows of a part of the log by conditions that no index answers. */
  private matching(part: SelectQueryBuilder<Schema, 'audit_log', AuditRow>, { actor, action, actions, target, words }: AuditFilter) {
    let query = this.db.selectFrom(part.as('audit_log')).selectAll();
    if (actor !== undefined) query = query.where('actor', '=', actor);
    if (action !== undefined) query = query.where('action', '=', action as AuditAction);
    if (actions !== undefined) query = query.where('action', 'in', [...actions]);
    if (target !== undefined) query = query.where('target', '=', target);
    if (words !== undefined) query = query.where(holdsWords(this.db, SEARCHED, words));
    return query;
  }

  readChain(position: number, limit: number): Promise<PlacedAuditRecord[]> {
    return this.records(this.statements.chain({ position, limit }), AUDIT.toRecord);
  }

  async ends(): Promise<AuditEnds> {
    const rows = await this.runner.rows(this.statements.settings({}));
    const read = (key: string) => rows.find(row => row.key === key)?.value;
    return {
      prunedThrough: Number(read(PRUNED_THROUGH) ?? 0),
      prunedHash: read(PRUNED_HASH) ?? FIRST_AUDIT_HASH,
      head: read(HEAD),
    };
  }

  async prune(before: number, limit: number): Promise<number> {
    const oldest = await this.runner.rows(this.statements.chain({ position: 0, limit }));
    // The clock may have been set back, so times need not grow along the log: delete only the rows before the first one that is young enough.
    const kept = oldest.findIndex(row => row.at >= before);
    const last = kept === -1 ? oldest.at(-1) : oldest[kept - 1];
    if (!last) return 0;
    await this.statements.put(this.runner, [{ key: PRUNED_THROUGH, value: String(last.position) }]);
    await this.statements.put(this.runner, [{ key: PRUNED_HASH, value: last.hash }]);
    return this.runner.changes(this.statements.deleteThrough({ position: last.position }));
  }
}

/** Links rows to the end of the chain. */
function chainOf(records: readonly NewAuditRecord[], end: { hash: string; position: number }): PlacedAuditRecord[] {
  let { hash: prevHash, position } = end;
  return records.map(record => {
    position += 1;
    const sealed = { ...record, position, prevHash, hash: auditHash(prevHash, record) };
    prevHash = sealed.hash;
    return sealed;
  });
}

function statements(db: Kysely<Schema>) {
  return {
    enqueue: insertInto(db, QUEUE),
    unsealed: template((_: object) => db.selectFrom('audit_queue').select(sql<number>`count(*)`.as('count'))),
    waiting: template(({ limit }: { limit: number }) =>
      db
        .selectFrom('audit_queue')
        .select(['place', ...QUEUE.columns])
        .orderBy('place')
        .limit(limit),
    ),
    dequeue: template(({ places }: { places: string }) =>
      db.deleteFrom('audit_queue').where('place', 'in', sql<number>`(select cast(place.value as bigint) from ${jsonItems(db, places)})`),
    ),
    lastPosition: template((_: object) => db.selectFrom('audit_log').select(sql<number>`max(position)`.as('count'))),
    settings: template(() =>
      db
        .selectFrom('settings')
        .select(SETTINGS.columns)
        .where(
          'key',
          'in',
          [HEAD, PRUNED_THROUGH, PRUNED_HASH].map(key => sql.lit(key)),
        ),
    ),
    put: upsertInto(db, SETTINGS, ['key']),
    insert: insertInto(db, AUDIT),
    chain: template((place: { position: number; limit: number }) =>
      db.selectFrom('audit_log').select(AUDIT.columns).where('position', '>', place.position).orderBy('position').limit(place.limit),
    ),
    deleteThrough: template(({ position }: { position: number }) => db.deleteFrom('audit_log').where('position', '<=', position)),
  };
}

/** A row that was changed by hand must not prevent reading the other rows. */
function readDetails(text: string): AuditDetails {
  try {
    return fromJson<AuditDetails>(text);
  } catch {
    return { unreadable: true };
  }
}
