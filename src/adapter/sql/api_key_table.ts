/** Queries about API keys and logins. */
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { ApiKeyRecord, LoginRecord } from '../../port/store/api_keys';
import { type ApiKeyRow, type LoginRow, toApiKeyRecord, toApiKeyRow } from './api_key_rows';
import { insertRows } from './insert_rows';
import { template } from './query_template';
import type { Schema } from './schema';
import { SqlTable } from './sql_table';

const KEY_COLUMNS = [
  'tenant_id',
  'id',
  'name',
  'secret_hash',
  'scopes',
  'created_at',
  'expires_at',
  'last_used_at',
  'request_key',
  'request_fingerprint',
] as const;
const LOGIN_COLUMNS = ['token_hash', 'key_hash', 'created_at', 'expires_at'] as const;

export class ApiKeyTable extends SqlTable {
  private readonly statements: ReturnType<typeof statements>;

  constructor(db: Kysely<Schema>) {
    super();
    this.statements = statements(db);
  }

  async list(): Promise<ApiKeyRecord[]> {
    return (await this.runner.rows(this.statements.list({}))).map(toApiKeyRecord);
  }

  async insert(key: ApiKeyRecord): Promise<void> {
    await this.statements.insert(this.runner, [toApiKeyRow(key)]);
  }

  async delete(id: string): Promise<boolean> {
    return (await this.runner.changes(this.statements.delete({ id }))) > 0;
  }

  async markUsed(id: string, lastUsedAt: number): Promise<void> {
    await this.runner.changes(this.statements.markUsed({ id, last_used_at: lastUsedAt }));
  }

  async listLogins(now: number): Promise<LoginRecord[]> {
    const rows = await this.runner.rows(this.statements.listLogins({ now }));
    return rows.map(row => ({ tokenHash: row.token_hash, keyHash: row.key_hash, createdAt: row.created_at, expiresAt: row.expires_at }));
  }

  async insertLogin({ tokenHash, keyHash, createdAt, expiresAt }: LoginRecord): Promise<void> {
    const row = { token_hash: tokenHash, key_hash: keyHash, created_at: createdAt, expires_at: expiresAt };
    await this.statements.insertLogin(this.runner, [row]);
  }

  async deleteLogin(tokenHash: string): Promise<void> {
    await this.runner.changes(this.statements.deleteLogin({ token_hash: tokenHash }));
  }

  async deleteLoginsOf(keyHash: string, keep: number): Promise<void> {
    await this.runner.changes(this.statements.deleteLoginsOf({ key_hash: keyHash, keep }));
  }

  async deleteExpiredLogins(now: number): Promise<void> {
    await this.runner.changes(this.statements.deleteExpiredLogins({ now }));
  }
}

function statements(db: Kysely<Schema>) {
  return {
    list: template(() => db.selectFrom('api_keys').select(KEY_COLUMNS).orderBy('created_at').orderBy('id')),
    insert: insertRows<ApiKeyRow>(KEY_COLUMNS, rows => db.insertInto('api_keys').values(rows)),
    delete: template(({ id }: { id: string }) => db.deleteFrom('api_keys').where('id', '=', id)),
    markUsed: template((key: { id: string; last_used_at: number }) =>
      db
        .updateTable('api_keys')
        .set({ last_used_at: key.last_used_at })
        .where('id', '=', key.id)
        .where(sql<SqlBool>`coalesce(last_used_at, 0) < ${key.last_used_at}`),
    ),
    ...loginStatements(db),
  };
}

function loginStatements(db: Kysely<Schema>) {
  return {
    listLogins: template(({ now }: { now: number }) => db.selectFrom('logins').select(LOGIN_COLUMNS).where('expires_at', '>', now)),
    insertLogin: insertRows<LoginRow>(LOGIN_COLUMNS, rows => db.insertInto('logins').values(rows)),
    deleteLogin: template((login: { token_hash: string }) => db.deleteFrom('logins').where('token_hash', '=', login.token_hash)),
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
    deleteExpiredLogins: template(({ now }: { now: number }) => db.deleteFrom('logins').where('expires_at', '<=', now)),
  };
}
