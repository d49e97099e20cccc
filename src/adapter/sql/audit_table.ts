/** Queries about the audit log. The hash of the newest row is kept in `settings` too, so that removing rows at the end of the log is noticed. */
import { type Kysely, sql } from 'kysely';
import type {
  AuditAction,
  AuditDetails,
  AuditEnds,
  AuditFilter,
  AuditRecord,
  NewAuditRecord,
  PlacedAuditRecord,
} from '../../port/store/audit';
import { auditHash, FIRST_AUDIT_HASH } from '../../port/store/audit_hash';
import type { Page, PageRequest } from '../../port/store/page';
import type { AuditRow, SettingRow } from './audit_row';
import { fromJson } from './column_values';
import { type ListOrder, readPage } from './cursor';
import { insertRows } from './insert_rows';
import { template } from './query_template';
import type { Schema } from './schema';
import { SqlTable } from './sql_table';

const COLUMNS = ['position', 'id', 'tenant_id', 'at', 'actor', 'action', 'target', 'details', 'prev_hash', 'hash'] as const;
const NEW_COLUMNS = COLUMNS.filter(column => column !== 'position');
/** The position is left out, because it counts the rows of all tenants and a client can read its cursor. */
const ORDER: ListOrder = { list: 'audit', columns: ['at', 'id'], second: 'string', direction: 'desc' };

/** Keys in `settings`. The triggers of the table read the second one. */
const HEAD = 'audit_head';
const PRUNED_THROUGH = 'audit_pruned_through';
const PRUNED_HASH = 'audit_pruned_hash';

export class AuditTable extends SqlTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(private readonly db: Kysely<Schema>) {
    super();
    this.statements = statements(db);
  }

  async append(record: NewAuditRecord): Promise<AuditRecord> {
    // Continue from the hash in `settings`, not from the last row: a row after a cut tail then names a row that is gone.
    const prevHash = (await this.setting(HEAD)) ?? FIRST_AUDIT_HASH;
    const appended = { ...record, prevHash, hash: auditHash(prevHash, record) };
    await this.statements.insert(this.runner, [toRow(appended)]);
    await this.put(HEAD, appended.hash);
    return appended;
  }

  list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditRecord>> {
    let query = this.db.selectFrom('audit_log').select(COLUMNS);
    if (filter.tenantId !== undefined) query = query.where('tenant_id', '=', filter.tenantId);
    if (filter.actor !== undefined) query = query.where('actor', '=', filter.actor);
    if (filter.action !== undefined) query = query.where('action', '=', filter.action);
    if (filter.target !== undefined) query = query.where('target', '=', filter.target);
    if (filter.from !== undefined) query = query.where('at', '>=', filter.from);
    if (filter.to !== undefined) query = query.where('at', '<', filter.to);
    return readPage(this.runner, query, { order: ORDER, long: ['details'], toRecord }, page);
  }

  async readChain(position: number, limit: number): Promise<PlacedAuditRecord[]> {
    const rows = await this.runner.rows(this.statements.chain({ position, limit }));
    return rows.map(row => ({ ...toRecord(row), position: row.position }));
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
    await this.put(PRUNED_THROUGH, String(last.position));
    await this.put(PRUNED_HASH, last.hash);
    return this.runner.changes(this.statements.deleteThrough({ position: last.position }));
  }

  private async setting(key: string): Promise<string | undefined> {
    const [row] = await this.runner.rows(this.statements.setting({ key }));
    return row?.value;
  }

  private async put(key: string, value: string): Promise<void> {
    await this.runner.changes(this.statements.put({ key, value }));
  }
}

function statements(db: Kysely<Schema>) {
  const settings = db.selectFrom('settings').select(['key', 'value']);
  return {
    setting: template(({ key }: Pick<SettingRow, 'key'>) => settings.where('key', '=', key)),
    settings: template(() =>
      settings.where(
        'key',
        'in',
        [HEAD, PRUNED_THROUGH, PRUNED_HASH].map(key => sql.lit(key)),
      ),
    ),
    put: template((row: SettingRow) =>
      db
        .insertInto('settings')
        .values({ key: row.key, value: row.value })
        .onConflict(conflict => conflict.column('key').doUpdateSet(eb => ({ value: eb.ref('excluded.value') }))),
    ),
    insert: insertRows<Omit<AuditRow, 'position'>>(NEW_COLUMNS, rows => db.insertInto('audit_log').values(rows)),
    chain: template((place: { position: number; limit: number }) =>
      db.selectFrom('audit_log').select(COLUMNS).where('position', '>', place.position).orderBy('position').limit(place.limit),
    ),
    deleteThrough: template(({ position }: { position: number }) => db.deleteFrom('audit_log').where('position', '<=', position)),
  };
}

const toRow = (record: AuditRecord): Omit<AuditRow, 'position'> => ({
  id: record.id,
  tenant_id: record.tenantId,
  at: record.at,
  actor: record.actor,
  action: record.action,
  target: record.target,
  details: JSON.stringify(record.details),
  prev_hash: record.prevHash,
  hash: record.hash,
});

/** A row that was changed by hand must not prevent reading the other rows. */
function readDetails(text: string): AuditDetails {
  try {
    return fromJson<AuditDetails>(text);
  } catch {
    return { unreadable: true };
  }
}

const toRecord = (row: AuditRow): AuditRecord => ({
  tenantId: row.tenant_id,
  id: row.id,
  at: row.at,
  actor: row.actor,
  // A cast: another version of the gateway may have other actions.
  action: row.action as AuditAction,
  target: row.target,
  details: readDetails(row.details),
  prevHash: row.prev_hash,
  hash: row.hash,
});
