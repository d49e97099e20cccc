/**
 * Replays and suites of requests with an Idempotency-Key: a repetition of the request joins the work under way, or gets its answer, which is kept for a
 * day. The work stops some seconds after all its callers have left. A request that was refused leaves its key free.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../errors';
import type { Clock, IdSource } from '../../../port/clock';
import type { InstanceId } from '../../../port/instance_id';
import type { LogError } from '../../../port/logger';
import type { Store } from '../../../port/store/store';
import type { OncePerKey } from '../../../service/once_per_key';
import type { ReplayAnswerRecord } from '../store/answer_records';

const DAY_MS = 86_400_000;
/** Another process works on the answer: it is looked for this often, in milliseconds. */
const POLL_MS = 500;
/** Time for a retry after all callers of a work have left, in milliseconds. */
const LEFT_MS = 10_000;
/** A process of another machine that has not answered by then is taken for dead. */
const LONGEST_WORK_MS = 3_600_000;

export interface KeyedReplaysDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  identity: InstanceId;
  onError: LogError;
}

/** One request. `sessionId`: the session of the replayed run, with which its answer is deleted. */
export interface KeyedRequest {
  tenantId: string;
  once: OncePerKey;
  sessionId?: string;
  /** Aborts when the caller leaves. */
  signal: AbortSignal;
}

interface Work {
  answer: Promise<object>;
  stop: AbortController;
  callers: number;
  cancelStop(): void;
}

export class KeyedReplays {
  /** Ids of the answers on which this process works. */
  private readonly own = new Set<string>();
  /** Id of such an answer -> the work. */
  private readonly working = new Map<string, Work>();
  private readonly stopping = new AbortController();

  constructor(private readonly deps: KeyedReplaysDeps) {}

  /**
   * Resolves with the answer of `work`, which is in wire form, or with the kept answer of an earlier request with the key. When the process of the
   * earlier request has died, this request does the work. Rejects as `work` does, and `idempotency_mismatch`.
   */
  async answerOnce<T extends object>(
    request: KeyedRequest,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<{ answer: T; isRepeated: boolean }> {
    const { once, signal, tenantId } = request;
    if (!once.request) return { answer: await work(signal), isRepeated: false };
    const { id, isNew } = await this.begin(request);
    if (isNew) {
      const begun = this.beginWork(tenantId, id, work);
      // The answer is that of this very work.
      return { answer: (await this.join(id, begun, signal)) as T, isRepeated: false };
    }
    const answer = await this.waitForAnswer(tenantId, id, signal);
    // The answer is that of the same request, so it has the same type.
    return answer ? { answer: answer as T, isRepeated: true } : this.answerOnce(request, work);
  }

  /** Deletes answers that are older than a day, like the keys. */
  deleteOld(): Promise<void> {
    return this.deps.store.transaction('none', tx => tx.replayAnswers.deleteBefore(this.deps.clock.now() - DAY_MS));
  }

  /** Ends the work under way. Resolves when it has ended. */
  async stop(): Promise<void> {
    this.stopping.abort(new AppError('draining', { retryAfterMs: 5_000 }));
    await Promise.allSettled([...this.working.values()].map(({ answer }) => answer));
  }

  private async begin({ tenantId, once, sessionId }: KeyedRequest): Promise<{ id: string; isNew: boolean }> {
    const { store, clock, ids, identity } = this.deps;
    const now = clock.now();
    const newId = ids.next('rpl');
    return store.transaction(once.lockOf(tenantId), async tx => {
      await once.makeOnce(tx, { tenantId, now }, async () => newId);
      const id = once.replayedId ?? newId;
      const earlier = await tx.replayAnswers.get(tenantId, id);
      if (earlier && !this.isAbandoned(earlier)) return { id, isNew: false };
      if (earlier) await tx.replayAnswers.delete(tenantId, id);
      this.own.add(id);
      await tx.replayAnswers.insert({ tenantId, id, sessionId, owner: identity.self, createdAt: now });
      return { id, isNew: true };
    });
  }

  private beginWork(tenantId: string, id: string, work: (signal: AbortSignal) => Promise<object>): Work {
    const stop = new AbortController();
    const answer = this.finish(tenantId, id, () => work(AbortSignal.any([stop.signal, this.stopping.signal])));
    answer.catch(() => {});
    const begun: Work = { answer, stop, callers: 0, cancelStop() {} };
    this.working.set(id, begun);
    return begun;
  }

  /** Waits for the answer as one of the callers. */
  private async join(id: string, work: Work, signal: AbortSignal): Promise<object> {
    work.callers += 1;
    work.cancelStop();
    const { promise: left, reject } = Promise.withResolvers<never>();
    const onLeft = () => reject(signal.reason);
    signal.addEventListener('abort', onLeft, { once: true });
    if (signal.aborted) onLeft();
    try {
      return await Promise.race([work.answer, left]);
    } finally {
      signal.removeEventListener('abort', onLeft);
      work.callers -= 1;
      if (work.callers === 0 && this.working.has(id)) {
        work.cancelStop = this.deps.clock.after(LEFT_MS, () => work.stop.abort(new Error('All callers have left.')));
      }
    }
  }

  /** Keeps the answer. Frees the key when the work was refused. */
  private async finish(tenantId: string, id: string, work: () => Promise<object>): Promise<object> {
    const { store, onError } = this.deps;
    try {
      const answer = await work();
      await store.transaction('none', tx => tx.replayAnswers.setAnswer(tenantId, id, answer));
      return answer;
    } catch (thrown) {
      await store
        .transaction('none', tx => tx.replayAnswers.delete(tenantId, id))
        .catch(problem => onError('the key of a replay cannot be freed', problem));
      throw thrown;
    } finally {
      this.working.get(id)?.cancelStop();
      this.working.delete(id);
      this.own.delete(id);
    }
  }

  /** Resolves with undefined when the earlier request was refused, or its process has died. */
  private async waitForAnswer(tenantId: string, id: string, signal: AbortSignal): Promise<object | undefined> {
    const stopped = AbortSignal.any([signal, this.stopping.signal]);
    for (;;) {
      const working = this.working.get(id);
      if (working) return this.join(id, working, signal);
      const found = await this.deps.store.read.replayAnswers.get(tenantId, id);
      if (found?.answer) return found.answer;
      if (!found || this.isAbandoned(found)) return undefined;
      await pause(POLL_MS, undefined, { signal: stopped });
    }
  }

  private isAbandoned({ id, owner, answer, createdAt }: ReplayAnswerRecord): boolean {
    const { identity, clock } = this.deps;
    if (answer || this.own.has(id)) return false;
    return owner === identity.self || identity.isGone(owner) || clock.now() - createdAt > LONGEST_WORK_MS;
  }
}
