/** Creates the audit log, the values that the gateway keeps about its own database, and triggers that refuse to change a row of the log. */
import { type Kysely, sql } from 'kysely';

export async function createAuditLog(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('settings')
    .addColumn('key', 'text', column => column.primaryKey())
    .addColumn('value', 'text', column => column.notNull())
    .execute();
  await db.schema
    .createTable('audit_log')
    .addColumn('position', 'integer', column => column.primaryKey())
    .addColumn('id', 'text', column => column.notNull().unique())
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('at', 'bigint', column => column.notNull())
    .addColumn('actor', 'text', column => column.notNull())
    .addColumn('action', 'text', column => column.notNull())
    .addColumn('target', 'text', column => column.notNull())
    .addColumn('details', 'text', column => column.notNull())
    .addColumn('prev_hash', 'text', column => column.notNull())
    .addColumn('hash', 'text', column => column.notNull())
    .execute();
  await db.schema.createIndex('audit_log_by_time').on('audit_log').columns(['at', 'position']).execute();
  await db.schema.createIndex('audit_log_by_tenant').on('audit_log').columns(['tenant_id', 'at', 'position']).execute();
  await sql`
    create trigger audit_log_refuses_update before update on audit_log begin
      select raise(abort, 'the rows of audit_log do not change');
    end
  `.execute(db);
  // Retention moves the mark first, in the same transaction.
  await sql`
    create trigger audit_log_refuses_delete before delete on audit_log
    when old.position > coalesce((select cast(value as integer) from settings where key = 'audit_pruned_through'), 0) begin
      select raise(abort, 'the rows of audit_log are deleted by retention only, the oldest first');
    end
  `.execute(db);
}
