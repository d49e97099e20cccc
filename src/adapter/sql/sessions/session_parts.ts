/** Statements that delete the rows of a session in small parts. */
import { type Kysely, sql } from 'kysely';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';

/** The most rows that one statement deletes, because the statement blocks the event loop. */
const MAX_DELETED = sql.lit(1_000);
const MAX_DELETED_DOCUMENTS = sql.lit(300);
const MAX_DELETED_IMAGES = sql.lit(10);

type Key = { tenant_id: string; id: string };

/** Statements that each delete at most MAX_DELETED rows of one table. */
export function sessionPartStatements(db: Kysely<Schema>) {
  const ofSession = <T extends 'messages' | 'tool_executions'>(table: T) =>
    template((key: Key) =>
      db.deleteFrom(table as 'messages').where(({ eb, refTuple }) =>
        eb(
          refTuple('tenant_id', 'id'),
          'in',
          eb
            .selectFrom(table as 'messages')
            .select(['tenant_id', 'id'])
            .where('tenant_id', '=', key.tenant_id)
            .where('session_id', '=', key.id)
            .limit(MAX_DELETED)
            .$asTuple('tenant_id', 'id'),
        ),
      ),
    );
  return {
    searchDocuments: searchDocumentsOfSession(db),
    images: imagesOfSession(db),
    messages: ofSession('messages'),
    toolExecutions: ofSession('tool_executions'),
  };
}

/** Deletes fewer rows at a time, because a trigger deletes the tokens of each row. */
function searchDocumentsOfSession(db: Kysely<Schema>) {
  return template((key: Key) =>
    db
      .deleteFrom('search_documents')
      .where('id', 'in', eb =>
        eb
          .selectFrom('search_documents')
          .select('id')
          .where('tenant_id', '=', key.tenant_id)
          .where('session_id', '=', key.id)
          .limit(MAX_DELETED_DOCUMENTS),
      ),
  );
}

/** Deletes fewer rows at a time, because an image has up to 5 MiB. */
function imagesOfSession(db: Kysely<Schema>) {
  return template((key: Key) =>
    db
      .deleteFrom('session_images')
      .where('tenant_id', '=', key.tenant_id)
      .where('session_id', '=', key.id)
      .where('id', 'in', eb =>
        eb
          .selectFrom('session_images')
          .select('id')
          .where('tenant_id', '=', key.tenant_id)
          .where('session_id', '=', key.id)
          .limit(MAX_DELETED_IMAGES),
      ),
  );
}
