import { TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const MINUTE = 60_000;

export function describeFileLocks(store: CurrentStore): void {
  const lockOf = (owner: string, path = 'a.md', tenantId = TENANT) => ({ tenantId, path, owner });
  const acquire = (...lock: Parameters<typeof lockOf>) =>
    store().transaction('none', tx => tx.fileLocks.acquire(lockOf(...lock), Date.now()));
  const release = (owner: string) => store().transaction('none', tx => tx.fileLocks.release(lockOf(owner)));
  beforeEach(async () => {
    for (const owner of ['node-1', 'node-2'])
      await store().transaction('none', tx => tx.nodeLeases.renew(owner, { now: Date.now(), lengthMs: MINUTE }));
  });

  test('keep out other nodes until they are released, for one file of one tenant', async () => {
    expect(await acquire('node-1')).toBe(true);
    expect(await acquire('node-2')).toBe(false);
    expect(await acquire('node-1')).toBe(true);
    expect(await acquire('node-2', 'b.md')).toBe(true);
    expect(await acquire('node-2', 'a.md', 'globex')).toBe(true);
    await release('node-2');
    expect(await acquire('node-2')).toBe(false);
    await release('node-1');
    expect(await acquire('node-2')).toBe(true);
  });

  test('let one of two nodes in that ask at the same time', async () => {
    expect((await Promise.all([acquire('node-1'), acquire('node-2')])).filter(Boolean)).toHaveLength(1);
  });

  test('end with the lease of their node', async () => {
    await acquire('node-1');
    await store().transaction('none', tx => tx.nodeLeases.end('node-1'));
    expect(await acquire('node-2')).toBe(true);
    expect(await acquire('node-1')).toBe(false);
  });
}
