/** The columns of things that have an owner, and the condition for the rows that a viewer sees. */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Viewer } from '../../../port/store/session_access';
import { jsonItems } from '../base/dialect';
import type { Schema } from '../base/schema';

/** For `defineTable`. */
export const OWNED_COLUMNS = { owner: 'text?', visibility: 'text?', shared_with: 'json?' } as const;

/** The values of a viewer for a statement. A key of a service has the handle '', which owns nothing. */
export interface ViewerValues {
  handle: string;
  /** A JSON list. */
  names: string;
}

export const toViewerValues = ({ handle = '', names }: Viewer): ViewerValues => ({ handle, names: JSON.stringify(names) });

/** True for the rows of the table that the viewer sees. */
export function isOwnedRowSeen(db: Kysely<Schema>, table: string, { handle, names }: ViewerValues): RawBuilder<SqlBool> {
  const column = (name: keyof typeof OWNED_COLUMNS) => sql.ref(`${table}.${name}`);
  const member = sql`select 1 from ${jsonItems(db, column('shared_with'))}
    where place.value in (select place.value from ${jsonItems(db, names)})`;
  return sql<SqlBool>`(coalesce(${column('visibility')}, 'tenant') = 'tenant' or ${column('owner')} = ${handle}
    or (${column('visibility')} = 'shared' and exists (${member})))`;
}
