/** Statements that delete the rows of a session in small parts. */
import type { Kysely } from 'kysely';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';

type Key = { tenant_id: string; id: string; limit: number };

/** Statements that each delete at most `limit` rows of one table. */
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
            .limit(key.limit)
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
          .limit(key.limit),
      ),
  );
}

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
          .limit(key.limit),
      ),
  );
}
