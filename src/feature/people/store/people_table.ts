/** Queries about people and invitations. */
import type { Kysely } from 'kysely';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { pick, template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { deleteBy, insertInto, selectBy } from '../../../adapter/sql/base/table_statements';
import type { InvitationRecord, PersonRecord } from './people_records';

const PEOPLE = defineTable<PersonRecord>()('people', {
  tenant_id: 'text',
  id: 'text',
  handle: 'text',
  name: 'text',
  email: 'text',
  role: 'text',
  locale: 'text',
  state: 'text',
  subject: 'text',
  password_hash: 'text',
  made_by: 'text',
  created_at: 'number',
  updated_at: 'number',
  last_login_at: 'number?',
});

const CHANGED = PEOPLE.without('tenant_id', 'id', 'handle', 'created_at', 'last_login_at').columns;

const INVITATIONS = defineTable<InvitationRecord>()('invitations', {
  tenant_id: 'text',
  id: 'text',
  token_hash: 'text',
  role: 'text',
  email: 'text?',
  person_id: 'text?',
  key_name: 'text',
  created_at: 'number',
  expires_at: 'number',
});

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    people: RowOf<typeof PEOPLE>;
    invitations: RowOf<typeof INVITATIONS>;
  }
}

type Tenant = Pick<RowOf<typeof PEOPLE>, 'tenant_id'>;

export class PeopleTable extends sqlTable(statements) {
  listAll() {
    return this.records(this.statements.listAll({}), PEOPLE.toRecord);
  }

  list(tenantId: string) {
    return this.records(this.statements.list({ tenant_id: tenantId }), PEOPLE.toRecord);
  }

  get(tenantId: string, id: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, id }), PEOPLE.toRecord);
  }

  findByEmail(email: string) {
    return this.record(this.statements.findByEmail({ email }), PEOPLE.toRecord);
  }

  listHandles(tenantId: string) {
    return this.records(this.statements.listHandles({ tenant_id: tenantId }), ({ handle }) => handle);
  }

  findInvitation(tokenHash: string) {
    return this.record(this.statements.findInvitation({ token_hash: tokenHash }), INVITATIONS.toRecord);
  }

  async insert(person: PersonRecord): Promise<void> {
    await this.statements.insert(this.runner, [person]);
  }

  update(person: PersonRecord) {
    return this.hasChanged(this.statements.update(PEOPLE.toRow(person)));
  }

  markLogin(tenantId: string, id: string, at: number) {
    return this.execute(this.statements.markLogin({ tenant_id: tenantId, id, last_login_at: at }));
  }

  async insertInvitation(invitation: InvitationRecord): Promise<void> {
    await this.statements.insertInvitation(this.runner, [invitation]);
  }

  deleteInvitation(tenantId: string, id: string) {
    return this.hasChanged(this.statements.deleteInvitation({ tenant_id: tenantId, id }));
  }

  deletePasswordLinks(tenantId: string, personId: string) {
    return this.execute(this.statements.deletePasswordLinks({ tenant_id: tenantId, person_id: personId }));
  }

  deleteExpiredInvitations(now: number) {
    return this.execute(this.statements.deleteExpired({ now }));
  }
}

function statements(db: Kysely<Schema>) {
  const present = () => db.selectFrom('people').select(PEOPLE.columns).where('state', '!=', 'removed').orderBy('created_at').orderBy('id');
  return {
    listAll: template(() => present()),
    list: template((key: Tenant) => present().where('tenant_id', '=', key.tenant_id)),
    get: selectBy(db, PEOPLE, 'tenant_id', 'id'),
    findByEmail: selectBy(db, PEOPLE, 'email'),
    listHandles: template((key: Tenant) => db.selectFrom('people').select('handle').where('tenant_id', '=', key.tenant_id)),
    insert: insertInto(db, PEOPLE),
    update: template((row: RowOf<typeof PEOPLE>) =>
      db.updateTable('people').where('tenant_id', '=', row.tenant_id).where('id', '=', row.id).set(pick(row, CHANGED)),
    ),
    markLogin: template((key: Tenant & { id: string; last_login_at: number }) =>
      db.updateTable('people').where('tenant_id', '=', key.tenant_id).where('id', '=', key.id).set({ last_login_at: key.last_login_at }),
    ),
    findInvitation: selectBy(db, INVITATIONS, 'token_hash'),
    insertInvitation: insertInto(db, INVITATIONS),
    deleteInvitation: deleteBy(db, INVITATIONS, 'tenant_id', 'id'),
    deletePasswordLinks: deleteBy(db, INVITATIONS, 'tenant_id', 'person_id'),
    deleteExpired: template(({ now }: { now: number }) => db.deleteFrom('invitations').where('expires_at', '<=', now)),
  };
}
