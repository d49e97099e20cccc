/** Queries about the images of sessions. */
import { type Kysely, sql } from 'kysely';
import type { ImageRecord } from '../../port/store/images';
import type { SessionImageRow } from './image_row';
import { insertRows } from './insert_rows';
import { template } from './query_template';
import type { Schema } from './schema';
import { SqlTable } from './sql_table';

const COLUMNS = ['tenant_id', 'session_id', 'id', 'media_type', 'created_at', 'bytes'] as const;

type Key = Pick<SessionImageRow, 'tenant_id' | 'session_id' | 'id'>;
type CopyKey = Pick<SessionImageRow, 'tenant_id'> & { from: string; to: string };

export class ImageTable extends SqlTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(db: Kysely<Schema>) {
    super();
    this.statements = statements(db);
  }

  async get(tenantId: string, sessionId: string, id: string): Promise<ImageRecord | undefined> {
    const [row] = await this.runner.rows(this.statements.get({ tenant_id: tenantId, session_id: sessionId, id }));
    return row && { tenantId, sessionId, id, mediaType: row.media_type, bytes: row.bytes, createdAt: row.created_at };
  }

  async insert({ tenantId, sessionId, id, mediaType, bytes, createdAt }: ImageRecord): Promise<void> {
    const row = { tenant_id: tenantId, session_id: sessionId, id, media_type: mediaType, created_at: createdAt, bytes };
    await this.statements.insert(this.runner, [row]);
  }

  async copy(tenantId: string, from: string, to: string): Promise<void> {
    await this.runner.changes(this.statements.copy({ tenant_id: tenantId, from, to }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: template((key: Key) =>
      db
        .selectFrom('session_images')
        .select(COLUMNS)
        .where('tenant_id', '=', key.tenant_id)
        .where('session_id', '=', key.session_id)
        .where('id', '=', key.id),
    ),
    insert: insertRows<SessionImageRow>(COLUMNS, rows => db.insertInto('session_images').values(rows)),
    copy: template((key: CopyKey) => ({
      compile: () =>
        sql`insert into session_images (tenant_id, session_id, id, media_type, created_at, bytes)
          select tenant_id, ${key.to}, id, media_type, created_at, bytes from session_images
          where tenant_id = ${key.tenant_id} and session_id = ${key.from}`.compile(db),
    })),
  };
}
