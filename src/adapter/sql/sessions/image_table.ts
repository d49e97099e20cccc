/** Queries about the images of sessions. */
import type { Kysely } from 'kysely';
import type { ImageRecord } from '../../../port/store/images';
import { defineTable, type RowOf } from '../base/define_table';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { insertInto, selectBy } from '../base/table_statements';

const IMAGES = defineTable<ImageRecord>()('session_images', {
  tenant_id: 'text',
  session_id: 'text',
  id: 'text',
  media_type: 'text',
  created_at: 'number',
  bytes: 'bytes',
});

declare module '../base/schema' {
  interface Schema {
    session_images: RowOf<typeof IMAGES>;
  }
}

export class ImageTable extends sqlTable(statements) {
  get(tenantId: string, sessionId: string, id: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, session_id: sessionId, id }), IMAGES.toRecord);
  }

  async insert(image: ImageRecord): Promise<void> {
    await this.statements.insert(this.runner, [image]);
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: selectBy(db, IMAGES, 'tenant_id', 'session_id', 'id'),
    insert: insertInto(db, IMAGES),
  };
}
