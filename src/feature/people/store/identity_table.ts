/** Queries about people at login providers. */
import type { Kysely } from 'kysely';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { deleteBy, insertInto, selectBy } from '../../../adapter/sql/base/table_statements';
import type { EndedSession, IdentityRecord, ProviderSessionRecord } from './identity_records';

const IDENTITIES = defineTable<IdentityRecord>()('person_identities', {
  tenant_id: 'text',
  issuer: 'text',
  subject: 'text',
  person_id: 'text',
  created_at: 'number',
  group_names: 'json?',
});

const SESSIONS = defineTable<ProviderSessionRecord>()('provider_sessions', {
  token_hash: 'text',
  tenant_id: 'text',
  provider: 'text',
  issuer: 'text',
  subject: 'text',
  session_id: 'text?',
  expires_at: 'number',
});

const SPENT = defineTable<{ id: string; expiresAt: number }>()('spent_tokens', { id: 'text', expires_at: 'number' });

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    person_identities: RowOf<typeof IDENTITIES>;
    provider_sessions: RowOf<typeof SESSIONS>;
    spent_tokens: RowOf<typeof SPENT>;
  }
}

export class IdentityTable extends sqlTable(statements) {
  find(tenantId: string, issuer: string, subject: string) {
    return this.record(this.statements.find({ tenant_id: tenantId, issuer, subject }), IDENTITIES.toRecord);
  }

  list(tenantId: string) {
    return this.records(this.statements.list({ tenant_id: tenantId }), IDENTITIES.toRecord);
  }

  listOfPerson(tenantId: string, personId: string) {
    return this.records(this.statements.listOfPerson({ tenant_id: tenantId, person_id: personId }), IDENTITIES.toRecord);
  }

  async listAllGroups() {
    const rows = await this.records(this.statements.listAllGroups({}), IDENTITIES.toRecord);
    return rows.map(({ tenantId, personId, groupNames = [] }) => ({ tenantId, personId, groupNames }));
  }

  /** A token that names both a person and a session ends this session of this person. */
  async listSessions({ tenantId, provider, issuer, subject, sessionId }: EndedSession) {
    const key = { tenant_id: tenantId, provider, issuer };
    if (sessionId === undefined) return this.records(this.statements.ofSubject({ ...key, subject: subject ?? '' }), SESSIONS.toRecord);
    const found = await this.records(this.statements.ofSession({ ...key, session_id: sessionId }), SESSIONS.toRecord);
    return subject === undefined ? found : found.filter(session => session.subject === subject);
  }

  async insert(identity: IdentityRecord): Promise<void> {
    await this.statements.insert(this.runner, [identity]);
  }

  delete(tenantId: string, issuer: string, subject: string) {
    return this.execute(this.statements.delete({ tenant_id: tenantId, issuer, subject }));
  }

  setGroups({ tenantId, issuer, subject }: Pick<IdentityRecord, 'tenantId' | 'issuer' | 'subject'>, groupNames: readonly string[]) {
    const key = { tenant_id: tenantId, issuer, subject };
    return this.execute(this.statements.setGroups({ ...key, group_names: JSON.stringify(groupNames) }));
  }

  deleteOfPerson(tenantId: string, personId: string) {
    return this.execute(this.statements.deleteOfPerson({ tenant_id: tenantId, person_id: personId }));
  }

  async insertSession(session: ProviderSessionRecord): Promise<void> {
    await this.statements.insertSession(this.runner, [session]);
  }

  deleteSession(tokenHash: string) {
    return this.execute(this.statements.deleteSession({ token_hash: tokenHash }));
  }

  spend(id: string, expiresAt: number) {
    return this.hasChanged(this.statements.spend({ id, expires_at: expiresAt }));
  }

  async deleteExpired(now: number): Promise<void> {
    await this.execute(this.statements.deleteOldSessions({ now }));
    await this.execute(this.statements.deleteOldSpent({ now }));
  }
}

type SessionKey = Pick<RowOf<typeof SESSIONS>, 'tenant_id' | 'provider' | 'issuer'>;

function statements(db: Kysely<Schema>) {
  const sessions = (key: SessionKey) =>
    db
      .selectFrom('provider_sessions')
      .select(SESSIONS.columns)
      .where('tenant_id', '=', key.tenant_id)
      .where('provider', '=', key.provider)
      .where('issuer', '=', key.issuer);
  return {
    find: selectBy(db, IDENTITIES, 'tenant_id', 'issuer', 'subject'),
    list: selectBy(db, IDENTITIES, 'tenant_id'),
    listOfPerson: selectBy(db, IDENTITIES, 'tenant_id', 'person_id'),
    listAllGroups: template(() => db.selectFrom('person_identities').select(IDENTITIES.columns).where('group_names', 'is not', null)),
    setGroups: template((row: Pick<RowOf<typeof IDENTITIES>, 'tenant_id' | 'issuer' | 'subject' | 'group_names'>) =>
      db
        .updateTable('person_identities')
        .set({ group_names: row.group_names })
        .where('tenant_id', '=', row.tenant_id)
        .where('issuer', '=', row.issuer)
        .where('subject', '=', row.subject),
    ),
    insert: insertInto(db, IDENTITIES),
    delete: deleteBy(db, IDENTITIES, 'tenant_id', 'issuer', 'subject'),
    deleteOfPerson: deleteBy(db, IDENTITIES, 'tenant_id', 'person_id'),
    ofSubject: template((key: SessionKey & { subject: string }) => sessions(key).where('subject', '=', key.subject)),
    ofSession: template((key: SessionKey & { session_id: string }) => sessions(key).where('session_id', '=', key.session_id)),
    insertSession: insertInto(db, SESSIONS),
    deleteSession: deleteBy(db, SESSIONS, 'token_hash'),
    spend: template(({ id, expires_at }: { id: string; expires_at: number }) =>
      db
        .insertInto('spent_tokens')
        .values({ id, expires_at })
        .onConflict(conflict => conflict.column('id').doNothing()),
    ),
    deleteOldSessions: template(({ now }: { now: number }) => db.deleteFrom('provider_sessions').where('expires_at', '<=', now)),
    deleteOldSpent: template(({ now }: { now: number }) => db.deleteFrom('spent_tokens').where('expires_at', '<=', now)),
  };
}
