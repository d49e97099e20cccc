/** Encodes stored records for both doors: ISO times, no tenant, no internal fields. */

import { toShownFile } from '../port/image_input';
import type { AuditRecord } from '../port/store/audit';
import type { MessageRecord } from '../port/store/messages';
import type { Owned } from '../port/store/owned';
import type { QuestionRecord } from '../port/store/questions';
import type { RunRecord } from '../port/store/runs';
import type { ChatSession } from '../port/store/session_branches';
import type { SessionRecord } from '../port/store/sessions';
import type { ToolExecutionRecord } from '../port/store/tool_executions';
import { toWireOwned } from '../service/access/wire_owned';
import type { Decided } from '../service/question/approval_service';
import type { BulkResult } from '../service/question/bulk_decisions';
import { givenApprovals, readDecision, toApprovalData, toClarificationData } from '../service/question/question_events';
import type { SessionSnapshot } from '../service/session/snapshot_service';
import type { FileChangeRow } from '../service/tool/change_service';
import { toIsoTime } from '../utils/iso_time';

export function toWireSession({
  tenantId: _tenant,
  beforeSessionId: _source,
  historyVersion: _version,
  accessId: _access,
  instructionsBy: _writer,
  createdAt,
  updatedAt,
  ...session
}: SessionRecord) {
  return { ...session, createdAt: toIsoTime(createdAt), updatedAt: toIsoTime(updatedAt) };
}

export function toWireBranch({ id, parentMessageId, title, messages, createdAt, isActive: active }: ChatSession) {
  return { id, parentMessageId: parentMessageId ?? null, title, messages, createdAt: toIsoTime(createdAt), active };
}

/** `tenant` is shown: an admin sees the rows of all tenants. */
export function toWireAudit({ id, tenantId: tenant, at, actor, action, target, details, prevHash, hash }: AuditRecord) {
  return { id, tenant, at: toIsoTime(at), actor, action, target, details, prevHash, hash };
}

/** `model`: the model that the agent's runs use. */
export function toWireAgent<A extends Owned & { name: string; label?: string; description?: string; model?: string }>(
  agent: A,
  model: string,
) {
  return { ...agent, ...toWireOwned(agent), label: agent.label ?? agent.name, description: agent.description ?? '', model };
}

export function toWireRun(run: RunRecord) {
  const { id, sessionId, status, door, keyName, agent, locale, input, images, files, model, parameters, metadata, outcome, lastSeq } = run;
  return {
    runId: id,
    sessionId,
    status,
    door,
    keyName,
    agent,
    locale,
    input,
    images,
    files,
    model,
    parameters,
    metadata,
    ...(outcome ?? { text: '', usage: { inputTokens: 0, outputTokens: 0 } }),
    cancelledBy: status === 'cancelled' ? run.cancelledBy : undefined,
    lastSeq,
    ...toWireParent(run),
    createdAt: toIsoTime(run.createdAt),
    startedAt: run.startedAt === undefined ? undefined : toIsoTime(run.startedAt),
    endedAt: run.endedAt === undefined ? undefined : toIsoTime(run.endedAt),
  };
}

function toWireParent({ parent }: RunRecord) {
  return parent ? { parentRunId: parent.runId, parentSessionId: parent.sessionId } : {};
}

export function toWireMessage({ id, runId, message, createdAt }: MessageRecord) {
  const base = { id, runId, role: message.role, content: message.content ?? '', createdAt: toIsoTime(createdAt) };
  if (message.role === 'tool') return { ...base, toolCallId: message.tool_call_id, ...(message.images && { images: message.images }) };
  const fromGateway = 'isByGateway' in message && { byGateway: true };
  if (message.role === 'user') {
    const { by, images, files, summary } = message;
    const written = { ...base, by, ...fromGateway, content: summary?.text ?? base.content, ...(summary && { summary: true }) };
    return { ...written, ...(images && { images }), ...(files && { files: files.map(toShownFile) }) };
  }
  if (message.role !== 'assistant') return base;
  if (!message.tool_calls) return { ...base, ...fromGateway };
  const toolCalls = message.tool_calls.map(call => ({ toolCallId: call.id, name: call.function.name, arguments: call.function.arguments }));
  return { ...base, toolCalls };
}

export function toWireClarification(record: QuestionRecord) {
  const { sessionId, runId, parentSessionId, status, answer, decidedBy, askedBy, passedTo, createdAt, expiresAt } = record;
  return {
    ...toClarificationData(record),
    escalatedTo: passedTo,
    sessionId,
    runId,
    parentSessionId,
    status,
    answer,
    decidedBy,
    askedBy,
    createdAt: toIsoTime(createdAt),
    expiresAt: toIsoTime(expiresAt),
  };
}

export function toWireApproval(record: QuestionRecord) {
  const { id: requestId, sessionId, runId, parentSessionId, approval, status, answer, decidedBy, askedBy, createdAt } = record;
  return {
    requestId,
    sessionId,
    runId,
    parentSessionId,
    ...(approval && toApprovalData(record, approval)),
    status,
    answer: answer === undefined ? undefined : readDecision(answer),
    decidedBy,
    askedBy,
    createdAt: toIsoTime(createdAt),
  };
}

/** Encodes the answer to a decision. `pending`: more people must say yes. */
export const toWireDecision = (requestId: string, { decision, isOpen, approvals, needed }: Decided) => ({
  requestId,
  status: isOpen ? 'pending' : 'answered',
  decision,
  ...(approvals && { needed, approvals: givenApprovals(approvals) }),
});

export const toWireBulkResult = (result: BulkResult) =>
  'error' in result
    ? { requestId: result.requestId, error: { code: result.error.code, message: result.error.message } }
    : toWireDecision(result.requestId, result.decided);

/** Encodes the ack of a subscription. */
export function toWireSnapshot({ session, activeRun, questions }: SessionSnapshot) {
  return {
    session: toWireSession(session),
    activeRun: activeRun && { runId: activeRun.id, status: activeRun.status, lastSeq: activeRun.lastSeq },
    clarifications: questions.filter(({ kind }) => kind === 'clarification').map(toWireClarification),
    approvals: questions.filter(({ kind }) => kind === 'approval').map(toWireApproval),
  };
}

export const toWireChange = ({ at, ...change }: FileChangeRow) => ({ ...change, at: toIsoTime(at) });

/** Names a manifest and its command apart, as a direct call does. */
export function toWireToolExecution({ tenantId: _tenant, owner: _owner, createdAt, endedAt, ...execution }: ToolExecutionRecord) {
  const { tool, command } = execution;
  const suffix = `__${command}`;
  const name = command !== undefined && tool.endsWith(suffix) ? tool.slice(0, -suffix.length) : tool;
  return { ...execution, tool: name, createdAt: toIsoTime(createdAt), endedAt: endedAt === undefined ? undefined : toIsoTime(endedAt) };
}
