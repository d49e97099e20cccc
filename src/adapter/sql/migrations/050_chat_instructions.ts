/** Marks temporary chats, and keeps the instructions that a person gave for a chat. */
import type { Kysely } from 'kysely';

export async function addChatInstructions(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('temporary', 'integer').execute();
  await db.schema.alterTable('sessions').addColumn('instructions', 'text').execute();
}
