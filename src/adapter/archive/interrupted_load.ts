/** Finds what a restore or a move has left that was interrupted and not called again. */
import { existsSync } from 'node:fs';
import { connectTo } from './postgres_snapshot';
import { BESIDE } from './postgres_staging';
import { besideOf } from './sqlite_staging';
import type { StoreAddress } from './store_address';

/** Resolves with the name of the database file or of the schema that holds the rows of the load; undefined when there is none. */
export async function findInterruptedLoad(address: StoreAddress): Promise<string | undefined> {
  if (address.kind === 'sqlite') {
    const file = besideOf(address.path);
    return existsSync(file) ? file : undefined;
  }
  const client = await connectTo(address.url);
  try {
    const { rows } = await client.query('select 1 from pg_namespace where nspname = $1', [BESIDE]);
    return rows.length > 0 ? `the schema ${BESIDE} of the database` : undefined;
  } finally {
    await client.end();
  }
}
