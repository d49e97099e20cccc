import { createIdSource } from '../../../src/adapter/local/node/ids';
import { clarifyResolvers } from '../../../src/gateway/clarify_resolvers';
import { NO_OTHER_NODES } from '../../../src/port/node_bus';
import type { ApprovalSubject } from '../../../src/port/store/questions';
import { createApprovalPolicy } from '../../../src/runtime/approval/approval_policy';
import type { AuditEntry } from '../../../src/service/audit/audit_log';
import { ApprovalReviews } from '../../../src/service/question/approval_reviews';
import { ApprovalService } from '../../../src/service/question/approval_service';
import { ApproverDirectory } from '../../../src/service/question/approver_directory';
import { ApproverPresence } from '../../../src/service/question/approver_presence';
import { Escalations } from '../../../src/service/question/escalations';
import { QuestionService } from '../../../src/service/question/question_service';
import { RunHooks } from '../../../src/service/run_log/run_hooks';
import { bashTool } from '../../../src/tools/builtin/bash';
import { terminalTool } from '../../../src/tools/builtin/terminal';
import { ToolRegistry } from '../../../src/tools/registry';
import { createManualClock } from '../../support/manual_clock';
import { NO_OBSERVER } from '../../support/no_observer';
import { openQuestions } from '../../support/open_questions';
import { openRun } from '../../support/run_writer';
import { aQuestion, TENANT } from '../../support/store_records';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';

let temporary: TemporaryStore;

beforeAll(async () => {
  temporary = await openTemporaryStore();
});

afterAll(() => temporary.release());

/** Creates the services over a store with one pending approval. */
async function setUp(id: string, more: Partial<ApprovalSubject> = {}) {
  const { store } = temporary;
  const { run, writer, bus } = await openRun(store);
  const clock = createManualClock();
  const ports = { store, clock, ids: createIdSource(clock), failpoints: { reach: () => undefined } };
  const audited: AuditEntry[] = [];
  const auditLog = { record: async (entry: AuditEntry) => void audited.push(entry) };
  const questionService = new QuestionService(
    { ...ports, observer: NO_OBSERVER, hooks: new RunHooks(), auditLog, nodeBus: NO_OTHER_NODES },
    clarifyResolvers,
  );
  const policy = createApprovalPolicy({ rules: [], isIsolated: true });
  const approvers = new ApproverPresence(NO_OTHER_NODES);
  const service = new ApprovalService({
    store,
    clock,
    questionService,
    policies: { policyOf: () => policy },
    approvers,
    tools: new ToolRegistry([terminalTool, bashTool]),
    timeoutMs: 1_000,
    workspacePathOf: () => '/w',
    questionAccess: openQuestions(),
    reviews: new ApprovalReviews({
      store,
      clock,
      auditLog,
      nodeBus: NO_OTHER_NODES,
      escalations: new Escalations({ store, clock, hooks: new RunHooks(), onError: () => {} }),
      approvers: new ApproverDirectory({ callersOf: () => [] }),
      questionService,
    }),
  });
  const subject: ApprovalSubject = {
    tool: 'bash',
    label: 'Run',
    args: { command: 'ls' },
    fingerprint: 'f',
    sessionScope: 'exact',
    grant: 'g',
    ...more,
  };
  const { sessionId, id: runId } = run;
  const row = aQuestion({
    id,
    sessionId,
    runId,
    kind: 'approval',
    approval: subject,
    createdAt: clock.now(),
    expiresAt: clock.now() + 1_000,
  });
  await store.transaction('none', tx => tx.questions.insert(row));
  const ask = (signal: AbortSignal) =>
    service.askApproval(run, writer, { ...subject, review: undefined, toolCallId: 'call_2', reason: 'Why not.', signal });
  return { service, questionService, clock, sessionId, run, bus, approvers, subject, ask, audited };
}

describe('a decision', () => {
  it('of another tenant or session is refused as if the approval did not exist', async () => {
    const { service, questionService, sessionId } = await setUp('a1');
    const strangers = [
      service.decideApproval({ tenantId: 'other' }, 'a1', { decision: 'allow_once' }),
      service.decideApproval({ tenantId: TENANT, sessionId: 'ses_2' }, 'a1', { decision: 'allow_once' }),
      service.decideApproval({ tenantId: TENANT }, 'a0', { decision: 'allow_once' }),
    ];
    for (const attempt of strangers)
      await expect(attempt).rejects.toMatchObject({ code: 'not_found', message: 'There is no such question.' });
    expect((await questionService.listQuestions('other', { kind: 'approval' }, { limit: 10 })).data).toEqual([]);
    expect(await questionService.listOpenQuestions({ tenantId: TENANT, sessionId })).toMatchObject([{ id: 'a1', status: 'pending' }]);
  });

  it('is refused once the deadline has passed', async () => {
    const { service, clock } = await setUp('a2');
    clock.advance(1_000);
    await expect(service.decideApproval({ tenantId: TENANT }, 'a2', { decision: 'allow_once' })).rejects.toMatchObject({
      code: 'clarification_closed',
      details: { status: 'expired' },
    });
  });
});

test('the audit log names the directory of the command that a person has changed', async () => {
  const { service, audited } = await setUp('a3', { args: { command: 'ls', cwd: '/w/a' }, directory: '/w/a' });
  await service.decideApproval({ tenantId: TENANT }, 'a3', { decision: 'allow_once', args: { command: 'make', cwd: 'b' } });
  const other = await setUp('a4', { args: { command: 'ls', cwd: '/w/a' }, directory: '/w/a' });
  await other.service.decideApproval({ tenantId: TENANT }, 'a4', { decision: 'allow_once', args: { command: 'make' } });
  expect([...audited, ...other.audited].map(({ details }) => [details?.['command'], details?.['directory']])).toEqual([
    ['make', '/w/b'],
    ['make', '/w'],
  ]);
});

describe('an earlier answer', () => {
  const never = new AbortController().signal;

  it('counts if it is the newest of many: allow_session covers the call, a denial of the same call in the run refuses it', async () => {
    const { service, ask, run, subject } = await setUp('e1');
    await temporary.store.transaction('none', async tx => {
      for (let i = 0; i < 1_001; i += 1) {
        const answered = { approval: subject, status: 'answered' as const, answer: '{"decision":"allow_once"}' };
        await tx.questions.insert(aQuestion({ id: `e1-${i}`, sessionId: run.sessionId, runId: run.id, kind: 'approval', ...answered }));
      }
    });
    await service.decideApproval(run, 'e1', { decision: 'allow_session' });
    expect(await ask(never)).toEqual({ status: 'allowed' });
    const denied = await setUp('e2');
    await denied.service.decideApproval(denied.run, 'e2', { decision: 'deny', reason: 'no' });
    expect(await denied.ask(never)).toEqual({ status: 'denied', reason: 'no' });
  });

  it('for a terminal command counts once, also when it was allow_session', async () => {
    const { service, ask, run } = await setUp('e3', { tool: 'terminal', sessionScope: 'none' });
    expect(await service.decideApproval(run, 'e3', { decision: 'allow_session' })).toEqual({ decision: 'allow_once' });
    expect(await ask(never)).toEqual({ status: 'unreachable' });
  });

  it('does not cover another terminal command: the question names the current directory', async () => {
    const { ask, run, bus, approvers } = await setUp('e5', { tool: 'terminal', sessionScope: 'none', grant: 'other' });
    const { tenantId, sessionId } = run;
    const state = { cwd: '/work/build', variables: {} };
    await temporary.store.transaction('none', tx => tx.terminals.put({ tenantId, sessionId, state, updatedAt: 1 }));
    approvers.join(run);
    const controller = new AbortController();
    const reasons: string[] = [];
    await bus.subscribe(sessionId, {
      events: ([event]) => {
        if (event?.type === 'approval_request') reasons.push(event.data.reason);
        controller.abort();
      },
    });
    expect(await ask(controller.signal)).toEqual({ status: 'cancelled' });
    expect(reasons).toEqual(['Why not. It would run in /work/build.']);
  });

  it('is not looked up, and no question is asked, once the run is cancelled', async () => {
    const { ask, run, questionService } = await setUp('e4');
    expect(await ask(AbortSignal.abort())).toEqual({ status: 'cancelled' });
    expect((await questionService.listOpenQuestions(run)).map(row => row.id)).toEqual(['e4']);
    expect(await temporary.store.read.events.list(TENANT, run.id, 0, 10)).toEqual([]);
  });
});

describe('an extension', () => {
  it('restarts the time limit of the question kind and never shortens the time left', async () => {
    const { questionService, clock, run } = await setUp('m1');
    const start = clock.now();
    expect(await questionService.extendDeadline(run, 'm1', { clarification: 90_000, approval: 10 })).toBe(start + 1_000);
    expect(await questionService.extendDeadline(run, 'm1', { clarification: 10, approval: 90_000 })).toBe(start + 90_000);
  });
});

describe('the list of approvals', () => {
  it('has at most 20 rows a page, since arguments can be long', async () => {
    const { questionService, run } = await setUp('l0');
    const { sessionId, id: runId } = run;
    await temporary.store.transaction('none', async tx => {
      for (let i = 1; i <= 20; i += 1) await tx.questions.insert(aQuestion({ id: `l${i}`, sessionId, runId, kind: 'approval' }));
    });
    const first = await questionService.listQuestions(TENANT, { kind: 'approval', sessionId }, { limit: 1_000 });
    expect(first.data).toHaveLength(20);
    expect(first).toMatchObject({ nextCursor: expect.any(String) });
  });
});

describe('the presence of an approver', () => {
  it('lasts until the last connection of the session has left', () => {
    const approvers = new ApproverPresence(NO_OTHER_NODES);
    const owner = { tenantId: TENANT, sessionId: 'ses_1' };
    const leave = [approvers.join(owner), approvers.join(owner)];
    const seen = [approvers.isPresent({ ...owner, tenantId: 'other' }), approvers.isPresent({ ...owner, sessionId: 'ses_2' })];
    for (const go of leave) {
      seen.push(approvers.isPresent(owner));
      go();
    }
    expect([...seen, approvers.isPresent(owner)]).toEqual([false, false, true, true, false]);
  });
});
