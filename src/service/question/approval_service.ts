/** A person's yes or no to tool calls: asked with the same stored questions as a clarification, bound to the exact arguments. */
import { AppError } from '../../errors';
import type { ApprovalAnswer } from '../../port/run_event';
import type { Page, PageRequest } from '../../port/store/page';
import type { ApprovalSubject, QuestionRecord } from '../../port/store/questions';
import type { RunRecord } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import type { ApprovalAsk, ApprovalOutcome, Denied } from '../../runtime/approval/approval_gate';
import { type ApprovalPolicy, callFingerprint } from '../../runtime/approval/approval_policy';
import { inLocale, type ToolSpec } from '../../tools/common';
import type { ToolRegistry } from '../../tools/registry';
import { validateArguments } from '../../tools/validation';
import type { RunWriter } from '../run/run_writer';
import type { ApproverPresence } from './approver_presence';
import { readDecision, writeDecision } from './question_events';
import type { QuestionOwner, QuestionService } from './question_service';

export interface ApprovalDeps {
  ports: { store: Store };
  desk: QuestionService;
  policy: ApprovalPolicy;
  /** Who could be asked although the run was not started by them. */
  audience: ApproverPresence;
  /** The tools whose arguments a person can change. */
  tools: ToolRegistry;
  timeoutMs: number;
}

const KIND = 'approval';
/** Each row holds whole arguments, which can be 1 MiB; what is left out comes with the next page. */
const MAX_PAGE = 20;

export class ApprovalService {
  constructor(private readonly deps: ApprovalDeps) {}

  get policy(): ApprovalPolicy {
    return this.deps.policy;
  }

  /**
   * Asks and waits, unless an earlier answer covers the call: a yes for the session, or a no to the very same call in this run. `existing`: the
   * question was asked before the run was interrupted; its answer counts for these arguments only.
   */
  async ask(run: RunRecord, writer: RunWriter, ask: ApprovalAsk, existing?: QuestionRecord): Promise<ApprovalOutcome> {
    const { desk, audience, timeoutMs } = this.deps;
    const { signal, toolCallId, reason, ...subject } = ask;
    const known = existing?.approval?.fingerprint === subject.fingerprint ? existing : undefined;
    if (!known && signal.aborted) return { status: 'cancelled' };
    const earlier = known ? undefined : await this.findEarlier(run, subject);
    if (earlier) return toOutcome(earlier);
    if (!known && run.interaction.approvals !== 'wait' && !audience.isThere(run)) return { status: 'unreachable' };
    const newRow = async () => {
      const question = `${reason}${await this.placeOf(run, subject)}`;
      return desk.newRow(run, { kind: KIND, mode: 'wait', question, toolCallId, approval: subject, timeoutMs });
    };
    const row = known ?? (await newRow());
    const outcome = await desk.ask(run, writer, { row, isKnown: known !== undefined, signal });
    return outcome.status === 'answered' ? toOutcome(readDecision(outcome.answer)) : outcome;
  }

  /** What a person said to the call, when that is stored and was a no. */
  noOf(row: QuestionRecord | undefined): Denied | undefined {
    const outcome = row?.answer === undefined ? undefined : toOutcome(readDecision(row.answer));
    return outcome?.status === 'denied' ? outcome : undefined;
  }

  /** Whether the rules, tools and checks of today ask about this very call. */
  isAsked({ tool: name, args, fingerprint, taint }: ApprovalSubject, tools: ReadonlyMap<string, ToolSpec>): boolean {
    const tool = tools.get(name);
    if (!tool) return false;
    const valid = validateArguments(tool, args);
    if (!valid.ok || callFingerprint(name, valid.value) !== fingerprint) return false;
    return this.deps.policy.judge({ tool, args: valid.value, taint }).decision === 'ask';
  }

  /**
   * Decides a waiting question. Resolves with what counts once that is stored. Rejects `not_found` (also for another session or tenant), `invalid_request` and
   * `forbidden` for changed arguments that must not run, and `clarification_closed` with the winning decision.
   */
  async decide(owner: { tenantId: string; sessionId?: string }, requestId: string, answer: ApprovalAnswer): Promise<ApprovalAnswer> {
    const row = await this.deps.desk.find(owner, requestId, KIND);
    const said = this.check(row, answer);
    await this.deps.desk.answer(row, writeDecision(said));
    return said;
  }

  list(
    tenantId: string,
    filter: { sessionId?: string; status?: QuestionRecord['status'] },
    page: PageRequest,
  ): Promise<Page<QuestionRecord>> {
    return this.deps.desk.list(tenantId, { ...filter, kind: KIND }, { ...page, limit: Math.min(page.limit, MAX_PAGE) });
  }

  /** What waits for a yes in the session, oldest first. */
  listOpen({ tenantId, sessionId }: QuestionOwner): Promise<QuestionRecord[]> {
    return this.deps.desk.listOpen(tenantId, { kind: KIND, sessionId });
  }

  /** What such a call is asked about no more after it was decided, so the newest answer is the one that counts. */
  private async findEarlier(run: RunRecord, subject: ApprovalSubject): Promise<ApprovalAnswer | undefined> {
    const { tenantId, sessionId, id: runId } = run;
    const { grant, fingerprint, sessionScope } = subject;
    const { read } = this.deps.ports.store;
    const [same, covering] = await Promise.all([
      read.newestApprovalAnswer(tenantId, { runId, fingerprint }),
      sessionScope === 'none' ? undefined : read.newestApprovalAnswer(tenantId, { sessionId, grant }),
    ]);
    const said = same === undefined ? undefined : readDecision(same);
    if (said?.decision === 'deny') return said;
    const isCovered = covering !== undefined && readDecision(covering).decision === 'allow_session';
    return isCovered ? { decision: 'allow_session' } : undefined;
  }

  /** Where a command of the session's terminal would run. */
  private async placeOf({ tenantId, sessionId, locale }: RunRecord, { tool }: ApprovalSubject): Promise<string> {
    const keepsState = this.deps.tools.get(tool)?.keepsState === true;
    const terminal = keepsState ? await this.deps.ports.store.read.getTerminal(tenantId, sessionId) : undefined;
    return terminal ? inLocale({ locale }, ` It would run in ${terminal.state.cwd}.`, `将在 ${terminal.state.cwd} 中执行。`) : '';
  }

  /** The answer with what makes no sense refused. */
  private check({ approval }: QuestionRecord, answer: ApprovalAnswer): ApprovalAnswer {
    const { decision, args } = answer;
    if (!args) return decision === 'allow_session' && approval?.sessionScope === 'none' ? { ...answer, decision: 'allow_once' } : answer;
    if (decision !== 'allow_once') {
      throw new AppError('invalid_request', { param: '/args', message: '/args: can be changed only with the decision allow_once.' });
    }
    const tool = approval && this.deps.tools.get(approval.tool);
    if (!tool) throw new AppError('invalid_request', { param: '/args', message: '/args: the arguments of this tool cannot be changed.' });
    return { ...answer, args: this.checkArguments(tool, args) };
  }

  private checkArguments(tool: ToolSpec, args: Record<string, unknown>): Record<string, unknown> {
    const valid = validateArguments(tool, args);
    if (!valid.ok) throw new AppError('invalid_request', { param: '/args', message: `/args: ${valid.message}` });
    const verdict = this.deps.policy.judge({ tool, args: valid.value });
    if (verdict.decision === 'deny') throw new AppError('forbidden', { param: '/args', message: verdict.reason.en });
    // Valid arguments are an object.
    return valid.value as Record<string, unknown>;
  }
}

function toOutcome({ decision, reason, args }: ApprovalAnswer): ApprovalOutcome {
  if (decision === 'deny') return { status: 'denied', ...(reason !== undefined && { reason }) };
  return { status: 'allowed', ...(args && { args }) };
}
