/** Looks whether a store is empty, and whether a gateway runs on it. */
import { existsSync } from 'node:fs';
import type { InstanceId } from '../../port/instance_id';
import { ArchiveError, NoStoreError, type TableLayout } from './archive_form';
import { openSnapshot } from './open_snapshot';
import { describeAddress, type StoreAddress } from './store_address';
import type { StoreSnapshot } from './store_snapshot';
import { lockDatabase } from './unused_database';

/** A gateway writes rows into these tables when it starts. */
const WRITTEN_BY_STARTS: ReadonlySet<string> = new Set([
  'settings',
  'push_keys',
  'configured_key_uses',
  'rate_counters',
  'audit_log',
  'audit_queue',
]);

const LEASES: TableLayout = {
  name: 'node_leases',
  key: ['owner'],
  columns: [
    { name: 'lease_until', type: 'integer' },
    { name: 'owner', type: 'text' },
  ],
};

/** Rejects with an ArchiveError when the store has rows of people, or when a gateway runs on it. */
export async function assertEmptyStore(address: StoreAddress, identity: InstanceId): Promise<void> {
  assertUnused(address);
  const snapshot = await openSnapshot(address).catch((thrown: unknown) => {
    if (thrown instanceof NoStoreError) return undefined;
    throw thrown;
  });
  if (!snapshot) return;
  try {
    await assertStopped(snapshot, address, identity);
    const filled: string[] = [];
    for (const table of snapshot.tables)
      if (!WRITTEN_BY_STARTS.has(table.name) && (await hasRows(snapshot, table))) filled.push(table.name);
    if (filled.length > 0) {
      const names = filled.length > 5 ? `${filled.slice(0, 5).join(', ')} and ${filled.length - 5} more tables` : filled.join(', ');
      throw new ArchiveError(
        `The gateway at ${describeAddress(address)} is not empty: it has rows in ${names}. Use a new data directory or an empty database.`,
      );
    }
  } finally {
    await snapshot.close();
  }
}

/**
 * Throws an ArchiveError when a process has the SQLite database open. A gateway that has nothing to do writes nothing and its lease expires, but it
 * keeps the database open. Call it while this process has no connection to the database.
 */
export function assertUnused(address: StoreAddress): void {
  if (address.kind === 'sqlite' && existsSync(address.path)) lockDatabase(address.path)();
}

/** Rejects with an ArchiveError when the lease of a gateway lasts. A gateway on Postgres renews its lease all the time. */
export async function assertStopped(snapshot: StoreSnapshot, address: StoreAddress, { isGone }: InstanceId): Promise<void> {
  if (!snapshot.migrations.includes('034_node_leases')) return;
  for await (const rows of snapshot.readRows(LEASES)) {
    const running = rows.find(({ owner, lease_until }) => Number(lease_until) > Date.now() && !isGone(String(owner)));
    if (running) throw new ArchiveError(`A gateway runs on ${describeAddress(address)} (${running['owner']}): stop it first.`);
  }
}

async function hasRows(snapshot: StoreSnapshot, table: TableLayout): Promise<boolean> {
  for await (const rows of snapshot.readRows(table)) if (rows.length > 0) return true;
  return false;
}
