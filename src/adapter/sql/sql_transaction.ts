/** The methods of a transaction: those that read, and those that write. */

import type { RunEvent, RunStatus } from '../../port/run_event';
import type { ApiKeyRecord, LoginRecord } from '../../port/store/api_keys';
import type { NewAuditRecord } from '../../port/store/audit';
import type { WrittenRun } from '../../port/store/events';
import type { IdempotencyRecord } from '../../port/store/idempotency_keys';
import type { ImageRecord } from '../../port/store/images';
import type { JobRecord, JobRunRecord } from '../../port/store/jobs';
import type { MemoryPatch, MemoryRecord } from '../../port/store/memories';
import type { MessageRecord } from '../../port/store/messages';
import type { OpsNode, OpsSwitch } from '../../port/store/ops';
import type { QuestionClosing, QuestionRecord } from '../../port/store/questions';
import type { PointRequest } from '../../port/store/rate_counters';
import type { ResponseRecord } from '../../port/store/responses';
import type { RunPatch, RunRecord } from '../../port/store/runs';
import type { SessionToolsRecord } from '../../port/store/session_tools';
import type { SessionPatch, SessionRecord } from '../../port/store/sessions';
import type { SteeringMessage } from '../../port/store/steering_messages';
import type { StoreTransaction } from '../../port/store/store';
import type { SummaryRecord } from '../../port/store/summaries';
import type { TerminalRecord } from '../../port/store/terminals';
import type { TodoListRecord } from '../../port/store/todos';
import type { ToolExecutionEnd, ToolExecutionRecord } from '../../port/store/tool_executions';
import type { TextVector } from '../../port/store/vectors';
import type { DeliveryPatch, DeliveryRecord, WebhookRecord } from '../../port/store/webhooks';
import { SqlStoreReader } from './sql_store';

export class SqlStoreTransaction extends SqlStoreReader implements StoreTransaction {
  insertSession(session: SessionRecord) {
    return this.tables.sessions.insert(this.runner, session);
  }
  updateSession(tenantId: string, id: string, patch: SessionPatch) {
    return this.tables.sessions.update(this.runner, { tenantId, id }, patch);
  }
  touchSession(tenantId: string, id: string, updatedAt: number) {
    return this.tables.sessions.touch(this.runner, { tenantId, id }, updatedAt);
  }
  async deleteSessionPart(tenantId: string, id: string) {
    // Adds the usage of ended runs to their days before the runs are deleted: days keep their usage.
    await this.rollUpUsage();
    if (await this.tables.eventExpiry.expireSession(this.runner, tenantId, id)) return true;
    const isDeleted = await this.tables.sessions.deletePart(this.runner, tenantId, id);
    if (isDeleted) await this.tables.searchIndexing.moveBack(this.runner);
    return isDeleted;
  }
  async deleteSession(tenantId: string, id: string) {
    while ((await this.rollUpUsage()) > 0);
    const isDeleted = await this.tables.sessions.delete(this.runner, tenantId, id);
    await this.tables.searchIndexing.moveBack(this.runner);
    if (isDeleted) await this.tables.retention().notePurge(this.runner);
    return isDeleted;
  }

  async insertRun(run: Omit<RunRecord, 'ordinal'>, firstEvents: readonly RunEvent[] = []) {
    const inserted = await this.tables.runs.insert(this.runner, run);
    await this.tables.events.insertFirst(this.runner, inserted, firstEvents);
    return inserted;
  }
  updateRun(tenantId: string, id: string, expected: { from: readonly RunStatus[]; epoch?: number }, patch: RunPatch) {
    return this.tables.runs.update(this.runner, { ...expected, tenantId, id }, patch);
  }

  renewLeases(owner: string, leaseUntil: number) {
    return this.tables.runs.renewLeases(this.runner, owner, leaseUntil);
  }
  renewCallers(callerAt: string, callerUntil: number) {
    return this.tables.runs.renewCallers(this.runner, callerAt, callerUntil);
  }
  insertSteeringMessage(message: SteeringMessage) {
    return this.tables.steeringMessages.insert(this.runner, message);
  }
  takeSteeringMessages(tenantId: string, ids: readonly string[], takenAt: number) {
    return this.tables.steeringMessages.take(this.runner, { tenantId, ids }, takenAt);
  }

  insertMessages(messages: MessageRecord[]) {
    return this.tables.messages.insert(this.runner, messages);
  }
  putSummary(summary: SummaryRecord) {
    return this.tables.summaries.put(this.runner, summary);
  }
  appendEvents(run: WrittenRun, events: readonly RunEvent[]) {
    return this.tables.events.append(this.runner, run, events);
  }

  insertQuestion(question: QuestionRecord) {
    return this.tables.questions.insert(this.runner, question);
  }
  closeQuestion(tenantId: string, id: string, closing: QuestionClosing) {
    return this.tables.questions.close(this.runner, { tenantId, id }, closing);
  }
  extendQuestion(tenantId: string, id: string, expiresAt: number) {
    return this.tables.questions.extend(this.runner, { tenantId, id }, expiresAt);
  }

  putTodos(list: TodoListRecord) {
    return this.tables.todos.put(this.runner, list);
  }
  putSessionTools(record: SessionToolsRecord) {
    return this.tables.sessionTools.put(this.runner, record);
  }
  insertImage(image: ImageRecord) {
    return this.tables.images().insert(this.runner, image);
  }
  copyImages(tenantId: string, fromSessionId: string, toSessionId: string) {
    return this.tables.images().copy(this.runner, tenantId, fromSessionId, toSessionId);
  }
  insertResponse(response: ResponseRecord) {
    return this.tables.responses().insert(this.runner, response);
  }
  deleteResponse(tenantId: string, runId: string) {
    return this.tables.responses().delete(this.runner, tenantId, runId);
  }
  putTerminal(terminal: TerminalRecord) {
    return this.tables.terminals.put(this.runner, terminal);
  }
  insertToolExecution(execution: ToolExecutionRecord) {
    return this.tables.toolExecutions.insert(this.runner, execution);
  }
  putToolAnswer(tenantId: string, id: string, answer: Record<string, unknown>) {
    return this.tables.toolExecutions.putAnswer(this.runner, { tenantId, id }, answer);
  }
  finishToolExecution(tenantId: string, id: string, end: ToolExecutionEnd) {
    return this.tables.toolExecutions.finish(this.runner, { tenantId, id }, end);
  }
  putIdempotencyKey(record: IdempotencyRecord) {
    return this.tables.idempotency.put(this.runner, record);
  }
  deleteIdempotencyKeys(before: number) {
    return this.tables.idempotency.deleteBefore(this.runner, before);
  }
  insertJob(job: JobRecord) {
    return this.tables.jobs.insert(this.runner, job);
  }
  updateJob(job: JobRecord) {
    return this.tables.jobs.update(this.runner, job);
  }
  deleteJob(tenantId: string, id: string) {
    return this.tables.jobs.delete(this.runner, tenantId, id);
  }
  insertJobRun(run: Omit<JobRunRecord, 'status' | 'startedAt'>) {
    return this.tables.jobs.insertRun(this.runner, run);
  }
  expireEvents(before: number, keepPerSession: number) {
    return this.tables.eventExpiry.expire(this.runner, before, keepPerSession);
  }
  indexMessages() {
    return this.tables.searchIndexing.indexNext(this.runner);
  }
  indexMessagesAfter(tenantId: string, id: string) {
    return this.tables.searchIndexing.indexNextOf(this.runner, tenantId, id);
  }

  insertMemory(memory: MemoryRecord) {
    return this.tables.memories.insert(this.runner, memory);
  }
  async updateMemory(tenantId: string, id: string, patch: MemoryPatch) {
    const isFound = await this.tables.memories.update(this.runner, { tenantId, id }, patch);
    if (isFound && patch.text !== undefined) await this.tables.retention().notePurge(this.runner);
    return isFound;
  }
  async deleteMemory(tenantId: string, id: string) {
    const isFound = await this.tables.memories.delete(this.runner, tenantId, id);
    if (isFound) await this.tables.retention().notePurge(this.runner);
    return isFound;
  }
  markMemoriesUsed(tenantId: string, ids: readonly string[], lastUsedAt: number) {
    return this.tables.memories.markUsed(this.runner, tenantId, ids, lastUsedAt);
  }
  insertMemoryBlock(block: { tenantId: string; sessionId: string; memoryIds: readonly string[]; createdAt: number }) {
    return this.tables.memoryBlocks().insert(this.runner, block);
  }

  insertWebhook(webhook: WebhookRecord) {
    return this.tables.webhooks().insert(this.runner, webhook);
  }
  deleteWebhook(tenantId: string, id: string) {
    return this.tables.webhooks().delete(this.runner, tenantId, id);
  }
  disableWebhook(tenantId: string, id: string, reason: string) {
    return this.tables.webhooks().disable(this.runner, tenantId, id, reason);
  }
  insertDeliveries(deliveries: readonly DeliveryRecord[]) {
    return this.tables.webhooks().insertDeliveries(this.runner, deliveries);
  }
  claimDeliveries(limit: number, times: { now: number; until: number }) {
    return this.tables.webhooks().claim(this.runner, limit, times);
  }
  updateDelivery(tenantId: string, id: string, attempt: number, patch: DeliveryPatch) {
    return this.tables.webhooks().update(this.runner, { tenantId, id, attempt }, patch);
  }
  replayDelivery(tenantId: string, id: string, now: number) {
    return this.tables.webhooks().replay(this.runner, tenantId, id, now);
  }
  deleteOldDeliveries(time: number) {
    return this.tables.webhooks().deleteOld(this.runner, time);
  }

  insertApiKey(key: ApiKeyRecord) {
    return this.tables.apiKeys.insert(this.runner, key);
  }
  deleteApiKey(id: string) {
    return this.tables.apiKeys.delete(this.runner, id);
  }
  markApiKeyUsed(id: string, lastUsedAt: number) {
    return this.tables.apiKeys.markUsed(this.runner, id, lastUsedAt);
  }
  insertLogin(login: LoginRecord) {
    return this.tables.apiKeys.insertLogin(this.runner, login);
  }
  deleteLogin(tokenHash: string) {
    return this.tables.apiKeys.deleteLogin(this.runner, tokenHash);
  }
  deleteLoginsOf(keyHash: string, keep: number) {
    return this.tables.apiKeys.deleteLoginsOf(this.runner, keyHash, keep);
  }
  deleteExpiredLogins(now: number) {
    return this.tables.apiKeys.deleteExpiredLogins(this.runner, now);
  }

  putVectors(model: string, vectors: readonly TextVector[], usedAt: number) {
    return this.tables.vectors().put(this.runner, model, vectors, usedAt);
  }
  markVectorsUsed(model: string, hashes: readonly string[], usedAt: number) {
    return this.tables.vectors().markUsed(this.runner, model, hashes, usedAt);
  }
  deleteVectors(hashes: readonly string[]) {
    return this.tables.vectors().delete(this.runner, hashes);
  }
  deleteOldVectors(before: number, keep: number) {
    return this.tables.vectors().deleteOld(this.runner, before, keep);
  }

  takePoints(request: PointRequest) {
    return this.tables.rateCounters().take(this.runner, request);
  }
  returnPoints(id: string, points: number, expiresAt: number) {
    return this.tables.rateCounters().giveBack(this.runner, id, points, expiresAt);
  }
  appendAudit(record: NewAuditRecord) {
    return this.tables.audit().append(this.runner, record);
  }
  pruneAudit(before: number, limit: number) {
    return this.tables.audit().prune(this.runner, before, limit);
  }
  deleteOldDirectCalls(before: number, limit: number) {
    return this.tables.retention().deleteOldDirectCalls(this.runner, before, limit);
  }
  deleteOldUsage(day: string) {
    return this.tables.retention().deleteOldUsage(this.runner, day);
  }
  purgeSearchIndex(isFirst: boolean) {
    return this.tables.retention().purgeSearchIndex(this.runner, isFirst);
  }
  endPurge(mark: string) {
    return this.tables.retention().endPurge(this.runner, mark);
  }
  rollUpUsage() {
    return this.tables.usage().rollUp(this.runner);
  }

  putSwitch(entry: OpsSwitch) {
    return this.tables.ops().putSwitch(this.runner, entry);
  }
  deleteSwitch(tenantId: string, name: string) {
    return this.tables.ops().deleteSwitch(this.runner, tenantId, name);
  }
  putNode(node: OpsNode, forgetBefore: number) {
    return this.tables.ops().putNode(this.runner, node, forgetBefore);
  }
}
