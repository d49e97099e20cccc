import { createSystemClock } from '../../../src/adapter/local/node/clock';
import type { Store } from '../../../src/port/store/store';
import { SessionService, type SessionServiceDeps } from '../../../src/service/session/session_service';
import { NO_AUDIT } from '../../support/no_audit';
import { aMessage, aSession, TENANT } from '../../support/store_records';
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
