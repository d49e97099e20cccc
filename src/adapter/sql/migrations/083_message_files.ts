/** Adds references to the PDF files of the message that started a run, and of steering messages. */
import type { Kysely } from 'kysely';

export async function addMessageFiles(db: Kysely<unknown>): Promise<void> {
  for (const table of ['runs', 'steers']) await db.schema.alterTable(table).addColumn('files', 'text').execute();
}
