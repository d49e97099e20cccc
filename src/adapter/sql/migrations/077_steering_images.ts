/** Adds images and metadata to steering messages. */
import type { Kysely } from 'kysely';

export async function addSteeringImages(db: Kysely<unknown>): Promise<void> {
  for (const column of ['images', 'metadata']) await db.schema.alterTable('steers').addColumn(column, 'text').execute();
}
