/** Asks people to allow or deny tool calls. An answer counts for exactly the arguments that were shown. */
import { posix } from 'node:path';
import { AppError, invalidField } from '../../errors';
import { asksColleagues } from '../../port/approval_review';
import type { Clock } from '../../port/clock';
import type { ApprovalAnswer } from '../../port/run_event';
import type { ApprovalSubject, QuestionReader, QuestionRecord } from '../../port/store/questions';
import type { RunRecord } from '../../port/store/runs';
import type { Store, StoreTransaction } from '../../port/store/store';
import type { ApprovalAsk, ApprovalOutcome, Denied } from '../../runtime/approval/approval_gate';
import { type ApprovalPolicies, type ApprovalPolicy, callFingerprint, refusesChange } from '../../runtime/approval/approval_policy';
import { type AgentTool, inLocale } from '../../tools/common';
import type { ToolRegistry } from '../../tools/registry';
import { validateArguments } from '../../tools/validation';
import { retryWhileStoreUnavailable } from '../retry_while_store_unavailable';
import type { RunWriter } from '../run_log/run_writer';
import type { ApprovalReviews, Decider, Progress } from './approval_reviews';
import type { ApproverPresence } from './approver_presence';
import { QuestionAccess } from './question_access';
import { answerFrom, readDecision, writeDecision } from './question_events';
import type { SessionKey } from './question_resolvers';
import type { QuestionService } from './question_service';

export interface ApprovalDeps {
  store: Store;
  clock: Clock;
  questionService: QuestionService;
  questionAccess: QuestionAccess;
  policies: Pick<ApprovalPolicies, 'policyOf'>;
  /** People who can decide although another client started the run. */
  approvers: ApproverPresence;
  /** The registry with the tools; a person can change the arguments of their calls. */
  tools: ToolRegistry;
  timeoutMs: number;
  /** Absolute path of the workspace of a tenant. */
  workspacePathOf: (tenantId: string) => string;
  /** Approvals that ask for colleagues. */
  reviews: ApprovalReviews;
}

/** Whoever decides. When `sessionId` is given, the approval must belong to this session. */
type Asker = Decider & { sessionId?: string };

/** The decision that counts. `isOpen`: more people must say yes. */
export type Decided = ApprovalAnswer & Partial<Progress> & { needed?: number };

export class ApprovalService {
  constructor(private readonly deps: ApprovalDeps) {}

  policyOf(tenantId: string): ApprovalPolicy {
    return this.deps.policies.policyOf(tenantId);
  }

  /**
   * Asks and waits, unless an earlier answer covers the call: an approval for the session, or a denial of the very same call in this run. `existing`: the
   * approval that was asked for before the run was interrupted; its answer counts for these arguments only.
   */
  async askApproval(run: RunRecord, writer: RunWriter, ask: ApprovalAsk, existing?: QuestionRecord): Promise<ApprovalOutcome> {
    const { questionService, reviews } = this.deps;
    const { signal, toolCallId, reason, review: rule, ...subject } = ask;
    const known = existing?.approval?.fingerprint === subject.fingerprint ? existing : undefined;
    if (!known && signal.aborted) return { status: 'cancelled' };
    const earlier = known ? undefined : await this.findEarlierAnswer(run, subject);
    if (earlier) return toOutcome(earlier);
    const review = known || !rule ? undefined : await reviews.reviewFor(run, rule);
    const question = known ?? (await this.newApproval(run, { subject: { ...subject, review }, toolCallId, reason }));
    const refusal = known ? undefined : await this.refusalOf(run, question);
    if (refusal) return refusal;
    // A call that needs approval is never asked about side by side with another, so the status of the run says whether the approval is open.
    const stored = known && (run.status === 'waiting' ? 'open' : 'ended');
    const stopFollowing = reviews.follow(run, writer, question);
    const outcome = await questionService.askAndWait(run, writer, { question, stored, signal }).finally(stopFollowing);
    return outcome.status === 'answered' ? toOutcome(readDecision(outcome.answer), question.approval?.diff) : outcome;
  }

  /** Returns a person's no to the call, when the stored answer was one. */
  storedDenial(question: QuestionRecord | undefined): Denied | undefined {
    const outcome = question?.answer === undefined ? undefined : toOutcome(readDecision(question.answer));
    return outcome?.status === 'denied' ? outcome : undefined;
  }

  /** Returns true when the current rules, tools and checks of the tenant still require approval of this very call. */
  requiresApproval(
    tenantId: string,
    { tool: name, args, fingerprint, taint }: ApprovalSubject,
    tools: ReadonlyMap<string, AgentTool>,
  ): boolean {
    const tool = tools.get(name);
    if (!tool) return false;
    const valid = validateArguments(tool, args);
    if (!valid.ok || callFingerprint(name, valid.value) !== fingerprint) return false;
    return this.policyOf(tenantId).judge({ tool, args: valid.value, taint }).decision === 'ask';
  }

  /** Finds an approval that the caller may decide. Rejects `not_found`, and `forbidden` for a person with another part in its session. */
  async findApproval(by: Asker, requestId: string): Promise<QuestionRecord> {
    const { questionService, questionAccess } = this.deps;
    const question = await questionService.findQuestion(by, requestId, 'approval');
    await questionAccess.assertMayAnswer(by, question);
    return question;
  }

  /**
   * Decides an open approval and resolves with the decision that counts, once it is stored. Rejects `not_found` (also for another session or
   * tenant) and `forbidden` as `findApproval`, `invalid_request` and `forbidden` for changed arguments that must not run, `approval_by_requester` and `approval_given` where the rule asks
   * for colleagues, and `clarification_closed` with the winning decision. `alsoWrite`: as in `recordAnswer`.
   */
  async decideApproval(
    by: Asker,
    requestId: string,
    answer: ApprovalAnswer,
    alsoWrite?: (tx: StoreTransaction) => Promise<void>,
  ): Promise<Decided> {
    const question = await this.findApproval(by, requestId);
    const decided = this.checkAnswer(question, answer);
    const review = question.approval?.review;
    if (review && asksColleagues(review) && decided.decision !== 'deny') {
      const progress = await this.deps.reviews.giveYes(question, review, { by, answer: writeDecision(decided), alsoWrite });
      return { ...decided, ...progress, needed: review.approvers };
    }
    const audited = decided.args ? await this.withDirectoryOf(question, decided.args) : question;
    await this.deps.questionService.recordAnswer(audited, answerFrom(by.keyName, writeDecision(decided)), { alsoWrite });
    return decided;
  }

  /** Resolves with the directory in which the command of a call would run now; with undefined for a call without a command. */
  async presentDirectory(session: SessionKey, { tool, args }: Pick<ApprovalSubject, 'tool' | 'args'>): Promise<string | undefined> {
    const usual = (await this.terminalDirectory(session, tool)) ?? this.deps.workspacePathOf(session.tenantId);
    return commandDirectory(args, usual);
  }

  /** Returns the question with the directory in which a command runs that a person has changed. */
  private async withDirectoryOf(question: QuestionRecord, args: Record<string, unknown>): Promise<QuestionRecord> {
    const { approval } = question;
    if (!approval) return question;
    return { ...question, approval: { ...approval, directory: await this.presentDirectory(question, { ...approval, args }) } };
  }

  /** Returns why nobody can be asked. The call waits for colleagues, also where its own caller cannot be asked. */
  private async refusalOf(run: RunRecord, question: QuestionRecord): Promise<ApprovalOutcome | undefined> {
    const { approvers, questionAccess } = this.deps;
    const { tenantId, parent, interaction } = run;
    const review = question.approval?.review;
    if (review) {
      const able = await questionAccess.countDeciders(question, review.notBy);
      return able < review.approvers ? { status: 'too_few', needed: review.approvers, able } : undefined;
    }
    if (interaction.approvals === 'wait') return undefined;
    if (interaction.approvals === 'none') return { status: 'unreachable' };
    const isAsked =
      approvers.isPresent(parent ? { ...parent, tenantId } : run) || (await questionAccess.hasColleague(question, run.keyName));
    return isAsked ? undefined : { status: 'unreachable' };
  }

  private async newApproval(
    run: RunRecord,
    { subject, toolCallId, reason }: { subject: ApprovalSubject; toolCallId: string; reason: string },
  ): Promise<QuestionRecord> {
    const terminal = await this.terminalDirectory(run, subject.tool);
    const place = terminal && inLocale(run, ` It would run in ${terminal}.`, `将在 ${terminal} 中执行。`);
    const question = `${reason}${place ?? ''}`;
    const directory = commandDirectory(subject.args, terminal ?? this.deps.workspacePathOf(run.tenantId));
    const { review } = subject;
    const { questionService, questionAccess, timeoutMs } = this.deps;
    const asked = { tenantId: run.tenantId, sessionId: run.sessionId, escalate: review?.escalate };
    const askedTo = QuestionAccess.askedBy(review) ?? (await questionAccess.approversOutside(asked));
    return questionService.newQuestion(run, {
      kind: 'approval',
      mode: 'wait',
      question,
      toolCallId,
      approval: { ...subject, directory },
      timeoutMs: review?.deadlineMs ?? timeoutMs,
      askedTo,
      escalate: review?.escalate,
    });
  }

  /** Finds the answer that covers the call. A decided call is not asked about again, so the newest answer wins. */
  private async findEarlierAnswer(run: RunRecord, subject: ApprovalSubject): Promise<ApprovalAnswer | undefined> {
    const { tenantId, sessionId, id: runId } = run;
    const { grant, fingerprint, sessionScope } = subject;
    const { clock, store } = this.deps;
    const newestAnswer = (filter: Parameters<QuestionReader['newestAnswer']>[1]) =>
      retryWhileStoreUnavailable(clock, () => store.read.questions.newestAnswer(tenantId, filter));
    const [sameCall, sessionGrant] = await Promise.all([
      newestAnswer({ runId, fingerprint }),
      sessionScope === 'none' ? undefined : newestAnswer({ sessionId, grant }),
    ]);
    const decided = sameCall === undefined ? undefined : readDecision(sameCall);
    if (decided?.decision === 'deny') return decided;
    const isGranted = sessionGrant !== undefined && readDecision(sessionGrant).decision === 'allow_session';
    // A guest is not whom the person allowed this for.
    if (!isGranted || (await this.deps.reviews.hasGuestWords(run))) return undefined;
    return { decision: 'allow_session' };
  }

  /** Reads the directory of the session's terminal, in which its next command would run. */
  private async terminalDirectory({ tenantId, sessionId }: SessionKey, tool: string): Promise<string | undefined> {
    if (this.deps.tools.get(tool)?.keepsState !== true) return undefined;
    const { clock, store } = this.deps;
    const terminal = await retryWhileStoreUnavailable(clock, () => store.read.terminals.get(tenantId, sessionId));
    return terminal?.state.cwd;
  }

  /** Returns the answer that counts: an approval for the session becomes an approval for this call alone when the subject has no session scope. */
  private checkAnswer({ tenantId, approval }: QuestionRecord, answer: ApprovalAnswer): ApprovalAnswer {
    const { decision, args } = answer;
    if (!args) return decision === 'allow_session' && approval?.sessionScope === 'none' ? { ...answer, decision: 'allow_once' } : answer;
    if (approval?.review && asksColleagues(approval.review)) {
      const says = ['cannot be changed where colleagues must allow the call.', '需要同事批准的调用不能修改参数。'] as const;
      throw invalidField('/args', ...says);
    }
    if (decision !== 'allow_once') {
      throw invalidField('/args', 'can be changed only with the decision allow_once.', '只有决定为 allow_once 时才能修改。');
    }
    const tool = approval && this.deps.tools.get(approval.tool);
    if (!tool) throw invalidField('/args', 'the arguments of this tool cannot be changed.', '不能修改这个工具的参数。');
    return { ...answer, args: this.checkArguments(tenantId, tool, args) };
  }

  private checkArguments(tenantId: string, tool: AgentTool, args: Record<string, unknown>): Record<string, unknown> {
    const valid = validateArguments(tool, args);
    if (!valid.ok) throw invalidField('/args', `${valid.message}`, `${valid.messageZh}`);
    const verdict = this.policyOf(tenantId).judge({ tool, args: valid.value });
    if (verdict.decision !== 'allow' && refusesChange(verdict)) {
      throw new AppError('forbidden', { param: '/args', message: verdict.reason.en, messageZh: verdict.reason['zh-CN'] });
    }
    // Arguments that passed validation are an object.
    return valid.value as Record<string, unknown>;
  }
}

/** `diff`: the change that the person saw. */
function toOutcome({ decision, reason, args }: ApprovalAnswer, diff?: string): ApprovalOutcome {
  if (decision === 'deny') return { status: 'denied', reason };
  return { status: 'allowed', args, diff };
}

/** Returns the directory in which a command would run; undefined for a call without a command. `usual`: the directory of a call that names none. */
function commandDirectory(args: unknown, usual: string): string | undefined {
  const { command, cwd }: { command?: unknown; cwd?: unknown } = typeof args === 'object' && args !== null ? args : {};
  if (typeof command !== 'string') return undefined;
  return typeof cwd === 'string' ? posix.resolve(usual, cwd) : usual;
}
