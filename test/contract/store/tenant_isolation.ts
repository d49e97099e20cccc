/** Every method of the store that takes a tenant, once as the owner of all rows and once as another tenant. A new method needs a row here. */
import type { ApiKeyReader, ApiKeyWriter } from '../../../src/port/store/api_keys';
import type { AuditReader, AuditWriter } from '../../../src/port/store/audit';
import type { JobRecord } from '../../../src/port/store/jobs';
import type { OpsReader, OpsWriter } from '../../../src/port/store/ops';
import type { RateCounterWriter } from '../../../src/port/store/rate_counters';
import type { RetentionReader, RetentionWriter } from '../../../src/port/store/retention';
import type { StoreReader, StoreTransaction } from '../../../src/port/store/store';
import type { UsageReader, UsageWriter } from '../../../src/port/store/usage';
import type { DeliveryRecord, WebhookRecord } from '../../../src/port/store/webhooks';
import {
  aMemory,
  aMessage,
  aQuestion,
  aRun,
  aSession,
  aSteeringMessage,
  aToolExecution,
  numbered,
  RUN,
  textDelta,
} from '../../support/store_records';
import type { CurrentStore } from '../store_contract';

const OWNER = 'acme';
const OTHER = 'globex';
const PAGE = { limit: 10 };

/** Methods for all tenants; those of the gateway itself, which no door reaches. */
type OfAllTenants =
  | keyof ApiKeyReader
  | keyof ApiKeyWriter
  | keyof RateCounterWriter
  | keyof UsageWriter
  // usage_and_rates.ts reads them as another tenant.
  | keyof UsageReader
  // ops.ts reads and switches them as another tenant.
  | keyof OpsReader
  | keyof OpsWriter
  | 'orphanedRuns'
  | 'cancelledRunsOf'
  | 'closedQuestionsOf'
  | 'unfinishedRuns'
  | 'dueJobs'
  | 'nextJobTimes'
  | 'allWebhooks'
  | 'nextDeliveryAt'
  | 'readGauges'
  | 'claimDeliveries'
  | 'deleteOldDeliveries'
  | 'runningDirectCalls'
  | 'readVectors'
  | 'hasUnindexedMessages'
  // search.ts reads and indexes them as another tenant.
  | 'unindexedMessagesAfter'
  | 'indexMessagesAfter'
  | 'unkeptResponses'
  | 'expireEvents'
  | 'deleteIdempotencyKeys'
  | 'renewLeases'
  | 'renewCallers'
  | 'indexMessages'
  | 'putVectors'
  | 'markVectorsUsed'
  | 'deleteVectors'
  | 'deleteOldVectors'
  // The chain has one order for all tenants; audit.ts lists it as another one.
  | keyof AuditReader
  | keyof RetentionReader
  | keyof RetentionWriter
  | keyof AuditWriter;

const aJob = (tenantId: string): JobRecord => ({
  tenantId,
  id: 'job_1',
  name: 'Water the beds',
  schedule: { everyMs: 60_000 },
  input: 'Water',
  agent: 'default',
  locale: 'en',
  session: 'new',
  onMissed: 'run',
  onOverlap: 'skip',
  enabled: true,
  nextRunAt: 61_000,
  failures: 0,
  version: 1,
  createdAt: 1_000,
  updatedAt: 1_000,
});

const aWebhook = (tenantId: string): WebhookRecord => ({
  tenantId,
  id: 'whk_1',
  url: 'https://example.com/',
  events: ['run.failed'],
  secret: 'whsec_A',
  createdAt: 1,
});

const aDelivery = (tenantId: string): DeliveryRecord => ({
  tenantId,
  id: 'dlv_1',
  webhookId: 'whk_1',
  type: 'run.failed',
  body: '{}',
  status: 'pending',
  attempts: 0,
  nextAttemptAt: 1,
  createdAt: 1,
});

const READS: Record<Exclude<keyof StoreReader, OfAllTenants>, (read: StoreReader, tenantId: string) => Promise<unknown>> = {
  getSession: (read, tenantId) => read.getSession(tenantId, 'ses_1'),
  listSessions: (read, tenantId) => read.listSessions(tenantId, PAGE),
  childSessionIds: (read, tenantId) => read.childSessionIds(tenantId, 'ses_1'),
  getRun: (read, tenantId) => read.getRun(tenantId, 'run_1'),
  getRunState: (read, tenantId) => read.getRunState(tenantId, 'run_1'),
  runProgress: (read, tenantId) => read.runProgress(tenantId, ['run_1']),
  listRuns: (read, tenantId) => read.listRuns(tenantId, {}, PAGE),
  findChildRun: (read, tenantId) => read.findChildRun(tenantId, { runId: 'run_1', toolCallId: 'call_1', index: 0 }),
  childRuns: (read, tenantId) => read.childRuns(tenantId, 'run_1'),
  runsAfter: (read, tenantId) => read.runsAfter(tenantId, 'ses_1', 0),
  runStatesAfter: (read, tenantId) => read.runStatesAfter(tenantId, 'ses_1', 0),
  activeRun: (read, tenantId) => read.activeRun(tenantId, 'ses_1'),
  nextQueuedRun: (read, tenantId) => read.nextQueuedRun(tenantId, 'ses_1'),
  countQueuedRuns: (read, tenantId) => read.countQueuedRuns(tenantId, 'ses_1'),
  countUnfinishedRuns: (read, tenantId) => read.countUnfinishedRuns(tenantId),
  unfinishedRunsOf: (read, tenantId) => read.unfinishedRunsOf(tenantId, 'ses_1'),
  listEvents: (read, tenantId) => read.listEvents(tenantId, 'run_1', 0, 10),
  history: (read, tenantId) => read.history(tenantId, 'ses_1'),
  messagesOfRun: (read, tenantId) => read.messagesOfRun(tenantId, 'ses_1', 1),
  messageSizes: (read, tenantId) => read.messageSizes(tenantId, 'ses_1', 9, 10),
  listMessages: (read, tenantId) => read.listMessages(tenantId, 'ses_1', PAGE),
  getSummary: (read, tenantId) => read.getSummary(tenantId, 'ses_1'),
  pendingSteeringMessages: (read, tenantId) => read.pendingSteeringMessages(tenantId, 'run_1'),
  countPendingSteeringMessages: (read, tenantId) => read.countPendingSteeringMessages(tenantId, 'run_1'),
  getQuestion: (read, tenantId) => read.getQuestion(tenantId, 'question-1'),
  listQuestions: (read, tenantId) => read.listQuestions(tenantId, {}, PAGE),
  openTextQuestions: (read, tenantId) => read.openTextQuestions(tenantId, 'ses_1', 2_000),
  newestApprovalAnswer: (read, tenantId) => read.newestApprovalAnswer(tenantId, { sessionId: 'ses_1', grant: 'g' }),
  getToolExecution: (read, tenantId) => read.getToolExecution(tenantId, 'exe_1'),
  getToolAnswer: (read, tenantId) => read.getToolAnswer(tenantId, 'exe_1'),
  listToolExecutions: (read, tenantId) => read.listToolExecutions(tenantId, {}, PAGE),
  toolsOfSession: (read, tenantId) => read.toolsOfSession(tenantId, 'ses_1'),
  getTodos: (read, tenantId) => read.getTodos(tenantId, 'ses_1'),
  getTerminal: (read, tenantId) => read.getTerminal(tenantId, 'ses_1'),
  getIdempotencyKey: (read, tenantId) => read.getIdempotencyKey(tenantId, 'k'),
  searchMessages: (read, tenantId) => read.searchMessages(tenantId, { query: 'beans', now: 2_000 }, PAGE),
  getJob: (read, tenantId) => read.getJob(tenantId, 'job_1'),
  listJobs: (read, tenantId) => read.listJobs(tenantId, PAGE),
  countJobs: (read, tenantId) => read.countJobs(tenantId),
  listJobRuns: (read, tenantId) => read.listJobRuns(tenantId, 'job_1', PAGE),
  latestJobRuns: (read, tenantId) => read.latestJobRuns(tenantId),
  countUnfinishedJobRuns: (read, tenantId) => read.countUnfinishedJobRuns(tenantId, 'job_1'),
  hasJobRun: (read, tenantId) => read.hasJobRun(tenantId, 'job_1', 1_000),
  jobOfRun: (read, tenantId) => read.jobOfRun(tenantId, 'run_1'),
  getMemory: (read, tenantId) => read.getMemory(tenantId, 'mem_1'),
  listMemories: (read, tenantId) => read.listMemories(tenantId, {}, PAGE),
  rankMemories: (read, tenantId) => read.rankMemories(tenantId, 'beans', 10),
  rankMemoryIds: (read, tenantId) => read.rankMemoryIds(tenantId, { query: 'beans' }, 'any', 10),
  countMemoryChanges: (read, tenantId) => read.countMemoryChanges(tenantId),
  listMemoryTimes: (read, tenantId) => read.listMemoryTimes(tenantId),
  readMemories: (read, tenantId) => read.readMemories(tenantId, ['mem_1']),
  listMemoryTexts: (read, tenantId) => read.listMemoryTexts(tenantId, {}, '', 10),
  findSameMemory: (read, tenantId) => read.findSameMemory(tenantId, aMemory().text),
  countMemories: (read, tenantId) => read.countMemories(tenantId),
  memoriesOfSession: (read, tenantId) => read.memoriesOfSession(tenantId, 'ses_1'),
  getSessionTools: (read, tenantId) => read.getSessionTools({ tenantId, sessionId: 'ses_1', agent: 'default' }),
  getImage: (read, tenantId) => read.getImage(tenantId, 'ses_1', 'img_1'),
  getResponse: (read, tenantId) => read.getResponse(tenantId, 'run_1'),
  countResponses: (read, tenantId) => read.countResponses(tenantId, 'ses_1'),
  getWebhook: (read, tenantId) => read.getWebhook(tenantId, 'whk_1'),
  listDeliveries: (read, tenantId) => read.listDeliveries(tenantId, 'whk_1', PAGE),
  getDelivery: (read, tenantId) => read.getDelivery(tenantId, 'dlv_1'),
};

type Writes = Exclude<keyof StoreTransaction, keyof StoreReader | OfAllTenants>;

const WRITES: Record<Writes, (tx: StoreTransaction, tenantId: string) => Promise<unknown>> = {
  insertSession: (tx, tenantId) => tx.insertSession(aSession({ tenantId })),
  updateSession: (tx, tenantId) => tx.updateSession(tenantId, 'ses_1', { title: 'changed', updatedAt: 9 }),
  touchSession: (tx, tenantId) => tx.touchSession(tenantId, 'ses_1', 9_000),
  deleteSessionPart: (tx, tenantId) => tx.deleteSessionPart(tenantId, 'ses_1'),
  deleteSession: (tx, tenantId) => tx.deleteSession(tenantId, 'ses_1'),
  insertRun: (tx, tenantId) => tx.insertRun(aRun({ tenantId })),
  updateRun: (tx, tenantId) => tx.updateRun(tenantId, 'run_1', { from: ['running'] }, { status: 'failed' }),
  appendEvents: (tx, tenantId) => tx.appendEvents({ ...RUN, tenantId }, numbered([textDelta('b')], 2)),
  insertMessages: (tx, tenantId) => tx.insertMessages([aMessage({ tenantId, position: 1 })]),
  putSummary: (tx, tenantId) => tx.putSummary({ tenantId, sessionId: 'ses_1', runOrdinal: 1, position: 0, text: 'changed', createdAt: 9 }),
  insertSteeringMessage: (tx, tenantId) => tx.insertSteeringMessage(aSteeringMessage({ tenantId, id: 'steer_2' })),
  takeSteeringMessages: (tx, tenantId) => tx.takeSteeringMessages(tenantId, ['steer_1'], 9),
  insertQuestion: (tx, tenantId) => tx.insertQuestion(aQuestion({ tenantId, id: 'question-2' })),
  closeQuestion: (tx, tenantId) => tx.closeQuestion(tenantId, 'question-1', { status: 'cancelled', closedAt: 9 }),
  extendQuestion: (tx, tenantId) => tx.extendQuestion(tenantId, 'question-1', 99_000),
  insertToolExecution: (tx, tenantId) => tx.insertToolExecution(aToolExecution({ tenantId, id: 'exe_2' })),
  putToolAnswer: (tx, tenantId) => tx.putToolAnswer(tenantId, 'exe_1', { changed: true }),
  finishToolExecution: (tx, tenantId) => tx.finishToolExecution(tenantId, 'exe_1', { status: 'error' }),
  putTodos: (tx, tenantId) => tx.putTodos({ tenantId, sessionId: 'ses_1', todos: [], updatedAt: 9 }),
  putTerminal: (tx, tenantId) => tx.putTerminal({ tenantId, sessionId: 'ses_1', state: { cwd: '/x', variables: {} }, updatedAt: 9 }),
  putIdempotencyKey: (tx, tenantId) => tx.putIdempotencyKey({ tenantId, key: 'k', fingerprint: 'changed', runId: 'run_1', createdAt: 9 }),
  insertJob: (tx, tenantId) => tx.insertJob({ ...aJob(tenantId), name: 'changed' }),
  updateJob: (tx, tenantId) => tx.updateJob({ ...aJob(tenantId), name: 'changed' }),
  deleteJob: (tx, tenantId) => tx.deleteJob(tenantId, 'job_1'),
  insertJobRun: (tx, tenantId) =>
    tx.insertJobRun({ tenantId, jobId: 'job_1', runId: 'run_1', sessionId: 'ses_1', dueAt: 9, trigger: 'schedule', createdAt: 9 }),
  insertMemory: (tx, tenantId) => tx.insertMemory(aMemory({ tenantId, text: 'changed' })),
  updateMemory: (tx, tenantId) => tx.updateMemory(tenantId, 'mem_1', { text: 'changed', updatedAt: 9 }),
  deleteMemory: (tx, tenantId) => tx.deleteMemory(tenantId, 'mem_1'),
  markMemoriesUsed: (tx, tenantId) => tx.markMemoriesUsed(tenantId, ['mem_1'], 9),
  insertMemoryBlock: (tx, tenantId) => tx.insertMemoryBlock({ tenantId, sessionId: 'ses_1', memoryIds: [], createdAt: 9 }),
  putSessionTools: (tx, tenantId) =>
    tx.putSessionTools({ tenantId, sessionId: 'ses_1', agent: 'default', names: ['changed'], updatedAt: 9 }),
  insertImage: (tx, tenantId) =>
    tx.insertImage({ tenantId, sessionId: 'ses_1', id: 'img_1', mediaType: 'image/png', bytes: Buffer.from('changed'), createdAt: 9 }),
  copyImages: (tx, tenantId) => tx.copyImages(tenantId, 'ses_1', 'ses_2'),
  insertResponse: (tx, tenantId) =>
    tx.insertResponse({ tenantId, runId: 'run_1', sessionId: 'ses_1', settings: { changed: 1 }, input: [], isKept: true, createdAt: 9 }),
  deleteResponse: (tx, tenantId) => tx.deleteResponse(tenantId, 'run_1'),
  insertWebhook: (tx, tenantId) => tx.insertWebhook({ ...aWebhook(tenantId), url: 'https://changed.example' }),
  deleteWebhook: (tx, tenantId) => tx.deleteWebhook(tenantId, 'whk_1'),
  disableWebhook: (tx, tenantId) => tx.disableWebhook(tenantId, 'whk_1', 'changed'),
  insertDeliveries: (tx, tenantId) => tx.insertDeliveries([{ ...aDelivery(tenantId), id: 'dlv_2' }]),
  updateDelivery: (tx, tenantId) => tx.updateDelivery(tenantId, 'dlv_1', 0, { status: 'failed' }),
  replayDelivery: (tx, tenantId) => tx.replayDelivery(tenantId, 'dlv_1', 9),
};

/** Gives a tenant at least one row for each read. */
async function fill(tx: StoreTransaction, tenantId: string): Promise<void> {
  await tx.insertSession(aSession({ tenantId }));
  await tx.insertSession(aSession({ tenantId, id: 'ses_2', parentSessionId: 'ses_1', parentRunId: 'run_1' }));
  await tx.insertRun(aRun({ tenantId }));
  await tx.insertRun(aRun({ tenantId, id: 'run_2', status: 'queued' }));
  const parent = { runId: 'run_1', sessionId: 'ses_1', toolCallId: 'call_1', index: 0 };
  await tx.insertRun(aRun({ tenantId, id: 'run_3', sessionId: 'ses_2', parent }));
  await tx.insertMessages([aMessage({ tenantId })]);
  await tx.appendEvents({ ...RUN, tenantId }, numbered([textDelta('a')]));
  await tx.putSummary({ tenantId, sessionId: 'ses_1', runOrdinal: 1, position: 0, text: 'beans', createdAt: 1 });
  await tx.insertSteeringMessage(aSteeringMessage({ tenantId }));
  await tx.insertQuestion(aQuestion({ tenantId, mode: 'text' }));
  const approval = { tool: 't', label: 'T', args: {}, fingerprint: 'f', sessionScope: 'exact' as const, grant: 'g' };
  await tx.insertQuestion(aQuestion({ tenantId, id: 'approval-1', kind: 'approval', approval }));
  await tx.closeQuestion(tenantId, 'approval-1', { status: 'answered', answer: '{}', closedAt: 2, decidedBy: `key of ${tenantId}` });
  await tx.insertToolExecution(aToolExecution({ tenantId }));
  await tx.putToolAnswer(tenantId, 'exe_1', { answer: 1 });
  await tx.putTodos({ tenantId, sessionId: 'ses_1', todos: [], updatedAt: 1 });
  await tx.putTerminal({ tenantId, sessionId: 'ses_1', state: { cwd: '/w', variables: {} }, updatedAt: 1 });
  await tx.putIdempotencyKey({ tenantId, key: 'k', fingerprint: 'f', runId: 'run_1', createdAt: 1 });
  await tx.insertJob(aJob(tenantId));
  await tx.insertJobRun({ tenantId, jobId: 'job_1', runId: 'run_1', sessionId: 'ses_1', dueAt: 1_000, trigger: 'schedule', createdAt: 1 });
  await tx.insertWebhook(aWebhook(tenantId));
  await tx.insertDeliveries([aDelivery(tenantId)]);
  await tx.insertMemory(aMemory({ tenantId }));
  await tx.insertMemoryBlock({ tenantId, sessionId: 'ses_1', memoryIds: ['mem_1'], createdAt: 1 });
  await tx.putSessionTools({ tenantId, sessionId: 'ses_1', agent: 'default', names: ['a'], updatedAt: 1 });
  await tx.insertImage({ tenantId, sessionId: 'ses_1', id: 'img_1', mediaType: 'image/png', bytes: Buffer.from('a'), createdAt: 1 });
  await tx.insertResponse({ tenantId, runId: 'run_1', sessionId: 'ses_1', settings: {}, input: [], isKept: true, createdAt: 1 });
}

/** True for an answer that tells of no row: nothing, zero, an empty list or page. */
function isNothing(found: unknown): boolean {
  if (typeof found !== 'object' || found === null) return !found;
  const values = Array.isArray(found) ? found : Object.values(found);
  return values.every(isNothing);
}

const readAll = async (read: StoreReader, tenantId: string): Promise<Record<string, unknown>> => {
  const found: Record<string, unknown> = {};
  for (const [name, call] of Object.entries(READS)) found[name] = await call(read, tenantId);
  return found;
};

export function describeTenantIsolation(store: CurrentStore): void {
  beforeEach(async () => {
    await store().transaction(tx => fill(tx, OWNER));
    while (await store().transaction(tx => tx.indexMessages()));
  });

  test.each(Object.entries(READS))('%s finds the rows of their tenant, and nothing for another one', async (_name, call) => {
    expect(isNothing(await call(store().read, OWNER))).toBe(false);
    expect(isNothing(await call(store().read, OTHER))).toBe(true);
  });

  test.each(Object.entries(WRITES))('%s for another tenant leaves every row of the first one as it was', async (_name, call) => {
    const before = await readAll(store().read, OWNER);
    // Most are refused, because the other tenant has no such session.
    await store()
      .transaction(tx => call(tx, OTHER))
      .catch(() => {});
    expect(await readAll(store().read, OWNER)).toEqual(before);
  });

  test('two tenants have the same ids, and each write touches the rows of its tenant alone', async () => {
    const before = await readAll(store().read, OWNER);
    await store().transaction(tx => fill(tx, OTHER));
    while (await store().transaction(tx => tx.indexMessages()));
    for (const call of Object.values(WRITES)) {
      await store()
        .transaction(tx => call(tx, OTHER))
        .catch(() => {});
      expect(await readAll(store().read, OWNER)).toEqual(before);
    }
  });
}
