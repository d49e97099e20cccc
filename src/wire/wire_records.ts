/** Stored records as both doors show them: ISO times, no tenant, no internals. */
import type { ApprovalAnswer, ApprovalData } from '../port/run_event';
import type {
  ApprovalSubject,
  ClarificationRecord,
  MessageRecord,
  RunRecord,
  SessionRecord,
  ToolExecutionRecord,
} from '../port/store_records';

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

export function toWireSession({ tenantId: _tenant, createdAt, updatedAt, ...session }: SessionRecord) {
  return { ...session, createdAt: iso(createdAt), updatedAt: iso(updatedAt) };
}

/** `defaultModel`: the configured one, which an agent has when its profile names none. */
export function toWireAgent<A extends { name: string; label?: string; description?: string; model?: string }>(
  agent: A,
  defaultModel: string,
) {
  return { ...agent, label: agent.label ?? agent.name, description: agent.description ?? '', model: agent.model ?? defaultModel };
}

export function toWireRun(run: RunRecord) {
  const { id, sessionId, status, door, agent, locale, input, metadata, outcome, lastSeq } = run;
  return {
    runId: id,
    sessionId,
    status,
    door,
    agent,
    locale,
    input,
    ...(metadata && { metadata }),
    ...(outcome ?? { text: '', usage: { inputTokens: 0, outputTokens: 0 } }),
    lastSeq,
    createdAt: iso(run.createdAt),
    ...(run.startedAt !== undefined && { startedAt: iso(run.startedAt) }),
    ...(run.endedAt !== undefined && { endedAt: iso(run.endedAt) }),
  };
}

export function toWireMessage({ id, runId, message, createdAt }: MessageRecord) {
  const base = { id, runId, role: message.role, content: message.content ?? '', createdAt: iso(createdAt) };
  if (message.role === 'tool') return { ...base, toolCallId: message.tool_call_id };
  if (message.role !== 'assistant' || !message.tool_calls) return base;
  const toolCalls = message.tool_calls.map(call => ({ toolCallId: call.id, name: call.function.name, arguments: call.function.arguments }));
  return { ...base, toolCalls };
}

export function toWireClarification({
  id,
  sessionId,
  runId,
  question,
  choices,
  status,
  answer,
  createdAt,
  expiresAt,
}: ClarificationRecord) {
  return {
    requestId: id,
    sessionId,
    runId,
    question,
    ...(choices && { choices }),
    status,
    ...(answer !== undefined && { answer }),
    createdAt: iso(createdAt),
    expiresAt: iso(expiresAt),
  };
}

/** An approval as its event says it. */
export function toApprovalData(row: ClarificationRecord, subject: ApprovalSubject): ApprovalData {
  const { id: requestId, toolCallId = '', question: reason, expiresAt } = row;
  const { tool, label, args, sessionScope, taint } = subject;
  return {
    requestId,
    toolCallId,
    tool,
    label,
    args,
    reason,
    sessionScope,
    ...(taint && { taint: [...taint] }),
    expiresAt: iso(expiresAt),
  };
}

export function toWireApproval(row: ClarificationRecord) {
  const { id: requestId, sessionId, runId, approval, status, answer, createdAt } = row;
  return {
    requestId,
    sessionId,
    runId,
    ...(approval && toApprovalData(row, approval)),
    status,
    ...(answer !== undefined && { answer: readDecision(answer) }),
    createdAt: iso(createdAt),
  };
}

/** The stored answer to an approval. */
export const readDecision = (answer: string): ApprovalAnswer => JSON.parse(answer) as ApprovalAnswer;

export function toWireToolExecution({ tenantId: _tenant, owner: _owner, createdAt, endedAt, ...execution }: ToolExecutionRecord) {
  return { ...execution, createdAt: iso(createdAt), ...(endedAt !== undefined && { endedAt: iso(endedAt) }) };
}
