import { createSystemClock } from '../../../src/adapter/local/node/clock';
import type { Store } from '../../../src/port/store/store';
import { SessionService, type SessionServiceDeps } from '../../../src/service/session/session_service';
import { NO_AUDIT } from '../../support/no_audit';
import { aMessage, aRun, aSession, TENANT } from '../../support/store_records';
import { openTemporaryStore } from '../../support/temporary_store';

test('a deletion that fails halfway leaves no deleted message in the cache of histories, and can be repeated', async () => {
  const temporary = await openTemporaryStore();
  const { store } = temporary;
  await store.transaction('none', async tx => {
    await tx.sessions.insert(aSession());
    await tx.messages.insert([aMessage()]);
  });
  const uncached: string[] = [];
  let deletions = 0;
  const transaction: Store['transaction'] = (lock, work) =>
    store.transaction(lock, async tx => {
      const result = await work(tx);
      // The first transactions delete parts of the session; the last one fails once.
      if (!(await tx.sessions.get(TENANT, 'ses_1')) && deletions++ === 0) throw new Error('the disk is full');
      return result;
    });
  const service = new SessionService({
    store: { ...store, read: store.read, transaction },
    clock: createSystemClock(),
    auditLog: NO_AUDIT,
    cancelRuns: async () => undefined,
    results: { removeResults: async () => undefined },
    undo: { forgetSession: async () => undefined },
    histories: { removeSession: (_tenantId: string, id: string) => uncached.push(id) },
    onDelete: () => {},
    sessionWatch: { noteChange: () => {} },
    // Only what deleting needs.
  } as unknown as SessionServiceDeps);
  await expect(service.deleteSession({ tenantId: TENANT }, 'ses_1')).rejects.toThrow('the disk is full');
  expect(await store.read.messages.history(TENANT, 'ses_1')).toEqual([]);
  expect(uncached).toEqual(['ses_1']);
  await service.deleteSession({ tenantId: TENANT }, 'ses_1');
  expect(await store.read.sessions.get(TENANT, 'ses_1')).toBeUndefined();
  await temporary.release();
});

test('projects and branches are lists, which a replica may answer', async () => {
  const { store, release } = await openTemporaryStore();
  await store.transaction('none', async tx => {
    await tx.sessions.insert(aSession({ rootSessionId: 'ses_1' }));
    await tx.sessions.insert(aSession({ id: 'ses_3', project: 'garden' }));
    await tx.sessions.insert(aSession({ id: 'ses_2', rootSessionId: 'ses_1', beforeRunId: 'run_1' }));
    await tx.runs.insert(aRun({ id: 'run_2', sessionId: 'ses_2' }));
  });
  const read = { sessions: store.read.sessions };
  // Only what these lists need.
  const service = new SessionService({ store: { lists: store.lists, read } } as unknown as SessionServiceDeps);
  expect(await service.listProjects(TENANT)).toMatchObject([{ name: 'garden' }]);
  expect(await service.listBranchPlaces(TENANT, 'ses_1')).toHaveLength(1);
  expect((await service.listBranches(TENANT, 'ses_1', { limit: 10 })).data).toHaveLength(2);
  await release();
});
