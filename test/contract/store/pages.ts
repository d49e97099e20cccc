import { aClarification, aMessage, aRun, aSession, aToolExecution, readAll, seed, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

/** Times with ties, so that the id must decide. */
const TIMES = [5_000, 5_000, 5_000, 4_000, 9_000];

export function describePages(store: CurrentStore): void {
  test('walks each list to its end without a gap or a double, ties included', async () => {
    await seed(store(), async tx => {
      for (const [i, time] of TIMES.entries()) {
        await tx.insertSession(aSession({ id: `ses_p${i}`, updatedAt: time }));
        await tx.insertRun(aRun({ id: `run_p${i}`, status: 'queued', createdAt: time }));
        await tx.insertToolExecution(aToolExecution({ id: `exe_p${i}`, createdAt: time }));
        await tx.insertClarification(aClarification({ id: `question-p${i}`, createdAt: time }));
      }
    });
    const { read } = store();
    const ids = (records: { id: string }[]) => records.map(record => record.id);
    const newestFirst = (prefix: string) => [4, 2, 1, 0, 3].map(i => `${prefix}_p${i}`);
    expect(ids(await readAll(page => read.listSessions(TENANT, page)))).toEqual([...newestFirst('ses'), 'ses_1']);
    expect(ids(await readAll(page => read.listRuns(TENANT, {}, page)))).toEqual([...newestFirst('run'), 'run_1']);
    expect(ids(await readAll(page => read.listRuns(TENANT, { status: 'queued' }, page)))).toEqual(newestFirst('run'));
    expect(ids(await readAll(page => read.listRuns(TENANT, { sessionId: 'ses_p0' }, page)))).toEqual([]);
    expect(ids(await readAll(page => read.listToolExecutions(TENANT, {}, page)))).toEqual(newestFirst('exe'));
    expect(ids(await readAll(page => read.listClarifications(TENANT, {}, page)))).toEqual([3, 0, 1, 2, 4].map(i => `question-p${i}`));
  });

  test('names a next cursor only when there is more', async () => {
    await seed(store(), tx => tx.insertMessages([0, 1].map(position => aMessage({ position }))));
    expect(await store().read.listMessages(TENANT, 'ses_1', { limit: 2 })).not.toHaveProperty('nextCursor');
    expect(await store().read.listMessages(TENANT, 'ses_1', { limit: 1 })).toHaveProperty('nextCursor');
  });

  test('refuses a cursor that is broken or of another list', async () => {
    await seed(store(), tx => tx.insertMessages([0, 1].map(position => aMessage({ position }))));
    const { nextCursor } = await store().read.listMessages(TENANT, 'ses_1', { limit: 1 });
    const broken = ['', 'x', 'bnVsbA', Buffer.from('["sessions","a","b"]').toString('base64url'), nextCursor!];
    for (const cursor of broken) {
      const list = store().read.listSessions(TENANT, { limit: 1, cursor });
      await expect(list).rejects.toMatchObject({ code: 'invalid_request', param: '/cursor' });
    }
  });
}
