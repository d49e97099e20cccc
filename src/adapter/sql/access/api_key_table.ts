/** Queries about API keys and logins. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { ApiKeyRecord, LoginRecord } from '../../../port/store/api_keys';
import { defineTable, type RowOf } from '../base/define_table';
import { pick, template } from '../base/query_template';
import type { Schema } from '../base/schema';
import { sqlTable } from '../base/sql_table';
import { deleteBy, insertInto } from '../base/table_statements';

/** The request that made a key is stored in the columns that begin with `request`. */
const KEYS = defineTable<Omit<ApiKeyRecord, 'request'>>()('api_keys', {
  tenant_id: 'text',
  id: 'text',
  name: 'text',
  secret_hash: 'text',
  scopes: 'json',
  created_at: 'number',
  expires_at: 'number?',
  last_used_at: 'number?',
  owner: 'text?',
  request_key: ({ request }: ApiKeyRecord) => request?.key ?? null,
  request_fingerprint: ({ request }: ApiKeyRecord) => request?.fingerprint ?? null,
});

/** `key_hash` names the API key, also one of NETA_API_KEYS. */
const LOGINS = defineTable<LoginRecord>()('logins', {
  token_hash: 'text',
  key_hash: 'text',
  created_at: 'number',
  expires_at: 'number',
  address: 'text?',
  user_agent: 'text?',
});

const USES = defineTable<{ id: string; lastUsedAt: number }>()('configured_key_uses', { id: 'text', last_used_at: 'number' });

declare module '../base/schema' {
  interface Schema {
    api_keys: RowOf<typeof KEYS>;
    configured_key_uses: RowOf<typeof USES>;
    logins: RowOf<typeof LOGINS>;
  }
}

export class ApiKeyTable extends sqlTable(statements) {
  list() {
    return this.records(this.statements.list({}), toKey);
  }

  async insert(key: ApiKeyRecord): Promise<void> {
    await this.statements.insert(this.runner, [key]);
  }

  delete(id: string) {
    return this.hasChanged(this.statements.delete({ id }));
  }

  markUsed(id: string, lastUsedAt: number) {
    return this.execute(this.statements.markUsed({ id, last_used_at: lastUsedAt }));
  }

  listConfiguredUses() {
    return this.records(this.statements.listUses({}), USES.toRecord);
  }

  markConfiguredUsed(id: string, lastUsedAt: number) {
    return this.execute(this.statements.markConfigured({ id, last_used_at: lastUsedAt }));
  }

  listLogins(now: number) {
    return this.records(this.statements.listLogins({ now }), LOGINS.toRecord);
  }

  async insertLogin(login: LoginRecord): Promise<void> {
    await this.statements.insertLogin(this.runner, [login]);
  }

  deleteLogin(tokenHash: string) {
    return this.execute(this.statements.deleteLogin({ token_hash: tokenHash }));
  }

  deleteLoginsOf(keyHash: string, keep: number) {
    return this.execute(this.statements.deleteLoginsOf({ key_hash: keyHash, keep }));
  }

  deleteOtherLogins(keyHash: string, tokenHash: string) {
    return this.execute(this.statements.deleteOtherLogins({ key_hash: keyHash, token_hash: tokenHash }));
  }

  deleteExpiredLogins(now: number) {
    return this.execute(this.statements.deleteExpiredLogins({ now }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    list: template(() => db.selectFrom('api_keys').select(KEYS.columns).orderBy('created_at').orderBy('id')),
    insert: insertInto(db, KEYS),
    delete: deleteBy(db, KEYS, 'id'),
    markUsed: template((key: { id: string; last_used_at: number }) =>
      db
        .updateTable('api_keys')
        .set({ last_used_at: key.last_used_at })
        .where('id', '=', key.id)
        .where(sql<SqlBool>`coalesce(last_used_at, 0) < ${key.last_used_at}`),
    ),
    listUses: template(() => db.selectFrom('configured_key_uses').select(USES.columns)),
    markConfigured: template((use: { id: string; last_used_at: number }) =>
      db
        .insertInto('configured_key_uses')
        .values(pick(use, ['id', 'last_used_at']))
        .onConflict(conflict =>
          conflict
            .column('id')
            .doUpdateSet({ last_used_at: use.last_used_at })
            .where('configured_key_uses.last_used_at', '<', use.last_used_at),
        ),
    ),
    ...loginStatements(db),
  };
}

function loginStatements(db: Kysely<Schema>) {
  return {
    listLogins: template(({ now }: { now: number }) => db.selectFrom('logins').select(LOGINS.columns).where('expires_at', '>', now)),
    insertLogin: insertInto(db, LOGINS),
    deleteLogin: deleteBy(db, LOGINS, 'token_hash'),
    deleteLoginsOf: template((login: { key_hash: string; keep: number }) =>
      db
        .deleteFrom('logins')
        .where('key_hash', '=', login.key_hash)
        .where('token_hash', 'not in', eb =>
          eb
            .selectFrom('logins')
            .select('token_hash')
            .where('key_hash', '=', login.key_hash)
            .orderBy('created_at', 'desc')
            .orderBy('token_hash')
            .limit(login.keep),
        ),
    ),
    deleteOtherLogins: template((login: { key_hash: string; token_hash: string }) =>
      db.deleteFrom('logins').where('key_hash', '=', login.key_hash).where('token_hash', '!=', login.token_hash),
    ),
    deleteExpiredLogins: template(({ now }: { now: number }) => db.deleteFrom('logins').where('expires_at', '<=', now)),
  };
}

function toKey(row: RowOf<typeof KEYS>): ApiKeyRecord {
  const { request_key: key, request_fingerprint: fingerprint } = row;
  const request = key !== null && fingerprint !== null ? { key, fingerprint } : undefined;
  return { ...KEYS.toRecord(row), request };
}
