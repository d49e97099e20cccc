import { ResponseService } from '../../../../src/feature/openai_door/responses/response_service';
import type { AgentExecutor } from '../../../../src/service/run/agent_executor';
import type { SessionService } from '../../../../src/service/session/session_service';
import { createManualClock } from '../../../support/manual_clock';
import { NO_AUDIT } from '../../../support/no_audit';
import { aRun, aSession, TENANT } from '../../../support/store_records';
import { openTemporaryStore, type TemporaryStore } from '../../../support/temporary_store';

let temporary: TemporaryStore;

beforeAll(async () => {
  temporary = await openTemporaryStore();
});

afterAll(() => temporary.release());

const MINUTE_MS = 60_000;
const NOW = 100 * MINUTE_MS;

let count = 0;

/** Stores a session with one run and its response. */
async function addResponse({ isKept, ageMs, isActive = false }: { isKept: boolean; ageMs: number; isActive?: boolean }) {
  count += 1;
  const [sessionId, runId] = [`ses_${count}`, `run_${count}`];
  await temporary.store.transaction('none', async tx => {
    await tx.sessions.insert(aSession({ id: sessionId, origin: { door: 'openai' } }));
    await tx.runs.insert(aRun({ id: runId, sessionId, status: isActive ? 'running' : 'completed' }));
    const createdAt = NOW - ageMs;
    await tx.responses.insert({ tenantId: TENANT, runId, sessionId, settings: {}, input: [], isKept, createdAt });
  });
  return { sessionId, runId };
}

function setUp() {
  const { store } = temporary;
  const deleted: string[] = [];
  const service = new ResponseService({
    store,
    clock: createManualClock(NOW),
    // Only what deleting needs.
    executor: { cancel: async () => undefined } as unknown as AgentExecutor,
    sessions: {
      purgeSession: async (tenantId: string, id: string) => {
        deleted.push(id);
        await store.transaction('none', tx => tx.sessions.delete(tenantId, id));
      },
    } as unknown as SessionService,
    auditLog: NO_AUDIT,
    onError: () => {},
  });
  return { service, deleted, store };
}

test('deletes responses that are not kept, once they have ended and 10 minutes have passed', async () => {
  const { service, deleted } = setUp();
  const old = await addResponse({ isKept: false, ageMs: 11 * MINUTE_MS });
  await addResponse({ isKept: false, ageMs: 9 * MINUTE_MS });
  await addResponse({ isKept: false, ageMs: 11 * MINUTE_MS, isActive: true });
  await addResponse({ isKept: true, ageMs: 11 * MINUTE_MS });
  await service.deleteUnkept();
  expect(deleted).toStrictEqual([old.sessionId]);
});

test('deletes a session with its last response, and only one that the door has made', async () => {
  const { service, deleted, store } = setUp();
  const { sessionId, runId } = await addResponse({ isKept: true, ageMs: 0 });
  await store.transaction('none', async tx => {
    await tx.runs.insert(aRun({ id: 'run_later', sessionId, status: 'completed' }));
    await tx.responses.insert({ tenantId: TENANT, runId: 'run_later', sessionId, settings: {}, input: [], isKept: true, createdAt: NOW });
    await tx.sessions.insert(aSession({ id: 'ses_chat' }));
    await tx.runs.insert(aRun({ id: 'run_chat', sessionId: 'ses_chat', status: 'completed' }));
    await tx.responses.insert({
      tenantId: TENANT,
      runId: 'run_chat',
      sessionId: 'ses_chat',
      settings: {},
      input: [],
      isKept: true,
      createdAt: NOW,
    });
  });
  await service.deleteResponse({ tenantId: TENANT }, runId);
  expect(deleted).toStrictEqual([]);
  await service.deleteResponse({ tenantId: TENANT }, 'run_later');
  expect(deleted).toStrictEqual([sessionId]);
  await service.deleteResponse({ tenantId: TENANT }, 'run_chat');
  expect(deleted).toStrictEqual([sessionId]);
  await expect(service.getResponse(TENANT, 'run_chat')).rejects.toMatchObject({ code: 'not_found' });
});

test("another tenant's response does not exist", async () => {
  const { service } = setUp();
  const { runId } = await addResponse({ isKept: true, ageMs: 0 });
  await expect(service.getResponse('rival', runId)).rejects.toMatchObject({ code: 'not_found' });
  await expect(service.deleteResponse({ tenantId: 'rival' }, runId)).rejects.toMatchObject({ code: 'not_found' });
  expect((await service.getResponse(TENANT, runId)).run.id).toBe(runId);
});
