/** Looks at a Postgres without changing it. */
import { StoreOpenError } from '../../port/store/store_errors';
import { assertDatabaseUrl, migrationConfig, publicAddress } from './postgres_address';
import { describePostgresError } from './postgres_errors';
import { checkServer } from './postgres_server_check';
import { checkSession } from './postgres_session_check';
import { ServerClient } from './server_client';

/** Resolves with the version of the server and how many migrations its database has. Rejects with StoreOpenError, as a start would. */
export async function readPostgresFacts(url: string): Promise<{ version: string; migrations: number }> {
  assertDatabaseUrl(url);
  const client = new ServerClient(migrationConfig(url));
  try {
    await client.connect();
    await checkServer(client);
    await checkSession(client, url);
    const { rows } = await client.query<{ version: string; table: string | null }>(
      "select current_setting('server_version') as version, to_regclass('schema_migrations') as table",
    );
    const { version = '', table = null } = rows[0] ?? {};
    if (table === null) return { version, migrations: 0 };
    const counted = await client.query<{ count: number }>('select count(*)::int as count from schema_migrations');
    return { version, migrations: counted.rows[0]?.count ?? 0 };
  } catch (thrown) {
    if (thrown instanceof StoreOpenError) throw thrown;
    throw new StoreOpenError(`The database ${publicAddress(url)} cannot be opened: ${describePostgresError(thrown)}.`, { cause: thrown });
  } finally {
    await client.end().catch(() => {});
  }
}
