/** Queries about the files of workspaces and their newest versions. */
import type { Kysely } from 'kysely';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { pick, template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { selectBy, upsertInto } from '../../../adapter/sql/base/table_statements';
import type { WorkspaceFileRecord, WorkspaceHead } from './snapshot_records';

const FILES = defineTable<WorkspaceFileRecord>()('workspace_files', {
  tenant_id: 'text',
  path: 'text',
  version: 'number',
  is_deleted: 'flag',
  hash: 'text',
  size: 'number',
  mode: 'number',
  is_link: 'flag',
  session_id: 'text?',
});

const HEADS = defineTable<WorkspaceHead & { tenantId: string }>()('workspace_heads', {
  tenant_id: 'text',
  version: 'number',
  files: 'number',
  bytes: 'number',
});

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    workspace_files: RowOf<typeof FILES>;
    workspace_heads: RowOf<typeof HEADS>;
  }
}

const NO_HEAD: WorkspaceHead = { version: 0, files: 0, bytes: 0 };

export class WorkspaceFileTable extends sqlTable(statements) {
  async head(tenantId: string): Promise<WorkspaceHead> {
    const head = await this.record(this.statements.head({ tenant_id: tenantId }), HEADS.toRecord);
    return head ? { version: head.version, files: head.files, bytes: head.bytes } : NO_HEAD;
  }

  changedSince(tenantId: string, version: number) {
    return this.records(this.statements.changedSince({ tenant_id: tenantId, version }), FILES.toRecord);
  }

  async namesHash(tenantId: string, hash: string): Promise<boolean> {
    return (await this.runner.rows(this.statements.named({ tenant_id: tenantId, hash }))).length > 0;
  }

  async commit(tenantId: string, head: WorkspaceHead, changed: readonly WorkspaceFileRecord[]): Promise<boolean> {
    const row = HEADS.toRow({ tenantId, ...head });
    if (head.version === 1) await this.runner.changes(this.statements.first({ tenant_id: tenantId }));
    if (!(await this.hasChanged(this.statements.advance({ ...row, before: head.version - 1 })))) return false;
    await this.statements.upsert(this.runner, changed);
    return true;
  }
}

function statements(db: Kysely<Schema>) {
  return {
    head: selectBy(db, HEADS, 'tenant_id'),
    changedSince: template((key: { tenant_id: string; version: number }) =>
      db
        .selectFrom('workspace_files')
        .select(FILES.columns)
        .where('tenant_id', '=', key.tenant_id)
        .where('version', '>', key.version)
        .orderBy('path'),
    ),
    named: template((key: { tenant_id: string; hash: string }) =>
      db
        .selectFrom('workspace_files')
        .select('path')
        .where('tenant_id', '=', key.tenant_id)
        .where('hash', '=', key.hash)
        .where('is_deleted', '=', 0)
        .limit(1),
    ),
    first: template(({ tenant_id }: { tenant_id: string }) =>
      db
        .insertInto('workspace_heads')
        .values({ tenant_id, version: 0, files: 0, bytes: 0 })
        .onConflict(conflict => conflict.column('tenant_id').doNothing()),
    ),
    advance: template((row: RowOf<typeof HEADS> & { before: number }) =>
      db
        .updateTable('workspace_heads')
        .set(pick(row, ['version', 'files', 'bytes']))
        .where('tenant_id', '=', row.tenant_id)
        .where('version', '=', row.before),
    ),
    upsert: upsertInto(db, FILES, ['tenant_id', 'path']),
  };
}
