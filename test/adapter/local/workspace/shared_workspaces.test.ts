/** Two gateways in one process over one store and one directory. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { createSystemClock } from '../../../../src/adapter/local/node/clock';
import { shareWorkspaces } from '../../../../src/adapter/local/workspace/shared_workspaces';
import { openWorkspace } from '../../../../src/adapter/local/workspace/workspace';
import { DEFAULT_TENANT } from '../../../../src/port/principal';
import type { Store } from '../../../../src/port/store/store';
import type { TenantWorkspace } from '../../../../src/port/workspaces';
import { openTemporaryStore, type TemporaryStore } from '../../../support/temporary_store';

let temporary: TemporaryStore;
let root: string;
beforeEach(async () => {
  temporary = await openTemporaryStore();
  root = await mkdtemp(join(tmpdir(), 'neta-shared-'));
});
afterEach(async () => {
  await temporary.release();
  await rm(root, { recursive: true, force: true });
});

async function openNode(self: string, store = temporary.store) {
  await store.transaction('none', tx => tx.nodeLeases.renew(self, { now: Date.now(), lengthMs: 60_000 }));
  const workspace = await openWorkspace(root);
  const own = { hasSeveralTenants: false, workspaceOf: () => ({ workspace }) as TenantWorkspace, close: async () => {} };
  return shareWorkspaces(own, { store, clock: createSystemClock(), self }).workspaceOf(DEFAULT_TENANT).workspace;
}

it('lets one work at a time change a file, at whichever gateway', async () => {
  await writeFile(join(root, 'count'), '0');
  const nodes = [await openNode('node-1'), await openNode('node-2')];
  const addOne = (i: number) =>
    nodes[i % 2]?.withFileLock('count', async () => {
      const count = Number(await readFile(join(root, 'count'), 'utf8'));
      await turn();
      await writeFile(join(root, 'count'), `${count + 1}`);
    });
  await Promise.all(Array.from({ length: 10 }, (_, i) => addOne(i)));
  expect(await readFile(join(root, 'count'), 'utf8')).toBe('10');
});

it('releases the lock of a work that fails, and settles as it does', async () => {
  const [one, two] = [await openNode('node-1'), await openNode('node-2')];
  await expect(one.withFileLock('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await two.withFileLock('./a', async () => 'done')).toBe('done');
  expect((await two.writeFile('a', Buffer.from('x'))).created).toBe(true);
});

it.each([
  ['cannot be released', false],
  ['was taken although the store gave an error', true],
])(
  'releases a lock that %s once the store is back',
  async (_name, failsAtOnce) => {
    const two = await openNode('node-2');
    let isDown = false;
    const transaction: Store['transaction'] = async (...given) => {
      const done = await temporary.store.transaction(...given);
      if (!isDown) return done;
      await temporary.store.transaction('none', tx =>
        tx.fileLocks.acquire({ tenantId: DEFAULT_TENANT, path: 'a', owner: 'node-1' }, Date.now()),
      );
      throw new Error('The store is away.');
    };
    const one = await openNode('node-1', Object.create(temporary.store, { transaction: { value: transaction } }));
    isDown = failsAtOnce;
    const work = one.withFileLock('a', async () => {
      isDown = true;
      return 'done';
    });
    if (failsAtOnce) await expect(work).rejects.toThrow('The store is away.');
    else expect(await work).toBe('done');
    isDown = false;
    expect(await two.withFileLock('a', async () => 'changed')).toBe('changed');
  },
  10_000,
);
