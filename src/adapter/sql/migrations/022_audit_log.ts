/** Creates the audit log, the values that the gateway keeps about its own database, and triggers that refuse to change a row of the log. */
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../base/dialect';

export async function createAuditLog(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('settings')
    .addColumn('key', 'text', column => column.primaryKey())
    .addColumn('value', 'text', column => column.notNull())
    .execute();
  await db.schema
    .createTable('audit_log')
    .addColumn('position', 'integer', column => (isPostgres(db) ? column.primaryKey().generatedByDefaultAsIdentity() : column.primaryKey()))
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
  await (isPostgres(db) ? refuseChangesInPostgres(db) : refuseChanges(db));
}

async function refuseChanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    create trigger audit_log_refuses_update before update on audit_log begin
      select raise(abort, 'the rows of audit_log do not change');
    end
  `.execute(db);
  // Only rows up to the mark in `settings` can be deleted; retention moves the mark first, in the same transaction.
  await sql`
    create trigger audit_log_refuses_delete before delete on audit_log
    when old.position > coalesce((select cast(value as integer) from settings where key = 'audit_pruned_through'), 0) begin
      select raise(abort, 'the rows of audit_log are deleted by retention only, the oldest first');
    end
  `.execute(db);
}

async function refuseChangesInPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function audit_log_refuse() returns trigger language plpgsql as $body$
    begin
      if tg_op = 'UPDATE' then raise exception 'the rows of audit_log do not change'; end if;
      if old.position > coalesce((select cast(value as bigint) from settings where key = 'audit_pruned_through'), 0) then
        raise exception 'the rows of audit_log are deleted by retention only, the oldest first';
      end if;
      return old;
    end $body$
  `.execute(db);
  await sql`
    create trigger audit_log_refuses before update or delete on audit_log for each row execute function audit_log_refuse()
  `.execute(db);
}
