/**
 * Says who may answer a question or decide an approval. The one place for this: those whose part in the session allows it, and those whom the question
 * asks. The latter see this one question and nothing else of a session that they do not take part in.
 */
import { ALL_APPROVERS, addressName } from '../../port/approval_address';
import { type ApprovalReview, asksColleagues } from '../../port/approval_review';
import { LOCAL_KEY_NAME, type Scope } from '../../port/principal';
import type { QuestionFilter, QuestionKind, QuestionRecord } from '../../port/store/questions';
import type { SessionAccess } from '../access/session_access';
import type { ApproverDirectory } from './approver_directory';

/** A caller that decides. `homeTenantId`: the own tenant of an operator who acts on behalf. */
export interface QuestionCaller {
  tenantId: string;
  keyName?: string | undefined;
  /** Absent: those of the key or the person with this name. */
  scopes?: ReadonlySet<Scope>;
  homeTenantId?: string | undefined;
}

/** The fields of a question that say whom it asks. */
type Asked = Pick<QuestionRecord, 'tenantId' | 'sessionId' | 'kind'> & Partial<Pick<QuestionRecord, 'askedTo' | 'passedTo'>>;

export interface QuestionAccessDeps {
  sessionAccess: Pick<SessionAccess, 'isInUse' | 'assertMay' | 'maySee' | 'mayDo' | 'viewerOf'>;
  approvers: ApproverDirectory;
}

export class QuestionAccess {
  constructor(private readonly deps: QuestionAccessDeps) {}

  /** Rejects `not_found` when the caller does not see the question, and `forbidden` when its part in the session does not allow the answer. */
  async assertMayAnswer(by: QuestionCaller, question: Asked): Promise<void> {
    const { sessionAccess } = this.deps;
    const { tenantId, homeTenantId = tenantId } = by;
    // PrivateTexts has let an operator of another tenant read it.
    if (!sessionAccess.isInUse || homeTenantId !== tenantId || this.isAsked(by, question)) return;
    // And an operator of this tenant who takes no part in the session.
    if (by.homeTenantId !== undefined && !(await sessionAccess.maySee(by, question.sessionId))) return;
    await sessionAccess.assertMay(by, question.sessionId, actionOf(question));
  }

  /** Returns true when the question asks the caller. */
  isAsked({ tenantId, keyName, scopes }: Omit<QuestionCaller, 'homeTenantId'>, question: Omit<Asked, 'sessionId'>): boolean {
    const { askedTo, passedTo } = question;
    if ((askedTo === undefined && passedTo === undefined) || question.tenantId !== tenantId) return false;
    return this.namesFor({ tenantId, keyName, scopes }, question.kind).some(name => name === askedTo || name === passedTo);
  }

  /** Resolves with the ids of the questions that the caller sees because it is asked, without their sessions. */
  async findHiddenChats(by: Omit<QuestionCaller, 'homeTenantId'>, questions: readonly QuestionRecord[]): Promise<ReadonlySet<string>> {
    const hidden = new Set<string>();
    for (const { id, sessionId, askedTo, passedTo } of questions) {
      if (askedTo === undefined && passedTo === undefined) continue;
      if (!(await this.deps.sessionAccess.maySee(by, sessionId))) hidden.add(id);
    }
    return hidden;
  }

  /** Returns the part of a filter that leaves out what the caller does not see. */
  filterFor(by: Omit<QuestionCaller, 'homeTenantId'>, kind: QuestionKind): Pick<QuestionFilter, 'viewer' | 'names'> {
    const viewer = this.deps.sessionAccess.viewerOf(by);
    return viewer ? { viewer, names: this.namesFor(by, kind) } : {};
  }

  /** Returns whom an approval with this review asks beside those who take part in the session. */
  static askedBy(review: ApprovalReview | undefined): string | undefined {
    if (review?.to !== undefined) return addressName(review.to);
    return review && asksColleagues(review) ? ALL_APPROVERS : undefined;
  }

  /** Resolves with all approvers when no one who takes part in the session may decide its approvals. */
  async approversOutside(place: Pick<QuestionRecord, 'tenantId' | 'sessionId' | 'escalate'>): Promise<string | undefined> {
    const { sessionAccess } = this.deps;
    return sessionAccess.isInUse && (await this.countDeciders(place)) === 0 ? ALL_APPROVERS : undefined;
  }

  /** Counts the people who may decide an approval now, also those to whom it is passed on. `without`: names of callers who do not count. */
  async countDeciders(question: Omit<Asked, 'kind'> & Pick<QuestionRecord, 'escalate'>, without: readonly string[] = []): Promise<number> {
    const { approvers, sessionAccess } = this.deps;
    const { tenantId, sessionId, escalate } = question;
    const asked = { ...question, kind: 'approval' as const, passedTo: escalate && addressName(escalate.to) };
    const able = approvers.approversOf(tenantId, without);
    if (!sessionAccess.isInUse) return able.length;
    const names = able.map(({ keyName, owner = keyName }) => ({ tenantId, keyName: owner }));
    const may = await Promise.all(names.map(by => this.isAsked(by, asked) || sessionAccess.mayDo(by, sessionId, 'approve')));
    return may.filter(Boolean).length;
  }

  /** Resolves with true when somebody else than the key of the run may decide, or the person of the run, who has a page. */
  async hasColleague(question: Omit<Asked, 'kind'>, keyName: string = LOCAL_KEY_NAME): Promise<boolean> {
    const { tenantId } = question;
    const own = keyName.startsWith('@') ? [] : this.deps.approvers.namesOfSamePeople(tenantId, [keyName]);
    return (await this.countDeciders(question, own)) > 0;
  }

  /** A caller who may not decide is asked about no approval. A key of a person has the name of the person, and perhaps fewer scopes. */
  private namesFor({ tenantId, keyName = LOCAL_KEY_NAME, scopes }: Omit<QuestionCaller, 'homeTenantId'>, kind: QuestionKind): string[] {
    const names = this.deps.approvers.namesOf(tenantId, keyName);
    const mayDecide = names.includes(ALL_APPROVERS) && (scopes?.has('approve') ?? true);
    return kind === 'approval' && !mayDecide ? [] : names;
  }
}

/** What the answer does in the session. */
const actionOf = ({ kind }: Pick<QuestionRecord, 'kind'>) => (kind === 'approval' ? 'approve' : 'answer');
