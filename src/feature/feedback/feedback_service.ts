/** Feedback: a person rates the answer of a run, with a sentence or without. */

import { AppError } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import type { Observer } from '../../port/observer';
import type { Principal } from '../../port/principal';
import type { Page, PageRequest } from '../../port/store/page';
import type { RunRecord } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import type { PrivateTexts } from '../../service/access/private_texts';
import type { TextReads } from '../../service/audit/text_reads';
import type { FeedbackCount, FeedbackFilter, FeedbackRecord, FeedbackScope, Rating } from './store/feedback_records';

const COUNTED_MS = 30 * 86_400_000;

export interface FeedbackServiceDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  observer: Pick<Observer, 'note'>;
  textReads: Pick<TextReads, 'recordList'>;
  privateTexts: Pick<PrivateTexts, 'hideTexts'>;
  /** Returns the model of a run, by the name that metrics show. */
  modelOf: (run: RunRecord) => string;
}

/** The services of this feature, by the names under which its controllers inject them. */
export interface FeedbackServices {
  feedbackService: FeedbackService;
}

export class FeedbackService {
  constructor(private readonly deps: FeedbackServiceDeps) {}

  /** Stores the rating of the caller in the place of an earlier one. Rejects `not_found`. */
  async rateRun(
    { tenantId, keyName }: Principal,
    runId: string,
    { rating, text }: { rating: Rating; text?: string },
  ): Promise<FeedbackRecord> {
    const { store, clock, ids, observer } = this.deps;
    const run = await this.readRun(tenantId, runId);
    const { sessionId, agent } = run;
    const now = clock.now();
    const { earlier, feedback } = await store.transaction({ session: { tenantId, sessionId } }, async tx => {
      if (!(await tx.runs.getState(tenantId, runId))) throw noRun();
      const earlier = await tx.feedback.find(tenantId, runId, keyName);
      const { id = ids.next('fbk'), createdAt = now } = earlier ?? {};
      const model = this.deps.modelOf(run);
      const feedback = { tenantId, id, runId, sessionId, keyName, rating, text, agent, model, createdAt, updatedAt: now };
      await tx.feedback.put(feedback);
      return { earlier, feedback };
    });
    if (earlier?.rating !== rating) observer.note({ type: 'feedback_given', rating, agent, model: feedback.model });
    return feedback;
  }

  /** Deletes the rating of the caller. Rejects `not_found`. */
  async takeBackRating({ tenantId, keyName }: Principal, runId: string): Promise<void> {
    await this.readRun(tenantId, runId);
    if (!(await this.deps.store.transaction('none', tx => tx.feedback.delete(tenantId, runId, keyName)))) throw notRated();
  }

  listFeedback(scope: FeedbackScope, filter: FeedbackFilter, page: PageRequest): Promise<Page<FeedbackRecord>> {
    return this.deps.store.lists.feedback.list(scope, filter, page);
  }

  /** As `listFeedback`, for an operator. The audit log of each other tenant whose sentences the page holds records it first. */
  async listForOperator(reader: Principal, scope: FeedbackScope, filter: FeedbackFilter, page: PageRequest): Promise<Page<FeedbackRecord>> {
    const all = await this.listFeedback(scope, filter, page);
    const data = await this.deps.privateTexts.hideTexts(
      reader,
      all.data,
      row => row,
      row => ({ ...row, text: undefined }),
    );
    const found = { ...all, data };
    const written = data.filter(({ text }) => text !== undefined).map(({ tenantId }) => tenantId);
    await this.deps.textReads.recordList(reader, 'feedback', written);
    return found;
  }

  /** Counts the ratings since the time; without it those of the last 30 days. */
  countFeedback(scope: FeedbackScope, since = this.deps.clock.now() - COUNTED_MS): Promise<FeedbackCount[]> {
    return this.deps.store.lists.feedback.count(scope, since);
  }

  private async readRun(tenantId: string, runId: string): Promise<RunRecord> {
    const run = await this.deps.store.read.runs.get(tenantId, runId);
    if (!run) throw noRun();
    return run;
  }
}

const noRun = (): AppError => new AppError('not_found', { param: '/id', message: 'There is no such run.', messageZh: '没有这个运行。' });

const notRated = (): AppError =>
  new AppError('not_found', { param: '/id', message: 'You have not rated this run.', messageZh: '你没有评价过这个运行。' });
