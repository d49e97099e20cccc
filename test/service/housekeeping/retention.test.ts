import { createIdSource } from '../../../src/adapter/local/node/ids';
import { AuditLog } from '../../../src/service/audit/audit_log';
import { NO_OWNER_PERIODS } from '../../../src/service/housekeeping/owner_periods';
import { deleteOld, type RetentionDays } from '../../../src/service/housekeeping/retention';
import { createManualClock } from '../../support/manual_clock';
import { NO_REDACTOR } from '../../support/no_observer';
import { aSession, aToolExecution, TENANT } from '../../support/store_records';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';

let temporary: TemporaryStore;

beforeEach(async () => {
  temporary = await openTemporaryStore();
});
afterEach(() => temporary.release());

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-06-30T12:00:00Z');
const FOR_EVER: RetentionDays = {
  sessions: 0,
  temporarySessions: 0,
  statelessSessions: 0,
  responses: 0,
  events: 0,
  directCalls: 0,
  audit: 0,
  usage: 0,
};

/** Pauses between the parts of the work are over at once. */
const soon = (_milliseconds: number, callback: () => void) => {
  setImmediate(callback);
  return () => {};
};

/** Stores things of 1, 10 and 100 days ago, and deletes what is older than `days`; the session `stuck` cannot be deleted. */
async function clean(days: Partial<RetentionDays>, stuck?: string) {
  const { store } = temporary;
  const clock = { ...createManualClock(NOW), after: soon };
  const ids = createIdSource(clock);
  const failures: string[] = [];
  const deps = { store, clock, ids, failpoints: { reach: () => undefined }, onError: (message: string) => void failures.push(message) };
  const auditLog = new AuditLog({ ...deps, redactor: NO_REDACTOR });
  for (const age of [100, 10, 1]) {
    const time = NOW - age * DAY_MS;
    await store.transaction('none', async tx => {
      await tx.sessions.insert(aSession({ id: `chat_${age}`, updatedAt: time }));
      await tx.sessions.insert(aSession({ id: `door_${age}`, updatedAt: time, origin: { door: 'openai' } }));
      const { sessionId: _session, runId: _run, ...direct } = aToolExecution({ id: `exe_${age}`, status: 'success', createdAt: time });
      await tx.toolExecutions.insert(direct);
      await tx.audit.append({ tenantId: TENANT, id: `aud_${age}`, at: time, actor: 'ci', action: 'job.run', target: 'job', details: {} });
    });
  }
  await auditLog.seal();
  const purged: string[] = [];
  const purgeSession = async (tenantId: string, id: string) => {
    if (id === stuck) throw new Error('no');
    purged.push(id);
    await store.transaction('none', tx => tx.sessions.delete(tenantId, id));
  };
  await deleteOld({ ...deps, ownerPeriods: { current: NO_OWNER_PERIODS }, auditLog, days: { ...FOR_EVER, ...days }, purgeSession });
  return { purged: purged.sort(), failures, auditLog, store };
}

test('keeps everything for ever when every number of days is 0', async () => {
  const { purged, auditLog, store } = await clean({});
  expect(purged).toEqual([]);
  expect((await store.read.toolExecutions.list(TENANT, {}, { limit: 10 })).data).toHaveLength(3);
  expect(await auditLog.verify()).toMatchObject({ ok: true, rows: 3 });
});

test('deletes sessions of OpenAI clients and of people each after their own days', async () => {
  expect((await clean({ statelessSessions: 7 })).purged).toEqual(['door_10', 'door_100']);
  await temporary.release();
  temporary = await openTemporaryStore();
  expect((await clean({ sessions: 30 })).purged).toEqual(['chat_100']);
});

test('deletes old calls without a session', async () => {
  const { store } = await clean({ directCalls: 5 });
  const { data } = await store.read.toolExecutions.list(TENANT, {}, { limit: 10 });
  expect(data.map(({ id }) => id)).toEqual(['exe_1']);
});

test('prunes old rows of the audit log, says so in it, and leaves a chain that verifies', async () => {
  const { auditLog } = await clean({ audit: 5 });
  const { data } = await auditLog.listRecords({}, { limit: 10 });
  expect(data.map(({ actor, action, details }) => [actor, action, details])).toEqual([
    ['gateway:housekeeping', 'audit.prune', { rows: 2, before: '2026-06-25T12:00:00.000Z' }],
    ['ci', 'job.run', {}],
  ]);
  expect(await auditLog.verify()).toMatchObject({ ok: true, rows: 2 });
});

test('a session that cannot be deleted keeps neither the other sessions nor the other kinds of data', async () => {
  const { purged, failures, store } = await clean({ sessions: 5, directCalls: 5 }, 'chat_100');
  expect(purged).toEqual(['chat_10']);
  expect(failures).toEqual(['an old session cannot be deleted']);
  expect((await store.read.toolExecutions.list(TENANT, {}, { limit: 10 })).data.map(({ id }) => id)).toEqual(['exe_1']);
});
