/** The tables of the first version: sessions, their runs and everything that belongs to them. */
import { type Kysely, sql } from 'kysely';

export async function createCoreTables(db: Kysely<unknown>): Promise<void> {
  await createSessions(db);
  await createRuns(db);
  await createSteers(db);
  await createMessages(db);
  await createRunEvents(db);
  await createClarifications(db);
  await createTodos(db);
  await createTerminals(db);
  await createToolExecutions(db);
  await createRunningDirectCallIndex(db);
  await createIdempotencyKeys(db);
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('title', 'text', column => column.notNull())
    .addColumn('agent', 'text', column => column.notNull())
    .addColumn('locale', 'text', column => column.notNull())
    .addColumn('thinking_level', 'text', column => column.notNull())
    .addColumn('metadata', 'text')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('updated_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('sessions_key', ['tenant_id', 'id'])
    .execute();
  await db.schema.createIndex('sessions_by_update').on('sessions').columns(['tenant_id', 'updated_at', 'id']).execute();
}

async function createRuns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('runs')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('session_id', 'text', column => column.notNull())
    .addColumn('ordinal', 'bigint', column => column.notNull())
    .addColumn('status', 'text', column => column.notNull())
    .addColumn('door', 'text', column => column.notNull())
    .addColumn('agent', 'text', column => column.notNull())
    .addColumn('locale', 'text', column => column.notNull())
    .addColumn('input', 'text', column => column.notNull())
    .addColumn('interaction', 'text', column => column.notNull())
    .addColumn('limits', 'text', column => column.notNull())
    .addColumn('metadata', 'text')
    .addColumn('last_seq', 'bigint', column => column.notNull())
    .addColumn('recovered_at_seq', 'bigint')
    .addColumn('epoch', 'bigint', column => column.notNull())
    .addColumn('owner', 'text')
    .addColumn('lease_until', 'bigint')
    .addColumn('recoveries', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('cancel_requested', 'integer', column => column.notNull())
    .addColumn('outcome', 'text')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('events_expired', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('events_to_newest', 'bigint')
    .addPrimaryKeyConstraint('runs_key', ['tenant_id', 'id'])
    .addUniqueConstraint('runs_by_ordinal', ['tenant_id', 'session_id', 'ordinal'])
    .addForeignKeyConstraint('runs_session', ['tenant_id', 'session_id'], 'sessions', ['tenant_id', 'id'], key => key.onDelete('cascade'))
    .execute();
  await db.schema.createIndex('runs_by_status').on('runs').columns(['tenant_id', 'session_id', 'status', 'ordinal']).execute();
  await db.schema.createIndex('runs_by_creation').on('runs').columns(['tenant_id', 'created_at', 'id']).execute();
  // Recovery reads the few unfinished runs through this index.
  await db.schema
    .createIndex('runs_unfinished')
    .on('runs')
    .columns(['created_at', 'id'])
    .where(sql<boolean>`status in ('queued', 'running', 'waiting')`)
    .execute();
  // Sorted by owner for lease renewal; small enough for a full scan that finds expired leases.
  await db.schema
    .createIndex('runs_leased')
    .on('runs')
    .columns(['owner', 'lease_until'])
    .where(sql<boolean>`status in ('running', 'waiting')`)
    .execute();
  await createExpiryIndexes(db);
}

async function createExpiryIndexes(db: Kysely<unknown>): Promise<void> {
  const hasEvents = sql<boolean>`events_expired = 0`;
  // Uncounted runs sort by their end, counted ones by events_to_newest.
  await db.schema
    .createIndex('runs_by_expiry')
    .on('runs')
    .columns(['events_to_newest', 'ended_at'])
    .where(hasEvents)
    .where(sql<boolean>`ended_at is not null`)
    .execute();
  await db.schema.createIndex('runs_with_events').on('runs').columns(['tenant_id', 'session_id', 'ordinal']).where(hasEvents).execute();
}

async function createSteers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('steers')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('session_id', 'text', column => column.notNull())
    .addColumn('run_id', 'text', column => column.notNull())
    .addColumn('position', 'bigint', column => column.notNull())
    .addColumn('text', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('taken_at', 'bigint')
    .addPrimaryKeyConstraint('steers_key', ['tenant_id', 'id'])
    .addUniqueConstraint('steers_by_run', ['tenant_id', 'run_id', 'position'])
    .addForeignKeyConstraint('steers_run', ['tenant_id', 'run_id'], 'runs', ['tenant_id', 'id'], key => key.onDelete('cascade'))
    .execute();
}

async function createMessages(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('messages')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('session_id', 'text', column => column.notNull())
    .addColumn('run_id', 'text', column => column.notNull())
    .addColumn('run_ordinal', 'bigint', column => column.notNull())
    .addColumn('position', 'bigint', column => column.notNull())
    .addColumn('message', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('messages_key', ['tenant_id', 'id'])
    .addUniqueConstraint('messages_in_order', ['tenant_id', 'session_id', 'run_ordinal', 'position'])
    .addForeignKeyConstraint('messages_session', ['tenant_id', 'session_id'], 'sessions', ['tenant_id', 'id'], key =>
      key.onDelete('cascade'),
    )
    .execute();
}

async function createRunEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('run_events')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('run_id', 'text', column => column.notNull())
    .addColumn('session_id', 'text', column => column.notNull())
    .addColumn('first_seq', 'bigint', column => column.notNull())
    .addColumn('last_seq', 'bigint', column => column.notNull())
    .addColumn('type', 'text', column => column.notNull())
    .addColumn('ts', 'text', column => column.notNull())
    .addColumn('data', 'text', column => column.notNull())
    // Keyed by the last seq, so that a cursor inside a packed row finds that row.
    .addPrimaryKeyConstraint('run_events_key', ['tenant_id', 'run_id', 'last_seq'])
    .addForeignKeyConstraint('run_events_run', ['tenant_id', 'run_id'], 'runs', ['tenant_id', 'id'], key => key.onDelete('cascade'))
    .execute();
}

async function createClarifications(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('clarifications')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('session_id', 'text', column => column.notNull())
    .addColumn('run_id', 'text', column => column.notNull())
    .addColumn('tool_call_id', 'text')
    .addColumn('mode', 'text', column => column.notNull())
    .addColumn('question', 'text', column => column.notNull())
    .addColumn('choices', 'text')
    .addColumn('approval', 'text')
    .addColumn('approval_grant', 'text')
    .addColumn('approval_fingerprint', 'text')
    .addColumn('status', 'text', column => column.notNull())
    .addColumn('answer', 'text')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .addColumn('closed_at', 'bigint')
    .addPrimaryKeyConstraint('clarifications_key', ['tenant_id', 'id'])
    .addForeignKeyConstraint('clarifications_session', ['tenant_id', 'session_id'], 'sessions', ['tenant_id', 'id'], key =>
      key.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createIndex('clarifications_by_session')
    .on('clarifications')
    .columns(['tenant_id', 'session_id', 'status', 'created_at', 'id'])
    .execute();
  await db.schema
    .createIndex('clarifications_by_status')
    .on('clarifications')
    .columns(['tenant_id', 'status', 'created_at', 'id'])
    .execute();
  await db.schema
    .createIndex('clarifications_by_grant')
    .on('clarifications')
    .columns(['tenant_id', 'session_id', 'approval_grant', 'created_at'])
    .execute();
  await db.schema
    .createIndex('clarifications_by_run')
    .on('clarifications')
    .columns(['tenant_id', 'run_id', 'approval_fingerprint', 'created_at'])
    .execute();
}

async function createTodos(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('todos')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('session_id', 'text', column => column.notNull())
    .addColumn('todos', 'text', column => column.notNull())
    .addColumn('updated_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('todos_key', ['tenant_id', 'session_id'])
    .addForeignKeyConstraint('todos_session', ['tenant_id', 'session_id'], 'sessions', ['tenant_id', 'id'], key => key.onDelete('cascade'))
    .execute();
}

async function createTerminals(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('terminals')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('session_id', 'text', column => column.notNull())
    .addColumn('cwd', 'text', column => column.notNull())
    .addColumn('variables', 'text', column => column.notNull())
    .addColumn('updated_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('terminals_key', ['tenant_id', 'session_id'])
    .addForeignKeyConstraint('terminals_session', ['tenant_id', 'session_id'], 'sessions', ['tenant_id', 'id'], key =>
      key.onDelete('cascade'),
    )
    .execute();
}

async function createToolExecutions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('tool_executions')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('session_id', 'text')
    .addColumn('run_id', 'text')
    .addColumn('tool_call_id', 'text')
    .addColumn('tool', 'text', column => column.notNull())
    .addColumn('args', 'text', column => column.notNull())
    .addColumn('owner', 'text')
    .addColumn('status', 'text', column => column.notNull())
    .addColumn('result', 'text')
    .addColumn('error', 'text')
    .addColumn('duration_ms', 'double precision')
    .addColumn('cached', 'integer')
    .addColumn('duplicate', 'integer')
    .addColumn('details', 'text')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addPrimaryKeyConstraint('tool_executions_key', ['tenant_id', 'id'])
    .addForeignKeyConstraint('tool_executions_session', ['tenant_id', 'session_id'], 'sessions', ['tenant_id', 'id'], key =>
      key.onDelete('cascade'),
    )
    .execute();
  await db.schema.createIndex('tool_executions_by_creation').on('tool_executions').columns(['tenant_id', 'created_at', 'id']).execute();
  await db.schema
    .createIndex('tool_executions_by_session')
    .on('tool_executions')
    .columns(['tenant_id', 'session_id', 'created_at', 'id'])
    .execute();
  await db.schema
    .createIndex('tool_executions_by_run')
    .on('tool_executions')
    .columns(['tenant_id', 'run_id', 'created_at', 'id'])
    .execute();
}

/** Recovery reads the few direct calls that are still running through this index. */
async function createRunningDirectCallIndex(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('tool_executions_running')
    .on('tool_executions')
    .columns(['created_at'])
    .where(sql<boolean>`status = 'running' and run_id is null`)
    .execute();
}

async function createIdempotencyKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('key', 'text', column => column.notNull())
    .addColumn('fingerprint', 'text', column => column.notNull())
    .addColumn('run_id', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_key', ['tenant_id', 'key'])
    .execute();
  // No foreign key: the key is inserted before its run, in the same transaction.
  await db.schema.createIndex('idempotency_keys_by_run').on('idempotency_keys').columns(['tenant_id', 'run_id']).execute();
  await db.schema.createIndex('idempotency_keys_by_creation').on('idempotency_keys').columns(['created_at']).execute();
}
