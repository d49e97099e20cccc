/** Counts the changes of messages that a session had already, so that cached histories notice them. */
import type { Kysely } from 'kysely';

export async function addHistoryVersions(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('history_version', 'integer').execute();
}
