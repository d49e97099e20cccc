/** Creates the images of sessions. */
import type { Kysely } from 'kysely';

export async function createSessionImages(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('session_images')
    .addColumn('tenant_id', 'text', column => column.notNull())
    .addColumn('session_id', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('media_type', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('bytes', 'blob', column => column.notNull())
    .addPrimaryKeyConstraint('session_images_key', ['tenant_id', 'session_id', 'id'])
    .addForeignKeyConstraint('session_images_session', ['tenant_id', 'session_id'], 'sessions', ['tenant_id', 'id'], key =>
      key.onDelete('cascade'),
    )
    .execute();
}
