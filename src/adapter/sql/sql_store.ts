/** The store's methods, executed by a Runner: a connection for reading, or a transaction. */
import type { EventPage } from '../../port/store/events';
import type { MemoryFilter } from '../../port/store/memories';
import type { MessageOrder, MessagePlace } from '../../port/store/messages';
import type { PageRequest } from '../../port/store/page';
import type { ApprovalScope, QuestionFilter } from '../../port/store/questions';
import type { RunFilter, RunParent } from '../../port/store/runs';
import type { MessageSearch } from '../../port/store/search';
import type { SessionFilter } from '../../port/store/sessions';
import type { StoreReader } from '../../port/store/store';
import type { ToolExecutionFilter } from '../../port/store/tool_executions';
import { SqlOpsReader } from './sql_ops_reader';

export class SqlStoreReader extends SqlOpsReader implements StoreReader {
  getSession(tenantId: string, id: string) {
    return this.tables.sessions.get(this.runner, tenantId, id);
  }
  listSessions(tenantId: string, page: PageRequest, filter?: SessionFilter) {
    return this.tables.sessions.list(this.runner, { ...filter, tenantId }, page);
  }
  childSessionIds(tenantId: string, sessionId: string) {
    return this.tables.sessions.childIds(this.runner, { tenantId, id: sessionId });
  }

  getRun(tenantId: string, id: string) {
    return this.tables.runs.get(this.runner, tenantId, id);
  }
  getRunState(tenantId: string, id: string) {
    return this.tables.runs.getState(this.runner, tenantId, id);
  }
  runProgress(tenantId: string, ids: readonly string[]) {
    return this.tables.runs.progress(this.runner, tenantId, ids);
  }
  findChildRun(tenantId: string, parent: Pick<RunParent, 'runId' | 'toolCallId' | 'index'>) {
    return this.tables.runs.child(this.runner, tenantId, parent);
  }
  childRuns(tenantId: string, parentRunId: string) {
    return this.tables.runs.children(this.runner, tenantId, parentRunId);
  }
  listRuns(tenantId: string, filter: RunFilter, page: PageRequest) {
    return this.tables.runs.list(this.runner, { ...filter, tenantId }, page);
  }
  runsAfter(tenantId: string, sessionId: string, ordinal: number) {
    return this.tables.runs.after(this.runner, { tenantId, sessionId }, ordinal);
  }
  runStatesAfter(tenantId: string, sessionId: string, ordinal: number) {
    return this.tables.runs.statesAfter(this.runner, { tenantId, sessionId }, ordinal);
  }
  activeRun(tenantId: string, sessionId: string) {
    return this.tables.runs.active(this.runner, { tenantId, sessionId });
  }
  nextQueuedRun(tenantId: string, sessionId: string) {
    return this.tables.runs.nextQueued(this.runner, { tenantId, sessionId });
  }
  countQueuedRuns(tenantId: string, sessionId: string) {
    return this.tables.runs.countQueued(this.runner, { tenantId, sessionId });
  }
  unfinishedRunsOf(tenantId: string, sessionId: string) {
    return this.tables.runs.unfinishedOf(this.runner, { tenantId, sessionId });
  }
  countUnfinishedRuns(tenantId: string, keyName?: string) {
    return this.tables.runs.countUnfinished(this.runner, tenantId, keyName);
  }
  orphanedRuns(now: number) {
    return this.tables.runs.orphaned(this.runner, now);
  }
  pendingSteeringMessages(tenantId: string, runId: string) {
    return this.tables.steeringMessages.pending(this.runner, tenantId, runId);
  }
  countPendingSteeringMessages(tenantId: string, runId: string) {
    return this.tables.steeringMessages.countPending(this.runner, tenantId, runId);
  }
  cancelledRunsOf(owner: string) {
    return this.tables.runs.cancelledOf(this.runner, owner);
  }
  unfinishedRuns() {
    return this.tables.runs.unfinished(this.runner);
  }

  history(tenantId: string, sessionId: string, from?: MessagePlace) {
    return this.tables.messages.history(this.runner, { tenantId, sessionId }, from);
  }
  messagesOfRun(tenantId: string, sessionId: string, runOrdinal: number) {
    return this.tables.messages.ofRun(this.runner, { tenantId, sessionId }, runOrdinal);
  }
  messageSizes(tenantId: string, sessionId: string, lastOrdinal: number, limit: number) {
    return this.tables.messages.sizes(this.runner, { tenantId, sessionId }, lastOrdinal, limit);
  }
  listMessages(tenantId: string, sessionId: string, page: PageRequest, order: MessageOrder = 'asc') {
    return this.tables.messages.list(this.runner, { tenantId, sessionId, order }, page);
  }
  getSummary(tenantId: string, sessionId: string) {
    return this.tables.summaries.get(this.runner, tenantId, sessionId);
  }
  listEvents(tenantId: string, runId: string, after: number, page: number | EventPage) {
    return this.tables.events.list(this.runner, { tenantId, runId }, after, page);
  }
  getQuestion(tenantId: string, id: string) {
    return this.tables.questions.get(this.runner, tenantId, id);
  }
  listQuestions(tenantId: string, filter: QuestionFilter, page: PageRequest) {
    return this.tables.questions.list(this.runner, { ...filter, tenantId }, page);
  }
  openTextQuestions(tenantId: string, sessionId: string, now: number) {
    return this.tables.questions.openTextQuestions(this.runner, { tenantId, sessionId }, now);
  }
  newestApprovalAnswer(tenantId: string, scope: ApprovalScope) {
    return this.tables.questions.newestAnswer(this.runner, tenantId, scope);
  }
  closedQuestionsOf(owner: string) {
    return this.tables.questions.closedOf(this.runner, owner);
  }
  getTodos(tenantId: string, sessionId: string) {
    return this.tables.todos.get(this.runner, tenantId, sessionId);
  }
  getTerminal(tenantId: string, sessionId: string) {
    return this.tables.terminals.get(this.runner, tenantId, sessionId);
  }
  getToolExecution(tenantId: string, id: string) {
    return this.tables.toolExecutions.get(this.runner, tenantId, id);
  }
  getToolAnswer(tenantId: string, id: string) {
    return this.tables.toolExecutions.getAnswer(this.runner, tenantId, id);
  }
  listToolExecutions(tenantId: string, filter: ToolExecutionFilter, page: PageRequest) {
    return this.tables.toolExecutions.list(this.runner, { ...filter, tenantId }, page);
  }
  toolsOfSession(tenantId: string, sessionId: string) {
    return this.tables.toolExecutions.toolsOfSession(this.runner, tenantId, sessionId);
  }

  runningDirectCalls() {
    return this.tables.toolExecutions.runningDirectCalls(this.runner);
  }
  getIdempotencyKey(tenantId: string, key: string) {
    return this.tables.idempotency.get(this.runner, tenantId, key);
  }

  searchMessages(tenantId: string, search: MessageSearch, page: PageRequest) {
    return this.tables.search().search(this.runner, tenantId, search, page);
  }
  hasUnindexedMessages() {
    return this.tables.searchIndexing.hasMore(this.runner);
  }
  unindexedMessagesAfter(tenantId: string) {
    return this.tables.searchIndexing.unindexedAfter(this.runner, tenantId);
  }

  getJob(tenantId: string, id: string) {
    return this.tables.jobs.get(this.runner, tenantId, id);
  }
  listJobs(tenantId: string, page: PageRequest) {
    return this.tables.jobs.list(this.runner, tenantId, page);
  }
  countJobs(tenantId: string) {
    return this.tables.jobs.count(this.runner, tenantId);
  }
  dueJobs(now: number) {
    return this.tables.jobs.due(this.runner, now);
  }
  nextJobTimes() {
    return this.tables.jobs.nextTimes(this.runner);
  }
  listJobRuns(tenantId: string, jobId: string, page: PageRequest) {
    return this.tables.jobs.listRuns(this.runner, { tenantId, jobId }, page);
  }
  latestJobRuns(tenantId: string, jobId?: string) {
    return this.tables.jobs.latestRuns(this.runner, tenantId, jobId);
  }
  countUnfinishedJobRuns(tenantId: string, jobId: string) {
    return this.tables.jobs.countUnfinishedRuns(this.runner, tenantId, jobId);
  }
  hasJobRun(tenantId: string, jobId: string, dueAt: number) {
    return this.tables.jobs.hasRun(this.runner, { tenantId, jobId, dueAt });
  }
  jobOfRun(tenantId: string, runId: string) {
    return this.tables.jobs.ofRun(this.runner, tenantId, runId);
  }

  getImage(tenantId: string, sessionId: string, id: string) {
    return this.tables.images().get(this.runner, { tenantId, sessionId, id });
  }
  getResponse(tenantId: string, runId: string) {
    return this.tables.responses().get(this.runner, tenantId, runId);
  }
  countResponses(tenantId: string, sessionId: string) {
    return this.tables.responses().count(this.runner, tenantId, sessionId);
  }
  unkeptResponses(before: number, limit: number) {
    return this.tables.responses().unkept(this.runner, before, limit);
  }
  getSessionTools(key: Parameters<StoreReader['getSessionTools']>[0]) {
    return this.tables.sessionTools.get(this.runner, key);
  }

  getMemory(tenantId: string, id: string) {
    return this.tables.memories.get(this.runner, tenantId, id);
  }
  listMemories(tenantId: string, filter: MemoryFilter, page: PageRequest) {
    return this.tables.memories.list(this.runner, tenantId, filter, page);
  }
  rankMemories(tenantId: string, query: string, limit: number) {
    return this.tables.memories.rank(this.runner, tenantId, query, limit);
  }
  rankMemoryIds(tenantId: string, filter: MemoryFilter & { query: string }, mode: 'all' | 'any', limit: number) {
    return this.tables.memories.rankIds(this.runner, tenantId, filter, { mode, limit });
  }
  countMemoryChanges(tenantId: string) {
    return this.tables.memories.countChanges(this.runner, tenantId);
  }
  listMemoryTimes(tenantId: string) {
    return this.tables.memories.listTimes(this.runner, tenantId);
  }
  readMemories(tenantId: string, ids: readonly string[]) {
    return this.tables.memories.readAll(this.runner, tenantId, ids);
  }
  listMemoryTexts(tenantId: string, { kind }: Pick<MemoryFilter, 'kind'>, after: string, limit: number) {
    return this.tables.memories.listTexts(this.runner, { tenant_id: tenantId, kind: kind ?? null, after, limit });
  }
  findSameMemory(tenantId: string, text: string) {
    return this.tables.memories.findSame(this.runner, tenantId, text);
  }
  countMemories(tenantId: string) {
    return this.tables.memories.count(this.runner, tenantId);
  }
  memoriesOfSession(tenantId: string, sessionId: string) {
    return this.tables.memoryBlocks().ofSession(this.runner, tenantId, sessionId);
  }
  allWebhooks() {
    return this.tables.webhooks().all(this.runner);
  }
  getWebhook(tenantId: string, id: string) {
    return this.tables.webhooks().get(this.runner, tenantId, id);
  }
  listDeliveries(tenantId: string, webhookId: string, page: PageRequest) {
    return this.tables.webhooks().listDeliveries(this.runner, { tenantId, webhookId }, page);
  }
  getDelivery(tenantId: string, id: string) {
    return this.tables.webhooks().getDelivery(this.runner, tenantId, id);
  }
  nextDeliveryAt() {
    return this.tables.webhooks().nextAt(this.runner);
  }

  listApiKeys() {
    return this.tables.apiKeys.list(this.runner);
  }
  listLogins(now: number) {
    return this.tables.apiKeys.listLogins(this.runner, now);
  }
  readVectors(model: string, hashes: readonly string[]) {
    return this.tables.vectors().read(this.runner, model, hashes);
  }

  dayAmounts(tenantId: string, day: string, keyName?: string) {
    return this.tables.usage().amounts(this.runner, { tenantId, day, keyName });
  }
  oldSessions(...[kind, before, limit]: Parameters<StoreReader['oldSessions']>) {
    return this.tables.retention().oldSessions(this.runner, kind, { before, limit });
  }
  pendingPurge() {
    return this.tables.retention().pendingPurge(this.runner);
  }
}
