import { aMessage, aRun, aSession, aToolExecution, TENANT } from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

export function describeRetention(store: CurrentStore): void {
  test('finds old sessions by kind, without those of child runs and those with an unfinished run', async () => {
    await store().transaction('none', async tx => {
      const door = { origin: { door: 'openai' as const } };
      await tx.sessions.insert(aSession({ id: 'ses_chat' }));
      await tx.sessions.insert(aSession({ id: 'ses_busy' }));
      await tx.runs.insert(aRun({ id: 'run_busy', sessionId: 'ses_busy', status: 'waiting' }));
      await tx.sessions.insert(aSession({ id: 'ses_child', parentRunId: 'run_1', parentSessionId: 'ses_chat' }));
      await tx.sessions.insert(aSession({ id: 'ses_temporary', temporary: true }));
      await tx.sessions.insert(aSession({ id: 'ses_new', updatedAt: 9_000 }));
      await tx.sessions.insert(aSession({ id: 'ses_stateless', tenantId: 'globex', ...door }));
      await tx.sessions.insert(aSession({ id: 'ses_response', ...door }));
      await tx.runs.insert(aRun({ id: 'run_r', sessionId: 'ses_response', status: 'completed' }));
      const response = { tenantId: TENANT, runId: 'run_r', sessionId: 'ses_response', settings: {}, input: [] };
      await tx.responses.insert({ ...response, isKept: true, createdAt: 1 });
    });
    const { read } = store();
    expect(await read.retention.oldSessions('chat', 5_000, 10)).toEqual([{ tenantId: TENANT, id: 'ses_chat' }]);
    expect(await read.retention.oldSessions('stateless', 5_000, 10)).toEqual([{ tenantId: 'globex', id: 'ses_stateless' }]);
    expect(await read.retention.oldSessions('response', 5_000, 10)).toEqual([{ tenantId: TENANT, id: 'ses_response' }]);
    expect(await read.retention.oldSessions('temporary', 5_000, 10)).toEqual([{ tenantId: TENANT, id: 'ses_temporary' }]);
    expect(await read.retention.oldSessions('chat', 1_000, 10)).toEqual([]);
    expect(await read.retention.oldSessions('chat', 10_000, 1)).toHaveLength(1);
  });

  test('finds chats of owners with days of their own by those days alone', async () => {
    const day = 86_400_000;
    await store().transaction('none', async tx => {
      for (const owner of ['@anna', '@ben', '@carol'])
        await tx.sessions.insert(aSession({ id: `ses${owner}`, owner, updatedAt: 10 * day }));
      await tx.sessions.insert(aSession({ id: 'ses_globex', tenantId: 'globex', owner: '@anna', updatedAt: 10 * day }));
      await tx.retention.setOwnerDays([{ tenantId: TENANT, owner: '@carol', days: 1 }]);
      await tx.retention.setOwnerDays([
        { tenantId: TENANT, owner: '@anna', days: 5 },
        { tenantId: TENANT, owner: '@ben', days: 0 },
      ]);
    });
    const { retention } = store().read;
    expect((await retention.listOwnerDays()).map(({ owner, days }) => [owner, days]).sort()).toEqual([
      ['@anna', 5],
      ['@ben', 0],
    ]);
    expect(await retention.oldSessionsOfOwners(15 * day, 10)).toEqual([]);
    expect(await retention.oldSessionsOfOwners(15 * day + 1, 10)).toEqual([{ tenantId: TENANT, id: 'ses@anna' }]);
    const ofOthers = (await retention.oldSessions('chat', 11 * day, 10)).map(({ id }) => id);
    expect(ofOthers.sort()).toEqual(['ses@carol', 'ses_globex']);
  });

  test('deletes old calls without a session, and the usage of old days', async () => {
    await store().transaction('none', async tx => {
      await tx.sessions.insert(aSession());
      await tx.runs.insert(aRun({ startedAt: 1_000 }));
      await tx.toolExecutions.insert(aToolExecution({ id: 'exe_session', status: 'success' }));
      const { sessionId: _session, runId: _run, ...direct } = aToolExecution({ status: 'success' });
      await tx.toolExecutions.insert({ ...direct, id: 'exe_old' });
      await tx.toolExecutions.insert({ ...direct, id: 'exe_rival', tenantId: 'globex' });
      await tx.toolExecutions.insert({ ...direct, id: 'exe_running', status: 'running' });
      await tx.toolExecutions.insert({ ...direct, id: 'exe_new', createdAt: 9_000 });
      const end = { status: 'completed' as const, endedAt: Date.parse('2026-03-01T10:00:00Z'), usageByModel: {} };
      await tx.runs.update(TENANT, 'run_1', { from: ['running'] }, end);
      await tx.usage.rollUp();
    });
    expect(await store().transaction('none', tx => tx.retention.deleteOldDirectCalls(5_000, 1))).toBe(1);
    expect(await store().transaction('none', tx => tx.retention.deleteOldDirectCalls(5_000, 10))).toBe(1);
    const { data } = await store().read.toolExecutions.list(TENANT, {}, { limit: 10 });
    expect(data.map(({ id }) => id).sort()).toEqual(['exe_new', 'exe_running', 'exe_session']);
    const days = () => store().read.usageSums.sum({ from: '2026-01-01', to: '2026-12-31' }, 'day');
    expect(await store().transaction('none', tx => tx.retention.deleteOldUsage('2026-03-01'))).toBe(0);
    expect(await days()).toHaveLength(1);
    expect(await store().transaction('none', tx => tx.retention.deleteOldUsage('2026-03-02'))).toBe(2);
    expect(await days()).toEqual([]);
  });

  test('keeps the shared prompt parts of the day of the oldest recorded run, and deletes older ones', async () => {
    const [day, hour] = [86_400_000, 3_600_000];
    const part = { tenantId: TENANT, owner: '*', text: 'prompt' };
    await store().transaction('none', async tx => {
      await tx.sessions.insert(aSession());
      await tx.runs.insert(aRun({ createdAt: 10 * day + 10 * hour }));
      const recording = { prompt: [{ part: 'used' }], tools: 'used', calls: [] };
      await tx.runs.update(TENANT, 'run_1', { from: ['running'] }, { recording });
      await tx.recordings.putPart({ ...part, hash: 'used', usedAt: 10 * day });
      await tx.recordings.putPart({ ...part, hash: 'unused', usedAt: 9 * day });
      await tx.recordings.putPart({ ...part, tenantId: 'globex', hash: 'used', usedAt: 10 * day });
      await tx.recordings.deleteUnusedParts(12 * day);
    });
    const { recordings } = store().read;
    expect((await recordings.parts(TENANT, 'ses_1', ['used', 'unused'])).map(({ hash }) => hash)).toEqual(['used']);
    expect(await recordings.tenants()).toEqual([TENANT]);
  });

  test('the search index still finds the messages that are left after a purge', async () => {
    await store().transaction('none', async tx => {
      for (const id of ['ses_1', 'ses_2']) {
        await tx.sessions.insert(aSession({ id }));
        await tx.messages.insert([aMessage({ id: `msg_${id}`, sessionId: id })]);
      }
    });
    while (await store().transaction('none', tx => tx.searchIndex.indexNext()));
    await store().transaction('none', tx => tx.sessions.delete(TENANT, 'ses_1'));
    let isMore = await store().transaction('none', tx => tx.retention.purgeSearchIndex(true));
    for (let i = 0; isMore && i < 100; i += 1) isMore = await store().transaction('none', tx => tx.retention.purgeSearchIndex(false));
    expect(isMore).toBe(false);
    const { data } = await store().read.search.find(TENANT, { query: 'beans', now: 2_000 }, { limit: 10 });
    expect(data.map(({ sessionId }) => sessionId)).toEqual(['ses_2']);
    expect(await store().emptyLog()).toBe(true);
  });

  test('a deletion leaves a mark until its purge has ended, also when another one came in between', async () => {
    for (const id of ['ses_1', 'ses_2']) await store().transaction('none', tx => tx.sessions.insert(aSession({ id })));
    expect(await store().read.retention.pendingPurge()).toBeUndefined();
    await store().transaction('none', tx => tx.sessions.delete(TENANT, 'ses_1'));
    const mark = (await store().read.retention.pendingPurge()) ?? '';
    await store().transaction('none', tx => tx.sessions.delete(TENANT, 'ses_2'));
    await store().transaction('none', tx => tx.retention.endPurge(mark));
    const later = (await store().read.retention.pendingPurge()) ?? '';
    expect(later).not.toBe('');
    await store().transaction('none', tx => tx.retention.endPurge(later));
    expect(await store().read.retention.pendingPurge()).toBeUndefined();
    await store().transaction('none', tx => tx.sessions.delete(TENANT, 'ses_gone'));
    expect(await store().read.retention.pendingPurge()).toBeUndefined();
  });
}
