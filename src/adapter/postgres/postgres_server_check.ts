/** Checks that a database server is one that the gateway can use. */
import type { Client } from 'pg';
import { StoreOpenError } from '../../port/store/store_errors';

/** pg_xact_status and pg_current_xact_id are older; earlier versions are no longer maintained. */
const OLDEST_VERSION = 140_000;

/** Rejects with StoreOpenError for a server that is too old, and for a database that cannot hold every text. */
export async function checkServer(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    "select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding",
  );
  const { version, encoding } = rows[0] ?? { version: '0', encoding: '' };
  if (Number(version) < OLDEST_VERSION) throw new StoreOpenError('The database server is older than Postgres 14: upgrade it.');
  if (encoding !== 'UTF8') throw new StoreOpenError(`The database has the encoding ${encoding}: create one with the encoding UTF8.`);
}
