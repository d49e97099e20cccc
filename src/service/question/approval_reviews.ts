/**
 * Approvals that ask for colleagues. Each yes is stored with the question by compare-and-set, so any gateway takes the next one; the last yes that is
 * needed closes the question. A single no closes it at once.
 */
import { AppError } from '../../errors';
import { type ApprovalReview, asksColleagues, type ReviewRule, type YesVote } from '../../port/approval_review';
import type { Clock } from '../../port/clock';
import type { NodeBus } from '../../port/node_bus';
import { isGuestName, LOCAL_KEY_NAME } from '../../port/principal';
import type { QuestionRecord } from '../../port/store/questions';
import type { RunRecord } from '../../port/store/runs';
import type { Store, StoreTransaction } from '../../port/store/store';
import type { AuditRecorder } from '../audit/audit_log';
import { retryWhileStoreUnavailable } from '../retry_while_store_unavailable';
import type { RunWriter } from '../run_log/run_writer';
import type { ApproverDirectory } from './approver_directory';
import type { Escalations } from './escalations';
import { answerEntry, answerFrom, givenApprovals } from './question_events';
import type { QuestionService } from './question_service';
import { findRequesters } from './requesters';

/** Who decides. `homeTenantId`: the caller's own tenant, when it is not `tenantId`, the tenant of the approval. */
export interface Decider {
  tenantId: string;
  keyName?: string | undefined;
  homeTenantId?: string | undefined;
}

export interface ApprovalReviewDeps {
  store: Store;
  clock: Clock;
  auditLog: AuditRecorder;
  nodeBus: Pick<NodeBus, 'publish' | 'subscribe' | 'onLoss'>;
  escalations: Pick<Escalations, 'passOnInTime'>;
  approvers: ApproverDirectory;
  questionService: Pick<QuestionService, 'recordAnswer' | 'findQuestion'>;
}

/** A yes with what is stored when it is the last one. */
export interface Yes {
  by: Decider;
  /** The answer as the store keeps it. */
  answer: string;
  alsoWrite?: ((tx: StoreTransaction) => Promise<void>) | undefined;
}

/** The approvals of a question after a yes. `isOpen`: more are needed. */
export interface Progress {
  isOpen: boolean;
  approvals: readonly YesVote[];
}

export class ApprovalReviews {
  /** The waits of this process: id of the question -> function that tells of a new yes. */
  private readonly waits = new Map<string, () => void>();

  constructor(private readonly deps: ApprovalReviewDeps) {
    const { nodeBus } = deps;
    nodeBus.subscribe('approvals', message => this.tell((message as { requestId?: string }).requestId));
    nodeBus.onLoss(() => {
      for (const id of this.waits.keys()) this.tell(id);
    });
  }

  /** Resolves with what a rule asks for of this call. Reads the store only when the rule excludes those whose messages caused the call. */
  async reviewFor(run: RunRecord, { approvers = 1, notBy, ...rest }: ReviewRule): Promise<ApprovalReview> {
    if (!notBy) return { approvers, ...rest };
    const { clock } = this.deps;
    const requesters = await retryWhileStoreUnavailable(clock, () => findRequesters(this.deps.store.read, run));
    return { approvers, ...rest, notBy: this.deps.approvers.namesOfSamePeople(run.tenantId, requesters) };
  }

  /** Resolves with true when the run has read words of a guest. */
  async hasGuestWords(run: RunRecord): Promise<boolean> {
    return (await retryWhileStoreUnavailable(this.deps.clock, () => findRequesters(this.deps.store.read, run))).some(isGuestName);
  }

  /**
   * Stores a yes; the last one answers the question. Rejects `approval_by_requester`, `approval_given` for a second yes of one person, and
   * `clarification_closed`.
   */
  async giveYes(question: QuestionRecord, review: ApprovalReview, { by, answer, alsoWrite }: Yes): Promise<Progress> {
    const { questionService, clock, approvers } = this.deps;
    const { tenantId, keyName = LOCAL_KEY_NAME, homeTenantId = tenantId } = by;
    const person = approvers.personOf(homeTenantId, keyName);
    if (homeTenantId === tenantId && review.notBy?.some(name => approvers.personOf(tenantId, name) === person)) throw ownRequest();
    const vote: YesVote = { by: keyName, at: clock.now(), person };
    for (let current = question; ; current = await questionService.findQuestion(by, question.id, 'approval')) {
      const { approvals: given = [] } = current;
      const isOpen = current.status === 'pending' && current.expiresAt > clock.now();
      if (isOpen && given.some(yes => yes.person === person)) throw givenBefore(review.approvers - given.length);
      const approvals = [...given, vote];
      if (!isOpen || approvals.length >= review.approvers) {
        await questionService.recordAnswer(current, { ...answerFrom(keyName, answer), approvals }, { alsoWrite });
        return { isOpen: false, approvals };
      }
      if (await this.storeYes(current, { before: given, after: approvals }, { by, answer, alsoWrite })) return { isOpen: true, approvals };
    }
  }

  /** Shows each new yes in the log of the waiting run, and passes the approval on in time. Call the returned function when the wait is over. */
  follow(run: RunRecord, writer: RunWriter, question: QuestionRecord): () => void {
    const { review } = question.approval ?? {};
    if (!review || (!asksColleagues(review) && !review.escalate)) return () => {};
    const { id } = question;
    // After a crash the update is repeated: its event may not have been stored.
    let shown = JSON.stringify(updateOf({ ...question, approvals: [], escalatedAt: undefined }, review));
    const show = async () => {
      const latest = (await this.deps.store.read.questions.get(question.tenantId, id)) ?? question;
      const data = updateOf(latest, review);
      if (latest.status !== 'pending' || JSON.stringify(data) === shown || !this.waits.has(id) || writer.isClosed) return;
      shown = JSON.stringify(data);
      writer.append({ type: 'approval_update', data });
    };
    // A yes that is not shown now is shown with the next one; the store has it.
    this.waits.set(id, () => void show().catch(() => {}));
    this.tell(id);
    // Approvals of older gateways have it in their rule alone.
    const escalated = { ...question, escalate: question.escalate ?? review.escalate };
    const stopTimer = this.deps.escalations.passOnInTime(run, escalated, () => this.tell(id));
    return () => {
      stopTimer();
      this.waits.delete(id);
    };
  }

  private tell(requestId: string | undefined): void {
    if (requestId !== undefined) this.waits.get(requestId)?.();
  }

  /** Resolves false when the approvals have changed since they were read. */
  private async storeYes(
    question: QuestionRecord,
    { before, after }: { before: readonly YesVote[]; after: readonly YesVote[] },
    { by, answer, alsoWrite }: Yes,
  ): Promise<boolean> {
    const { store, auditLog, nodeBus } = this.deps;
    const { tenantId, id } = question;
    const isStored = await store.transaction('none', async tx => {
      if (!(await tx.questions.setApprovals(tenantId, id, before, after))) return false;
      await alsoWrite?.(tx);
      const run = await tx.runs.get(tenantId, question.runId);
      await auditLog.record(answerEntry(question, { ...answerFrom(by.keyName, answer), approvals: after }, run?.keyName), tx);
      return true;
    });
    if (isStored && this.waits.has(id)) this.tell(id);
    else if (isStored) nodeBus.publish('approvals', { requestId: id });
    return isStored;
  }
}

/** The data of `approval_update`. */
export const updateOf = (
  { id: requestId, approvals = [], escalatedAt }: QuestionRecord,
  { approvers: needed, escalate }: ApprovalReview,
) => ({
  requestId,
  needed,
  approvals: givenApprovals(approvals),
  escalatedTo: escalatedAt === undefined ? undefined : escalate?.to,
});

const ownRequest = (): AppError => new AppError('approval_by_requester');

const givenBefore = (missing: number): AppError => new AppError('approval_given', { details: { missing } });
