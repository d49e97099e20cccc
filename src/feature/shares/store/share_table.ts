/** Queries about links to chats. */
import { type Kysely, sql } from 'kysely';
import { defineTable, type RowOf } from '../../../adapter/sql/base/define_table';
import { template } from '../../../adapter/sql/base/query_template';
import type { Schema } from '../../../adapter/sql/base/schema';
import { sqlTable } from '../../../adapter/sql/base/sql_table';
import { deleteBy, insertInto, selectBy } from '../../../adapter/sql/base/table_statements';
import { GUEST } from '../../../port/roles';
import type { ShareRecord } from './share_records';

const SHARES = defineTable<ShareRecord>()('shares', {
  tenant_id: 'text',
  id: 'text',
  session_id: 'text',
  token_hash: 'text',
  is_public: 'flag',
  key_name: 'text?',
  last_ordinal: 'number',
  last_position: 'number',
  role: 'text?',
  created_at: 'number',
  expires_at: 'number',
});

declare module '../../../adapter/sql/base/schema' {
  interface Schema {
    shares: RowOf<typeof SHARES>;
  }
}

type Listed = Pick<RowOf<typeof SHARES>, 'tenant_id' | 'session_id'> & { now: number };

export class ShareTable extends sqlTable(statements) {
  get(tenantId: string, id: string) {
    return this.record(this.statements.get({ tenant_id: tenantId, id }), SHARES.toRecord);
  }

  list(tenantId: string, sessionId: string, now: number) {
    return this.records(this.statements.list({ tenant_id: tenantId, session_id: sessionId, now }), SHARES.toRecord);
  }

  findByHash(tokenHash: string) {
    return this.record(this.statements.find({ token_hash: tokenHash }), SHARES.toRecord);
  }

  listForGuests(now: number) {
    return this.records(this.statements.listForGuests({ now }), SHARES.toRecord);
  }

  async insert(share: ShareRecord): Promise<void> {
    await this.statements.insert(this.runner, [share]);
  }

  delete(tenantId: string, id: string) {
    return this.hasChanged(this.statements.delete({ tenant_id: tenantId, id }));
  }

  deleteExpired(before: number, limit: number) {
    return this.runner.changes(this.statements.deleteExpired({ before, limit }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    get: selectBy(db, SHARES, 'tenant_id', 'id'),
    list: template(({ tenant_id, session_id, now }: Listed) =>
      db
        .selectFrom('shares')
        .select(SHARES.columns)
        .where('tenant_id', '=', tenant_id)
        .where('session_id', '=', session_id)
        .where('expires_at', '>', now)
        .orderBy('created_at')
        .orderBy('id'),
    ),
    listForGuests: template(({ now }: { now: number }) =>
      db.selectFrom('shares').select(SHARES.columns).where('role', '=', sql.lit(GUEST)).where('expires_at', '>', now),
    ),
    find: selectBy(db, SHARES, 'token_hash'),
    insert: insertInto(db, SHARES),
    delete: deleteBy(db, SHARES, 'tenant_id', 'id'),
    deleteExpired: template(({ before, limit }: { before: number; limit: number }) => ({
      compile: () =>
        sql`delete from shares where (tenant_id, id) in (
          select tenant_id, id from shares where expires_at < ${before} order by expires_at limit ${limit}
        )`.compile(db),
    })),
  };
}
