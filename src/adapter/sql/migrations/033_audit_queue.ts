/**
 * Creates the rows of the audit log that wait to be sealed. The transaction of an act inserts there and waits for no other transaction; the sealer
 * moves the rows into audit_log, whose rows do not change. Triggers refuse to change a row that waits, and to delete a row that is not sealed.
 */
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../base/dialect';

export async function createAuditQueue(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_queue')
    .addColumn('place', 'integer', column => (isPostgres(db) ? column.primaryKey().generatedAlwaysAsIdentity() : column.primaryKey()))
    .addColumn('id', 'text', column => column.notNull().unique())
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('at', 'bigint', column => column.notNull())
    .addColumn('actor', 'text', column => column.notNull())
    .addColumn('action', 'text', column => column.notNull())
    .addColumn('target', 'text', column => column.notNull())
    .addColumn('details', 'text', column => column.notNull())
    .execute();
  await (isPostgres(db) ? refuseChangesInPostgres(db) : refuseChanges(db));
}

async function refuseChanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    create trigger audit_queue_refuses_update before update on audit_queue begin
      select raise(abort, 'the rows of audit_queue do not change');
    end
  `.execute(db);
  await sql`
    create trigger audit_queue_refuses_delete before delete on audit_queue
    when not exists (select 1 from audit_log where id = old.id) begin
      select raise(abort, 'the rows of audit_queue are deleted when they are in audit_log');
    end
  `.execute(db);
}

async function refuseChangesInPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function audit_queue_refuse() returns trigger language plpgsql as $body$
    begin
      if tg_op = 'UPDATE' then raise exception 'the rows of audit_queue do not change'; end if;
      if not exists (select 1 from audit_log where id = old.id) then
        raise exception 'the rows of audit_queue are deleted when they are in audit_log';
      end if;
      return old;
    end $body$
  `.execute(db);
  await sql`
    create trigger audit_queue_refuses before update or delete on audit_queue for each row execute function audit_queue_refuse()
  `.execute(db);
}
