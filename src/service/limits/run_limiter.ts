/** Decides, in the transaction that accepts a run, whether its key and its tenant may start it, and within which limits. */
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { Actor } from '../../port/principal';
import type { LockNames } from '../../port/store/lock';
import type { RunLimits } from '../../port/store/runs';
import type { StoreReader, StoreTransaction } from '../../port/store/store';
import type { ActiveReplays } from './active_replays';
import type { DayBudgets } from './day_budgets';
import type { LimitRules, ScopedLimits } from './limit_rules';
import type { RunEstimate } from './run_estimate';
import { expectedUse, priceQuestionOf, type Reservation, type RunPrice } from './run_price';

/** The fields of a request that decide about its lock. */
export type LockedRequest = Actor & {
  sessionId?: string | undefined;
  newSession?: { id?: string } | undefined;
  /** The job whose run is started. */
  job?: LockNames['job'];
  idempotency?: { key: string } | undefined;
};

export interface RunLimiterDeps {
  clock: Clock;
  rules: LimitRules;
  dayBudgets: DayBudgets;
  activeReplays: Pick<ActiveReplays, 'countOf'>;
  /** Hold for runs that ask for nothing, unless their agent says otherwise. */
  usual: RunLimits;
}

export const WINDOW_MS = 60_000;
const RETRY_AFTER_MS = 5_000;

export class RunLimiter {
  constructor(private readonly deps: RunLimiterDeps) {}

  /** Returns the lock of the transaction that accepts a request: its session, its job and its key; the tenant too when its runs are limited. */
  startLock(request: LockedRequest): LockNames {
    const { tenantId, sessionId = request.newSession?.id, job, idempotency } = request;
    return {
      session: sessionId === undefined ? undefined : { tenantId, sessionId },
      tenant: this.isLimited(request) ? tenantId : undefined,
      job,
      key: idempotency && { tenantId, key: idempotency.key },
    };
  }

  /** Returns the lock of the transaction that claims a queued run of the session. Its key is not known yet, so any limit counts. */
  claimLock(session: { tenantId: string; sessionId: string }): LockNames {
    return { session, tenant: this.deps.rules.isActive ? session.tenantId : undefined };
  }

  private isLimited(actor: Actor): boolean {
    return this.deps.rules.scopesFor(actor).length > 0;
  }

  /** See LimitRules.narrow. */
  narrow(actor: Actor, asked: RunLimits, ofAgent: () => RunLimits): RunLimits {
    return this.deps.rules.isActive ? this.deps.rules.narrow(actor, asked, { ...this.deps.usual, ...ofAgent() }) : asked;
  }

  /** Returns false when no limit of the caller asks what a run will use. */
  asksPrice(actor: Actor): boolean {
    const { rules } = this.deps;
    return rules.isActive && rules.scopesWith(actor, 'tokensPerDay', 'costPerDayUsd', 'askAboveUsd').length > 0;
  }

  /** Returns what of the estimate is reserved, and the question about the price, if one is asked. `limits`: the narrowed limits of the run. */
  priceOf(actor: Actor, estimate: RunEstimate, { asked, limits }: { asked: RunLimits; limits: RunLimits }): RunPrice {
    const { rules } = this.deps;
    const isBudgeted = rules.scopesWith(actor, 'tokensPerDay', 'costPerDayUsd').length > 0;
    const { tokens, nanoDollars } = expectedUse(estimate, limits);
    const askAboveUsd = rules.askAboveUsd(actor);
    return {
      reservedTokens: isBudgeted ? tokens : undefined,
      reservedNanoDollars: isBudgeted ? nanoDollars : undefined,
      priceQuestion: askAboveUsd === undefined ? undefined : priceQuestionOf(estimate, { askAboveUsd, asked, limits }),
    };
  }

  /**
   * Counts a new run. Resolves with true when it must wait in the queue, because the key or the tenant has as many runs as it may have at once.
   * Rejects `quota_exceeded`, also when the budget of the day cannot hold what the run will likely use, and `rate_limited`; the transaction must then be
   * rolled back. Executes no statement when nothing is limited.
   */
  async admitRun(tx: StoreTransaction, actor: Actor, { reservedTokens = 0, reservedNanoDollars = 0 }: RunPrice = {}): Promise<boolean> {
    if (!this.isLimited(actor)) return false;
    await this.countRun(tx, actor, { tokens: reservedTokens, nanoDollars: reservedNanoDollars });
    return this.isAtLimit(tx, actor);
  }

  /** Counts a run that may start now or later. Rejects like `admitRun`, and executes no statement when nothing is limited. */
  async countRun(tx: StoreTransaction, actor: Actor, wanted?: Reservation): Promise<void> {
    await this.deps.dayBudgets.assertLeft(tx, actor, wanted);
    for (const scope of this.deps.rules.scopesWith(actor, 'runsPerMinute')) await this.takeRun(tx, scope);
  }

  /** Rejects `rate_limited` when no further run of the caller may be queued. */
  async assertRoomInQueue(read: StoreReader, actor: Actor): Promise<void> {
    for (const { scope, limits, tenantId, keyName } of this.deps.rules.scopesWith(actor, 'queuedRuns')) {
      const { queued } = await read.runs.countUnfinished(tenantId, keyName);
      if (limits.queuedRuns === undefined || queued < limits.queuedRuns) continue;
      throw new AppError('rate_limited', {
        message: `At most ${limits.queuedRuns} runs of this ${scope} may be queued.`,
        messageZh: `${scope === 'key' ? '该密钥' : '该租户'}最多可以有 ${limits.queuedRuns} 个运行排队。`,
        retryAfterMs: RETRY_AFTER_MS,
        details: { scope, limit: 'queuedRuns' },
      });
    }
  }

  /** Resolves true when the key or the tenant executes as many runs as it may at once: runs of all processes and replays of this one. */
  async isAtLimit(read: StoreReader, actor: Actor): Promise<boolean> {
    for (const { limits, tenantId, keyName } of this.deps.rules.scopesWith(actor, 'concurrentRuns')) {
      const { active } = await read.runs.countUnfinished(tenantId, keyName);
      const replays = this.deps.activeReplays.countOf({ tenantId, keyName });
      if (limits.concurrentRuns !== undefined && active + replays >= limits.concurrentRuns) return true;
    }
    return false;
  }

  private async takeRun(tx: StoreTransaction, { scope, id, limits: { runsPerMinute = 0 } }: ScopedLimits): Promise<void> {
    const now = this.deps.clock.now();
    const { taken, expiresAt } = await tx.rateCounters.take({
      id: `runs:${id}`,
      wanted: 1,
      limit: runsPerMinute,
      windowMs: WINDOW_MS,
      now,
    });
    if (taken > 0) return;
    throw new AppError('rate_limited', {
      message: `At most ${runsPerMinute} runs of this ${scope} may start in a minute.`,
      messageZh: `${scope === 'key' ? '该密钥' : '该租户'}每分钟最多可以启动 ${runsPerMinute} 个运行。`,
      retryAfterMs: Math.max(1, expiresAt - now),
      details: { scope, limit: 'runsPerMinute' },
    });
  }
}
