/** Queries about the bytes of workspace files. */
import { type Kysely, sql } from 'kysely';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { selectBy, upsertInto } from '../../../adapter/sql/base/table_statements';
import type { Blob } from '../../../port/blob_store';

const BLOBS = defineTable<Blob & { tenantId: string; usedAt: number }>()('workspace_blobs', {
  tenant_id: 'text',
  hash: 'text',
  used_at: 'number',
  bytes: 'bytes',
});

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    workspace_blobs: RowOf<typeof BLOBS>;
  }
}

type Key = { tenant_id: string; hash: string };

export class WorkspaceBlobTable extends sqlTable(statements) {
  get(tenantId: string, hash: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, hash }), row => BLOBS.toRecord(row).bytes);
  }

  touch(tenantId: string, hash: string, now: number) {
    return this.hasChanged(this.statements.touch({ tenant_id: tenantId, hash, now }));
  }

  async put(tenantId: string, blobs: readonly Blob[], now: number): Promise<void> {
    await this.statements.put(
      this.runner,
      blobs.map(blob => ({ ...blob, tenantId, usedAt: now })),
    );
  }

  deleteUnused(before: number, limit: number): Promise<number> {
    return this.runner.changes(this.statements.deleteUnused({ before, limit }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: selectBy(db, BLOBS, 'tenant_id', 'hash'),
    touch: template((row: Key & { now: number }) =>
      db.updateTable('workspace_blobs').set({ used_at: row.now }).where('tenant_id', '=', row.tenant_id).where('hash', '=', row.hash),
    ),
    put: upsertInto(db, BLOBS, ['tenant_id', 'hash']),
    // The outer comparison counts for a blob that another gateway has asked for since the inner one.
    deleteUnused: template(({ before, limit }: { before: number; limit: number }) => ({
      compile: () =>
        sql`delete from workspace_blobs where used_at < ${before} and (tenant_id, hash) in (
          select tenant_id, hash from workspace_blobs as old where used_at < ${before} and not exists (
            select 1 from workspace_files as file
            where file.tenant_id = old.tenant_id and file.hash = old.hash and file.is_deleted = 0
          ) order by used_at limit ${limit}
        )`.compile(db),
    })),
  };
}
