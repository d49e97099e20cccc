import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Store } from '../../../src/port/store/store';
import { aSession, seed, TENANT } from '../../support/store_records';
import { openTemporaryStore } from '../../support/temporary_store';

const LOCK_HOLDER = join(__dirname, '../../support/lock_holder.cjs');

/** Runs `use` while another process holds the write lock, then kills that process. Takes the arguments of `lock_holder.cjs`. */
async function whileLocked(holderArguments: string[], use: () => Promise<void>): Promise<void> {
  const holder = spawn(process.execPath, [LOCK_HOLDER, ...holderArguments], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(holder, 'exit');
  try {
    await Promise.race([once(holder.stdout, 'data'), exited.then(() => Promise.reject(new Error('The lock holder ended.')))]);
    await use();
  } finally {
    holder.kill('SIGKILL');
    await exited;
  }
}

/** Measures the longest time, in milliseconds, that the event loop was held during `work`. */
async function longestStandstill(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  let longest = 0;
  let last = performance.now();
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work.finally(() => {
    isOver = true;
  });
  await new Promise(resolve => setImmediate(resolve));
  return longest;
}

const insertSessions = (store: Store, count: number) =>
  Promise.allSettled(
    Array.from({ length: count }, (_, i) => store.transaction('none', tx => tx.sessions.insert(aSession({ id: `ses_new_${i}` })))),
  );

test('rejects work while another process holds the lock, lets the event loop go on, and recovers', async () => {
  const { store, path, release } = await openTemporaryStore({ busyTimeoutMs: 400 });
  await seed(store);
  await whileLocked([path], async () => {
    // More than one group takes, so that several commits wait for the lock.
    const refused = insertSessions(store, 600);
    const started = performance.now();
    const standstill = await longestStandstill(refused);
    expect(new Set((await refused).map(result => (result.status === 'rejected' ? result.reason.code : 'accepted')))).toEqual(
      new Set(['store_unavailable']),
    );
    expect(performance.now() - started).toBeGreaterThan(390);
    // One try holds the event loop for 20 ms; the rest is for other load on the machine.
    expect(standstill).toBeLessThan(300);
    await expect(store.check()).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(await store.read.sessions.get(TENANT, 'ses_1')).toEqual(aSession());
  });
  expect((await insertSessions(store, 3)).map(result => result.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  await expect(store.check()).resolves.toBeUndefined();
  await release();
});

test('waits for a lock that another process releases in time, and lets the event loop go on', async () => {
  const { store, path, release } = await openTemporaryStore();
  await seed(store);
  await whileLocked([path, '600'], async () => {
    const inserted = insertSessions(store, 3);
    expect(await longestStandstill(inserted)).toBeLessThan(300);
    expect((await inserted).map(result => result.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  });
  await release();
});
