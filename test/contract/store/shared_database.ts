import { WITH_NODE_LEASE } from '../../../src/port/store/node_leases';
import type { Store, StoreTransaction } from '../../../src/port/store/store';
import { FencedError } from '../../../src/port/store/store_errors';
import { aMessage, aRun, aSession, aSteeringMessage, insertRun, numbered, RUN, seed, TENANT, textDelta } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

/** Opens two stores on one database, as two processes do. */
export function describeSharedDatabase(store: CurrentStore, another: () => Promise<Store>): void {
  test('refuses only the writer whose run another process took over, not others in the same commit', async () => {
    const other = await another();
    await seed(store(), async tx => {
      await insertRun(tx, { id: 'run_2', owner: 'node-1' });
      await tx.events.append(RUN, numbered([textDelta('before')]));
    });
    await other.transaction('none', tx => tx.runs.update(TENANT, 'run_1', { from: ['running'], epoch: 1 }, { epoch: 2, owner: 'node-2' }));
    const second = { ...RUN, id: 'run_2', sessionId: 'ses_of_run_2' };
    const results = await Promise.allSettled([
      store().transaction({ session: second }, tx => tx.events.append(second, numbered([textDelta('first')], 1, second))),
      store().transaction('none', async tx => {
        await tx.messages.insert([aMessage()]);
        await tx.events.append(RUN, numbered([textDelta('too late')], 2));
      }),
      store().transaction({ session: second }, tx => tx.events.append(second, numbered([textDelta('second')], 2, second))),
    ]);
    expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: expect.any(FencedError) });
    await other.transaction('none', tx => tx.events.append({ ...RUN, epoch: 2 }, numbered([textDelta('taken over')], 2)));
    expect(await store().read.events.list(TENANT, 'run_1', 1, 10)).toEqual(numbered([textDelta('taken over')], 2));
    expect(await store().read.events.list(TENANT, 'run_2', 0, 10)).toHaveLength(2);
    expect(await other.read.messages.history(TENANT, 'ses_1')).toEqual([]);
  });

  /** Runs the works at once, in turn by two processes. Resolves the errors of those that are refused. */
  const atOnce = async (works: readonly ((tx: StoreTransaction) => Promise<unknown>)[]) => {
    const stores = [store(), await another()];
    const results = await Promise.allSettled(works.map((work, i) => (stores[i % 2] ?? store()).transaction('none', work)));
    return results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []));
  };

  test('lets a session have one active run, when runs start without the lock of the session', async () => {
    await store().transaction('none', tx => tx.sessions.insert(aSession()));
    const ids = ['run_1', 'run_2', 'run_3', 'run_4'];
    // With ordinals of their own, so that only their status forbids the runs.
    const refused = await atOnce(ids.map((id, i) => tx => tx.runs.insert({ ...aRun({ id }), ordinal: i + 1 })));
    expect(refused).toHaveLength(3);
    for (const error of refused) expect(error).toMatchObject({ name: 'SessionBusyError', code: 'session_busy', retryAfterMs: 1_000 });
    expect(await store().read.runs.unfinishedOf(TENANT, 'ses_1')).toMatchObject([{ status: 'running' }]);
    await store().transaction('none', tx => insertRun(tx, { id: 'run_elsewhere' }));
    await store().transaction('none', async tx => {
      await tx.sessions.insert(aSession({ tenantId: 'globex' }));
      await tx.runs.insert(aRun({ tenantId: 'globex', status: 'waiting' }));
    });
  });

  test('lets a session have one active run, when queued runs are claimed without the lock of the session', async () => {
    const ids = ['run_2', 'run_3', 'run_4', 'run_5'];
    await store().transaction('none', async tx => {
      await tx.sessions.insert(aSession());
      for (const id of ids) await tx.runs.insert(aRun({ id, status: 'queued' }));
    });
    const claim = (id: string, status: 'running' | 'waiting') => (tx: StoreTransaction) =>
      tx.runs.update(TENANT, id, { from: ['queued'] }, { status });
    const refused = await atOnce(ids.map((id, i) => claim(id, i < 2 ? 'running' : 'waiting')));
    expect(refused).toHaveLength(3);
    for (const error of refused) expect(error).toMatchObject({ name: 'SessionBusyError', code: 'session_busy' });
    const active = await store().read.runs.active(TENANT, 'ses_1');
    expect(await store().read.runs.countQueued(TENANT, 'ses_1')).toBe(3);
    await store().transaction('none', tx =>
      tx.runs.update(TENANT, active?.id ?? '', { from: ['running', 'waiting'] }, { status: 'failed' }),
    );
    const next = (await store().read.runs.nextQueued(TENANT, 'ses_1'))?.id ?? '';
    expect(await store().transaction('none', claim(next, 'running'))).toBe(true);
  });

  test('gives no two runs of a session the same ordinal, when they are queued without the lock of the session', async () => {
    await store().transaction('none', tx => tx.sessions.insert(aSession()));
    const ids = ['run_1', 'run_2'];
    const [refused] = await atOnce(ids.map(id => tx => tx.runs.insert({ ...aRun({ id, status: 'queued' }), ordinal: 1 })));
    expect(refused).toMatchObject({ name: 'SessionBusyError', code: 'session_busy' });
    expect(await store().read.runs.countQueued(TENANT, 'ses_1')).toBe(1);
  });

  test('lets only one of two processes take over a run, and only one take a message', async () => {
    const other = await another();
    await seed(store(), tx => tx.steeringMessages.insert(aSteeringMessage()));
    const takeOver = (from: Store, owner: string) =>
      from.transaction('none', tx =>
        tx.runs.update(TENANT, 'run_1', { from: ['running'], epoch: 1 }, { epoch: 2, owner, leaseUntil: WITH_NODE_LEASE }),
      );
    const wins = await Promise.all([takeOver(store(), 'node-1'), takeOver(other, 'node-2')]);
    expect(wins.filter(Boolean)).toHaveLength(1);
    const held = await Promise.all([store().read.runs.ownedBy('node-1'), other.read.runs.ownedBy('node-2')]);
    expect(held.map(runs => runs.length > 0)).toEqual(wins);
    const taken = await Promise.all(
      [store(), other].map(each => each.transaction('none', tx => tx.steeringMessages.take(TENANT, ['steer_1'], 3_000))),
    );
    expect(taken.reduce((sum, count) => sum + count)).toBe(1);
  });
}
