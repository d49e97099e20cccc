/**
 * Replaces the place up to which messages are indexed by a queue of messages that are not: transactions may commit in another order than their messages
 * have places. A trigger fills the queue. Messages behind the place are queued here: none or few, all of a database that was never indexed. Takes
 * seconds with 1,000,000 messages: docs/decisions/0038.
 */
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../base/dialect';

export async function createSearchQueue(db: Kysely<unknown>): Promise<void> {
  await (isPostgres(db) ? createInPostgres(db) : create(db));
  await db.schema.dropTable('search_progress').execute();
}

async function create(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table search_queue (
      tenant_id text not null, message_id text not null, primary key (tenant_id, message_id)
    ) without rowid
  `.execute(db);
  // Another program may have moved the rows, as `vacuum` does: then every message is queued, and the indexer skips those of the index.
  await sql`
    insert into search_queue (tenant_id, message_id)
    select messages.tenant_id, messages.id from messages, search_progress
    where messages.rowid > case
      when last_message_id = coalesce((select id from messages where rowid = last_rowid), '') then last_rowid else 0
    end
    order by messages.tenant_id, messages.id
  `.execute(db);
  await sql`
    create trigger messages_wait_for_search after insert on messages begin
      insert or ignore into search_queue (tenant_id, message_id) values (new.tenant_id, new.id);
    end
  `.execute(db);
}

async function createInPostgres(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('search_queue')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('message_id', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('search_queue_key', ['tenant_id', 'message_id'])
    .execute();
  await sql`
    insert into search_queue (tenant_id, message_id)
    select tenant_id, id from messages where place > (select last_rowid from search_progress)
  `.execute(db);
  await sql`
    create function messages_wait_for_search() returns trigger language plpgsql as $body$
    begin
      insert into search_queue (tenant_id, message_id) select tenant_id, id from added on conflict do nothing;
      return null;
    end $body$
  `.execute(db);
  await sql`
    create trigger messages_wait_for_search after insert on messages referencing new table as added
    for each statement execute function messages_wait_for_search()
  `.execute(db);
  await db.schema.alterTable('messages').dropColumn('place').execute();
}
