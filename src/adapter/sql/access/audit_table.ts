/** Queries about the audit log. The hash of the newest row is kept in `settings` too, so that removing rows at the end of the log is noticed. */
import { type Generated, type Kysely, sql } from 'kysely';
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
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { insertInto, selectBy, upsertInto } from '../base/table_statements';

/** `action`: another version of the gateway may have other actions. `details`: the exact JSON text that was hashed. */
const AUDIT = defineTable<AuditRecord>()('audit_log', {
  id: 'text',
  tenant_id: 'text',
  at: 'number',
  actor: 'text',
  action: 'text',
  target: 'text',
  details: { encode: (details: AuditDetails): string => JSON.stringify(details), decode: readDetails },
  prev_hash: 'text',
  hash: 'text',
});
const PLACED_COLUMNS = ['position', ...AUDIT.columns] as const;

/** Values that the gateway keeps about its own database. */
const SETTINGS = defineTable<{ key: string; value: string }>()('settings', { key: 'text', value: 'text' });

declare module '../base/schema' {
  interface Schema {
    audit_log: RowOf<typeof AUDIT> & { position: Generated<number> };
    settings: RowOf<typeof SETTINGS>;
  }
}

/** The position is left out, because it counts the rows of all tenants and a client can read its cursor. */
const ORDER: ListOrder = { list: 'audit', columns: ['at', 'id'], second: 'string', direction: 'desc' };

/** Keys in `settings`. The triggers of the table read the second one. */
const HEAD = 'audit_head';
const PRUNED_THROUGH = 'audit_pruned_through';
const PRUNED_HASH = 'audit_pruned_hash';

export class AuditTable extends sqlTable(statements) {
  async append(record: NewAuditRecord): Promise<AuditRecord> {
    // Continue from the hash in `settings`, not from the last row: a row after a cut tail then names a row that is gone.
    const prevHash = (await this.setting(HEAD)) ?? FIRST_AUDIT_HASH;
    const appended = { ...record, prevHash, hash: auditHash(prevHash, record) };
    await this.statements.insert(this.runner, [appended]);
    await this.statements.put(this.runner, [{ key: HEAD, value: appended.hash }]);
    return appended;
  }

  list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditRecord>> {
    let query = this.db.selectFrom('audit_log').select(PLACED_COLUMNS);
    if (filter.tenantId !== undefined) query = query.where('tenant_id', '=', filter.tenantId);
    if (filter.actor !== undefined) query = query.where('actor', '=', filter.actor);
    if (filter.action !== undefined) query = query.where('action', '=', filter.action as AuditAction);
    if (filter.target !== undefined) query = query.where('target', '=', filter.target);
    if (filter.from !== undefined) query = query.where('at', '>=', filter.from);
    if (filter.to !== undefined) query = query.where('at', '<', filter.to);
    return readPage(this.runner, query, { order: ORDER, long: ['details'], toRecord: AUDIT.toRecord }, page);
  }

  async readChain(position: number, limit: number): Promise<PlacedAuditRecord[]> {
    const rows = await this.runner.rows(this.statements.chain({ position, limit }));
    return rows.map(row => ({ ...AUDIT.toRecord(row), position: row.position }));
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

  private async setting(key: string): Promise<string | undefined> {
    const [row] = await this.runner.rows(this.statements.setting({ key }));
    return row?.value;
  }
}

function statements(db: Kysely<Schema>) {
  return {
    setting: selectBy(db, SETTINGS, 'key'),
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
      db.selectFrom('audit_log').select(PLACED_COLUMNS).where('position', '>', place.position).orderBy('position').limit(place.limit),
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
