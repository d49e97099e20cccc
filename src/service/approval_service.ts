/** A person's yes or no to tool calls: asked with the same stored questions as a clarification, bound to the exact arguments. */
import { AppError } from '../errors';
import type { ApprovalAnswer } from '../port/run_event';
import type { Page, PageRequest, Store } from '../port/store';
import type { ApprovalSubject, ClarificationRecord, RunRecord } from '../port/store_records';
import type { ApprovalAsk, ApprovalOutcome } from '../runtime/approval/approval_gate';
import type { ApprovalPolicy } from '../runtime/approval/approval_policy';
import type { ToolSpec } from '../tools/common';
import type { ToolRegistry } from '../tools/registry';
import { validateArguments } from '../tools/validation';
import type { ApprovalAudience } from './approval_audience';
import type { ClarifyOwner, QuestionDesk } from './question_desk';
import { readDecision, writeDecision } from './question_events';
import type { RunWriter } from './run_log';

export interface ApprovalParts {
  ports: { store: Store };
  desk: QuestionDesk;
  policy: ApprovalPolicy;
  /** Who could be asked although the run was not started by them. */
  audience: ApprovalAudience;
  /** The tools whose arguments a person can change. */
  tools: ToolRegistry;
  timeoutMs: number;
}

const KIND = 'approval';
/** Answers of a session that are looked through for one that covers a call; what an older one allowed is asked again. */
const MAX_EARLIER = 1_000;

export class ApprovalService {
  constructor(private readonly parts: ApprovalParts) {}

  get policy(): ApprovalPolicy {
    return this.parts.policy;
  }

  /**
   * Asks and waits, unless an earlier answer covers the call: a yes for the session, or a no to the very same call in this run. `existing`: the
   * question was asked before the run was interrupted; its answer counts for these arguments only.
   */
  async ask(run: RunRecord, writer: RunWriter, ask: ApprovalAsk, existing?: ClarificationRecord): Promise<ApprovalOutcome> {
    const { desk, audience, timeoutMs } = this.parts;
    const { signal, toolCallId, reason, ...subject } = ask;
    const known = existing?.approval?.fingerprint === subject.fingerprint ? existing : undefined;
    const earlier = known ? undefined : await this.findEarlier(run, subject);
    if (earlier) return toOutcome(earlier);
    if (!known && run.interaction.approvals !== 'wait' && !audience.isThere(run)) return { status: 'unreachable' };
    const row = known ?? desk.newRow(run, { kind: KIND, mode: 'wait', question: reason, toolCallId, approval: subject, timeoutMs });
    const outcome = await desk.ask(run, writer, { row, isKnown: known !== undefined, signal });
    return outcome.status === 'answered' ? toOutcome(readDecision(outcome.answer)) : outcome;
  }

  /**
   * Decides a waiting question. Resolves once that is stored. Rejects `not_found` (also for another session or tenant), `invalid_request` and
   * `forbidden` for changed arguments that must not run, and `clarification_closed` with the winning decision.
   */
  async decide(owner: { tenantId: string; sessionId?: string }, requestId: string, answer: ApprovalAnswer): Promise<ClarificationRecord> {
    const row = await this.parts.desk.find(owner, requestId, KIND);
    return this.parts.desk.answer(row, writeDecision(this.check(row, answer)));
  }

  list(
    tenantId: string,
    filter: { sessionId?: string; status?: ClarificationRecord['status'] },
    page: PageRequest,
  ): Promise<Page<ClarificationRecord>> {
    return this.parts.desk.list(tenantId, { ...filter, kind: KIND }, page);
  }

  /** What waits for a yes in the session, oldest first. */
  listOpen({ tenantId, sessionId }: ClarifyOwner): Promise<ClarificationRecord[]> {
    return this.parts.desk.listOpen(tenantId, { kind: KIND, sessionId });
  }

  private async findEarlier(run: RunRecord, subject: ApprovalSubject): Promise<ApprovalAnswer | undefined> {
    const { tenantId, sessionId, id: runId } = run;
    const filter = { kind: KIND, sessionId, status: 'answered' } as const;
    const { data } = await this.parts.ports.store.read.listClarifications(tenantId, filter, { limit: MAX_EARLIER });
    for (const row of data) {
      const answer = readDecision(row.answer ?? '');
      if (answer.decision === 'allow_session' && row.approval?.grant === subject.grant) return { decision: 'allow_session' };
      const isSameCall = row.runId === runId && row.approval?.fingerprint === subject.fingerprint;
      if (answer.decision === 'deny' && isSameCall) return answer;
    }
    return undefined;
  }

  /** The answer with what makes no sense refused. */
  private check({ approval }: ClarificationRecord, answer: ApprovalAnswer): ApprovalAnswer {
    const { decision, args } = answer;
    if (!args) return answer;
    if (decision !== 'allow_once') {
      throw new AppError('invalid_request', { param: '/args', message: '/args: can be changed only with the decision allow_once.' });
    }
    const tool = approval && this.parts.tools.get(approval.tool);
    if (!tool) throw new AppError('invalid_request', { param: '/args', message: '/args: the arguments of this tool cannot be changed.' });
    return { ...answer, args: this.checkArguments(tool, args) };
  }

  private checkArguments(tool: ToolSpec, args: Record<string, unknown>): Record<string, unknown> {
    const valid = validateArguments(tool, args);
    if (!valid.ok) throw new AppError('invalid_request', { param: '/args', message: `/args: ${valid.message}` });
    const verdict = this.parts.policy.judge({ tool, args: valid.value });
    if (verdict.decision === 'deny') throw new AppError('forbidden', { param: '/args', message: verdict.reason.en });
    // Valid arguments are an object.
    return valid.value as Record<string, unknown>;
  }
}

function toOutcome({ decision, reason, args }: ApprovalAnswer): ApprovalOutcome {
  if (decision === 'deny') return { status: 'denied', ...(reason !== undefined && { reason }) };
  return { status: 'allowed', ...(args && { args }) };
}
