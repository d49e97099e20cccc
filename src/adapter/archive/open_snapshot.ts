/** Opens a snapshot of either store. */
import { openPostgresSnapshot } from './postgres_snapshot';
import { openSqliteSnapshot } from './sqlite_snapshot';
import type { StoreAddress } from './store_address';
import type { StoreSnapshot } from './store_snapshot';

/** Rejects with a NoStoreError when there is no database of a gateway. */
export async function openSnapshot(address: StoreAddress): Promise<StoreSnapshot> {
  return address.kind === 'sqlite' ? openSqliteSnapshot(address.path) : openPostgresSnapshot(address.url);
}
