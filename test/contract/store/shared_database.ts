import { WITH_NODE_LEASE } from '../../../src/port/store/node_leases';
import type { Store } from '../../../src/port/store/store';
import { FencedError } from '../../../src/port/store/store_errors';
import { aMessage, aRun, aSteeringMessage, numbered, RUN, seed, TENANT, textDelta } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

/** Opens two stores on one database, as two processes do. */
export function describeSharedDatabase(store: CurrentStore, another: () => Promise<Store>): void {
  test('refuses only the writer whose run another process took over, not others in the same commit', async () => {
    const other = await another();
    await seed(store(), async tx => {
      await tx.runs.insert(aRun({ id: 'run_2', owner: 'node-1' }));
      await tx.events.append(RUN, numbered([textDelta('before')]));
    });
    await other.transaction('none', tx => tx.runs.update(TENANT, 'run_1', { from: ['running'], epoch: 1 }, { epoch: 2, owner: 'node-2' }));
    const second = { ...RUN, id: 'run_2' };
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
