/** Opens the store of a built gateway, with what its features add to it. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Time for transactions that write thousands of rows. */
const WORK_TIMEOUT_MS = 60_000;

/** `root`: a built gateway; `path`: the database file; `databaseUrl`: a Postgres instead of the file. */
export function openBuiltStore({ root, path, databaseUrl }) {
  const require = createRequire(join(root, 'package.json'));
  const load = name => require(`./dist/src/${name}.js`);
  const parts = load('feature').storePartsOf(load('features').FEATURES);
  const options = { parts, workTimeoutMs: WORK_TIMEOUT_MS };
  if (databaseUrl) return load('adapter/postgres/postgres_store').openPostgresStore({ ...options, url: databaseUrl });
  return load('adapter/sqlite/sqlite_store').openSqliteStore({ ...options, path });
}
