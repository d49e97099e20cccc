/** Queries about who sees sessions and who takes part in them. */
import { expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { SessionMember, Viewer, Visibility } from '../../../port/store/session_access';
import { defineTable, type RowOf } from '../base/define_table';
import { template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { deleteBy, upsertInto } from '../base/table_statements';

const MEMBERS = defineTable<SessionMember>()('session_members', {
  tenant_id: 'text',
  access_id: 'text',
  member: 'text',
  role: 'text',
  added_by: 'text',
  added_at: 'number',
});

declare module '../base/schema' {
  interface Schema {
    session_members: RowOf<typeof MEMBERS>;
  }
}

type Key = Pick<RowOf<typeof MEMBERS>, 'tenant_id' | 'access_id'>;

export class SessionMemberTable extends sqlTable(statements) {
  list(tenantId: string, accessId: string) {
    return this.records(this.statements.list({ tenant_id: tenantId, access_id: accessId }), MEMBERS.toRecord);
  }

  async hasOwnedSessions(): Promise<boolean> {
    return (await this.runner.rows(this.statements.anyOwned({}))).length > 0;
  }

  async put(member: SessionMember): Promise<void> {
    await this.statements.put(this.runner, [member]);
  }

  delete(tenantId: string, accessId: string, member: string) {
    return this.hasChanged(this.statements.delete({ tenant_id: tenantId, access_id: accessId, member }));
  }

  setVisibility(tenantId: string, accessId: string, visibility: Visibility) {
    return this.execute(this.statements.setVisibility({ tenant_id: tenantId, access_id: accessId, visibility }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    list: template((key: Key) =>
      db
        .selectFrom('session_members')
        .select(MEMBERS.columns)
        .where('tenant_id', '=', key.tenant_id)
        .where('access_id', '=', key.access_id)
        .orderBy('added_at')
        .orderBy('member'),
    ),
    anyOwned: template(() => db.selectFrom('sessions').select('id').where('access_id', 'is not', null).limit(1)),
    put: upsertInto(db, MEMBERS, ['tenant_id', 'access_id', 'member']),
    delete: deleteBy(db, MEMBERS, 'tenant_id', 'access_id', 'member'),
    setVisibility: template((change: Key & { visibility: Visibility }) =>
      db
        .updateTable('sessions')
        .set({ visibility: change.visibility })
        .where('tenant_id', '=', change.tenant_id)
        .where('access_id', '=', change.access_id),
    ),
  };
}

/** True for the rows of `sessions` that the viewer sees. Use it in a query that has `sessions` under this name. */
export function isSeenBy(db: Kysely<Schema>, tenantId: string, { handle, names, only }: Viewer) {
  const { eb } = expressionBuilder<Schema, 'sessions'>();
  if (only !== undefined) return eb('sessions.id', '=', only);
  const ofTenant = sql<SqlBool>`coalesce(sessions.visibility, 'tenant') = 'tenant'`;
  if (handle === undefined) return ofTenant;
  const joined = db
    .selectFrom('session_members')
    .select('session_members.access_id')
    .where('session_members.tenant_id', '=', tenantId)
    .where('session_members.member', 'in', [...names]);
  return eb.or([
    ofTenant,
    eb('sessions.owner', '=', handle),
    eb.and([eb('sessions.visibility', '=', 'shared'), eb('sessions.access_id', 'in', joined)]),
  ]);
}

/** True for the rows of another table whose session the viewer sees. `sessionId`: the column of the table, with the name of the table. */
export function isInSeenSession(db: Kysely<Schema>, tenantId: string, viewer: Viewer, sessionId: string) {
  const seen = db
    .selectFrom('sessions')
    .select('sessions.id')
    .where('sessions.tenant_id', '=', tenantId)
    .where(sql<SqlBool>`sessions.id = ${sql.ref(sessionId)}`)
    .where(isSeenBy(db, tenantId, viewer));
  return sql<SqlBool>`exists ${seen}`;
}
