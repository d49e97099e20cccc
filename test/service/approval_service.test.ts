import { createIdSource } from '../../src/adapter/local/ids';
import { clarifyResolvers } from '../../src/gateway/clarify_resolvers';
import { createApprovalPolicy } from '../../src/runtime/approval/approval_policy';
import { ApprovalAudience } from '../../src/service/approval_audience';
import { ApprovalService } from '../../src/service/approval_service';
import { QuestionDesk } from '../../src/service/question_desk';
import { ToolRegistry } from '../../src/tools/registry';
import { createManualClock } from '../support/manual_clock';
import { openRun } from '../support/run_writer';
import { aClarification, TENANT } from '../support/store_records';
import { openTemporaryStore, type TemporaryStore } from '../support/temporary_store';

let temporary: TemporaryStore;

beforeAll(async () => {
  temporary = await openTemporaryStore();
});

afterAll(() => temporary.release());

/** A service over the store with one pending approval. */
async function setUp(id: string) {
  const { store } = temporary;
  const { run } = await openRun(store);
  const clock = createManualClock();
  const desk = new QuestionDesk({ store, clock, ids: createIdSource(clock), debug: { hit: () => undefined }, waiters: clarifyResolvers });
  const policy = createApprovalPolicy({ rules: [], isIsolated: true });
  const service = new ApprovalService({
    ports: { store },
    desk,
    policy,
    audience: new ApprovalAudience(),
    tools: new ToolRegistry(),
    timeoutMs: 1_000,
  });
  const subject = { tool: 'bash', label: 'Run', args: { command: 'ls' }, fingerprint: 'f', sessionScope: 'exact' as const, grant: 'g' };
  const { sessionId, id: runId } = run;
  const row = aClarification({
    id,
    sessionId,
    runId,
    kind: 'approval',
    approval: subject,
    createdAt: clock.now(),
    expiresAt: clock.now() + 1_000,
  });
  await store.transaction(tx => tx.insertClarification(row));
  return { service, clock, sessionId };
}

describe('a decision', () => {
  it('cannot be made by another tenant or in another session, which are told the same as about an approval that does not exist', async () => {
    const { service, sessionId } = await setUp('a1');
    const strangers = [
      service.decide({ tenantId: 'other' }, 'a1', { decision: 'allow_once' }),
      service.decide({ tenantId: TENANT, sessionId: 'ses_2' }, 'a1', { decision: 'allow_once' }),
      service.decide({ tenantId: TENANT }, 'a0', { decision: 'allow_once' }),
    ];
    for (const attempt of strangers)
      await expect(attempt).rejects.toMatchObject({ code: 'not_found', message: 'There is no such question.' });
    expect((await service.list('other', {}, { limit: 10 })).data).toEqual([]);
    expect(await service.listOpen({ tenantId: TENANT, sessionId })).toMatchObject([{ id: 'a1', status: 'pending' }]);
  });

  it('counts up to the deadline and not after it', async () => {
    const { service, clock } = await setUp('a2');
    clock.advance(1_000);
    await expect(service.decide({ tenantId: TENANT }, 'a2', { decision: 'allow_once' })).rejects.toMatchObject({
      code: 'clarification_closed',
      details: { status: 'expired' },
    });
  });
});

describe('who can be asked', () => {
  it('is everybody who follows the session until the last of them has left', () => {
    const audience = new ApprovalAudience();
    const owner = { tenantId: TENANT, sessionId: 'ses_1' };
    const leave = [audience.join(owner), audience.join(owner)];
    const seen = [audience.isThere({ ...owner, tenantId: 'other' }), audience.isThere({ ...owner, sessionId: 'ses_2' })];
    for (const go of leave) {
      seen.push(audience.isThere(owner));
      go();
    }
    expect([...seen, audience.isThere(owner)]).toEqual([false, false, true, true, false]);
  });
});
