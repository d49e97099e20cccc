/** Statements that change a message of a history, and what was made from it. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';

type Key = { tenant_id: string; id: string };
type Place = Key & { session_id: string; run_ordinal: number; position: number };

/** `replace` and `remove` return the place of the message. */
export function messageChangeStatements(db: Kysely<Schema>) {
  return {
    replace: template(({ tenant_id, id, message }: Key & { message: string }) =>
      db
        .updateTable('messages')
        .set({ message })
        .where('tenant_id', '=', tenant_id)
        .where('id', '=', id)
        .returning(['session_id', 'run_ordinal', 'position']),
    ),
    remove: template(({ tenant_id, id }: Key) =>
      db
        .deleteFrom('messages')
        .where('tenant_id', '=', tenant_id)
        .where('id', '=', id)
        .returning(['session_id', 'run_ordinal', 'position']),
    ),
    raiseVersion: template(({ tenant_id, session_id }: Place) =>
      db
        .updateTable('sessions')
        .set({ history_version: sql<number>`coalesce(history_version, 0) + 1` })
        .where('tenant_id', '=', tenant_id)
        .where('id', '=', session_id),
    ),
    removeSummary: template(({ tenant_id, session_id, run_ordinal, position }: Place) =>
      db
        .deleteFrom('session_summaries')
        .where('tenant_id', '=', tenant_id)
        .where('session_id', '=', session_id)
        .where(sql<SqlBool>`(run_ordinal, position) >= (${run_ordinal}, ${position})`),
    ),
    removeSearchDocument: template(({ tenant_id, session_id, id }: Place) =>
      db
        .deleteFrom('search_documents')
        .where('tenant_id', '=', tenant_id)
        .where('session_id', '=', session_id)
        .where('message_id', '=', id),
    ),
    queueForSearch: template(({ tenant_id, id }: Place) =>
      db
        .insertInto('search_queue')
        .values({ tenant_id, message_id: id })
        .onConflict(conflict => conflict.doNothing()),
    ),
  };
}
