import type { Kysely } from 'kysely';

/** Creates the answers that repetitions of a request get, and names the session of the run of a case. */
export async function keepAnswers(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('suite_cases').addColumn('session_id', 'text').execute();
  await db.schema
    .createTable('replay_answers')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('session_id', 'text')
    .addColumn('owner', 'text', column => column.notNull())
    .addColumn('answer', 'text')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('replay_answers_key', ['tenant_id', 'id'])
    .addForeignKeyConstraint('replay_answers_session', ['tenant_id', 'session_id'], 'sessions', ['tenant_id', 'id'], key =>
      key.onDelete('cascade'),
    )
    .execute();
  await db.schema.createIndex('replay_answers_by_age').on('replay_answers').columns(['created_at']).execute();
  await db.schema.createIndex('replay_answers_of_session').on('replay_answers').columns(['tenant_id', 'session_id']).execute();
}
