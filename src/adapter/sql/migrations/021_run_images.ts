/** References to the images of the message that started a run. */
import type { Kysely } from 'kysely';

export async function addRunImages(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('runs').addColumn('images', 'text').execute();
}
