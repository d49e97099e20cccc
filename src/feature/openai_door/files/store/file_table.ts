/** Queries about the files of /v1/files. */
import { type Kysely, sql } from 'kysely';
import { isOwnedRowSeen, OWNED_COLUMNS, toViewerValues } from '../../../../adapter/sql/access/owned_rows';
import { encodeCursor, type ListOrder, readPage } from '../../../../adapter/sql/base/cursor';
import { defineTable, type RowOf } from '../../../../adapter/sql/base/define_table';
import { template } from '../../../../adapter/sql/base/query_template';
import type { Schema } from '../../../../adapter/sql/base/schema';
import { sqlTable } from '../../../../adapter/sql/base/sql_table';
import { deleteBy, insertInto, selectBy } from '../../../../adapter/sql/base/table_statements';
import type { OwnedChange } from '../../../../port/store/owned';
import type { Page } from '../../../../port/store/page';
import type { UploadedFileQuery, UploadedFileRecord } from './file_records';

const FILES = defineTable<UploadedFileRecord>()('openai_files', {
  tenant_id: 'text',
  id: 'text',
  path: 'text',
  filename: 'text',
  purpose: 'text',
  size: 'number',
  created_at: 'number',
  expires_at: 'number?',
  ...OWNED_COLUMNS,
});
const CHANGES = defineTable<OwnedChange>()('openai_files', { visibility: 'text', shared_with: 'json' });

declare module '../../../../adapter/sql/base/schema' {
  interface Schema {
    openai_files: RowOf<typeof FILES>;
  }
}

const OLDEST_FIRST: ListOrder = { list: 'openai_files', columns: ['created_at', 'id'], second: 'string', direction: 'asc' };
const NEWEST_FIRST: ListOrder = { ...OLDEST_FIRST, direction: 'desc' };

export class FileTable extends sqlTable(statements) {
  get(tenantId: string, id: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, id }), FILES.toRecord);
  }

  list(tenantId: string, { limit, order: direction, after, purpose, now, viewer }: UploadedFileQuery): Promise<Page<UploadedFileRecord>> {
    const order = direction === 'asc' ? OLDEST_FIRST : NEWEST_FIRST;
    const cursor = after && encodeCursor(order, { created_at: after.createdAt, id: after.id });
    const all = this.db
      .selectFrom('openai_files')
      .select(FILES.columns)
      .where('tenant_id', '=', tenantId)
      .where(eb => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]));
    const ofPurpose = purpose === undefined ? all : all.where('purpose', '=', purpose);
    const query = viewer ? ofPurpose.where(isOwnedRowSeen(this.db, 'openai_files', toViewerValues(viewer))) : ofPurpose;
    return readPage(this.runner, query, { order, long: [], toRecord: FILES.toRecord }, { limit, cursor });
  }

  count(tenantId: string) {
    return this.readCount(this.statements.count({ tenant_id: tenantId }));
  }

  expired(now: number, limit: number) {
    return this.records(this.statements.expired({ now, limit }), FILES.toRecord);
  }

  async insert(file: UploadedFileRecord): Promise<void> {
    await this.statements.insert(this.runner, [file]);
  }

  share(tenantId: string, id: string, change: OwnedChange) {
    return this.hasChanged(this.statements.share({ tenant_id: tenantId, id, ...CHANGES.toRow(change) }));
  }

  expire(tenantId: string, id: string, now: number) {
    return this.hasChanged(this.statements.expire({ tenant_id: tenantId, id, now }));
  }

  delete(tenantId: string, id: string) {
    return this.hasChanged(this.statements.delete({ tenant_id: tenantId, id }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: selectBy(db, FILES, 'tenant_id', 'id'),
    count: template((key: { tenant_id: string }) =>
      db.selectFrom('openai_files').select(sql<number>`count(*)`.as('count')).where('tenant_id', '=', key.tenant_id),
    ),
    expired: template((range: { now: number; limit: number }) =>
      db.selectFrom('openai_files').select(FILES.columns).where('expires_at', '<=', range.now).orderBy('expires_at').limit(range.limit),
    ),
    insert: insertInto(db, FILES),
    share: template((change: { tenant_id: string; id: string } & RowOf<typeof CHANGES>) =>
      db
        .updateTable('openai_files')
        .set({ visibility: change.visibility, shared_with: change.shared_with })
        .where('tenant_id', '=', change.tenant_id)
        .where('id', '=', change.id),
    ),
    expire: template((key: { tenant_id: string; id: string; now: number }) =>
      db.updateTable('openai_files').set({ expires_at: key.now }).where('tenant_id', '=', key.tenant_id).where('id', '=', key.id),
    ),
    delete: deleteBy(db, FILES, 'tenant_id', 'id'),
  };
}
