/** Indexes with which a heartbeat and the clean-up read a part of their rows: queued runs, and ended runs whose events are not counted yet. */
import { type Kysely, sql } from 'kysely';

export async function indexParts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('runs_queued')
    .on('runs')
    .columns(['created_at', 'tenant_id', 'session_id', 'key_name'])
    .where(sql<boolean>`status = 'queued'`)
    .execute();
  // Postgres does not read an index in order behind "events_to_newest is null", so these runs have an index of their own.
  await db.schema.dropIndex('runs_by_expiry').execute();
  await db.schema
    .createIndex('runs_by_expiry')
    .on('runs')
    .columns(['events_to_newest', 'ended_at'])
    .where(sql<boolean>`events_expired = 0 and ended_at is not null and events_to_newest is not null`)
    .execute();
  await db.schema
    .createIndex('runs_uncounted')
    .on('runs')
    .column('ended_at')
    .where(sql<boolean>`events_expired = 0 and ended_at is not null and events_to_newest is null`)
    .execute();
}
