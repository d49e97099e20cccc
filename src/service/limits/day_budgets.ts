/**
 * Budgets of a day in UTC. The store alone counts what keys and tenants have used today: in runs that ended, and in active runs of every gateway. Before
 * each further model call a run stores what it has used so far, and then reads the sum. Of two runs, the one that reads later sees the answers of the
 * other, so a budget is exceeded by at most one answer for each active run.
 */
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Actor } from '../../port/principal';
import type { RunRecord } from '../../port/store/runs';
import type { Store, StoreReader } from '../../port/store/store';
import type { DayAmounts } from '../../port/store/usage';
import type { RunSpending, SpentLimit } from '../../runtime/run_spending';
import { toNanoDollars } from '../../utils/dollars';
import { retryWhileStoreUnavailable } from '../retry_while_store_unavailable';
import type { BudgetAlerts } from './budget_alerts';
import type { LimitRules, ScopedLimits } from './limit_rules';

export interface DayBudgetsDeps {
  store: Store;
  clock: Clock;
  rules: LimitRules;
  /** Returns the amount that operators have added to a limit of today. */
  raiseOf: (scope: ScopedLimits, limit: (typeof DAILY)[number]) => number;
  alerts: BudgetAlerts;
  onError: LogError;
}

type BudgetedRun = Pick<RunRecord, 'id' | 'tenantId' | 'keyName' | 'epoch'>;

/** Milliseconds for which headers and pages show a sum that was read from the store. */
const FRESH_MS = 1_000;
const DAY_MS = 86_400_000;
const DAILY = ['tokensPerDay', 'costPerDayUsd'] as const satisfies readonly SpentLimit[];

export class DayBudgets {
  /** Id of the scope -> amounts as the store has them. */
  private readonly known = new Map<string, { day: string; readAt: number; amounts: DayAmounts }>();

  constructor(private readonly deps: DayBudgetsDeps) {}

  /** The run checks the budgets of the day before each model call from now on. */
  addRun(run: BudgetedRun, spending: RunSpending): void {
    let stored = 0;
    spending.checkDay = signal => {
      const scopes = this.scopesOf(run);
      if (scopes.length === 0) return undefined;
      const { tokens, nanoDollars } = spending.ownAmounts;
      const check = async () => {
        if (tokens > stored) await this.storeSpent(run, { tokens, nanoDollars });
        stored = tokens;
        // Read after the own use is stored: an older sum could lack answers of other runs.
        return (await this.findReached(this.deps.store.read, scopes))?.limit;
      };
      return retryWhileStoreUnavailable(this.deps.clock, check, () => signal.throwIfAborted());
    };
  }

  /** Call it once the end of a run is stored. */
  removeRun(run: BudgetedRun): void {
    // The amounts in the store have changed.
    this.known.clear();
    const scopes = this.scopesOf(run);
    if (scopes.length > 0) this.checkAlerts(scopes).catch(thrown => this.deps.onError('the usage of a day could not be read', thrown));
  }

  private async checkAlerts(scopes: readonly ScopedLimits[]): Promise<void> {
    for (const scope of scopes) this.deps.alerts.check(scope, await this.amountsOf(scope));
  }

  /** Rejects `quota_exceeded` when the caller may start no run today. Reads through `read`, such as a transaction. */
  async assertLeft(read: StoreReader, actor: Actor): Promise<void> {
    const now = this.deps.clock.now();
    const found = await this.findReached(read, this.scopesOf(actor), now);
    if (found) throw quotaExceeded(found.scope, found.limit, now);
  }

  /** Resolves with false when the caller may start no run today. */
  async hasLeft(actor: Actor): Promise<boolean> {
    return (await this.findReached(this.deps.store.read, this.scopesOf(actor))) === undefined;
  }

  /** Stores the use of an active run, unless another gateway has acquired the run. The end of the run replaces it. */
  private async storeSpent({ tenantId, id, epoch }: BudgetedRun, { tokens, nanoDollars }: DayAmounts): Promise<void> {
    const expected = { from: ['running', 'waiting'] as const, epoch };
    await this.deps.store.transaction('none', tx =>
      tx.runs.update(tenantId, id, expected, { spentTokens: tokens, spentNanoDollars: nanoDollars }),
    );
  }

  /** Reads what is stored now. Resolves with the first limit that is reached. */
  private async findReached(
    read: StoreReader,
    scopes: readonly ScopedLimits[],
    now = this.deps.clock.now(),
  ): Promise<{ scope: ScopedLimits; limit: SpentLimit } | undefined> {
    // Together: each of them would be one more round trip.
    const uses = await Promise.all(scopes.map(async scope => ({ scope, amounts: await this.readDay(read, scope, now) })));
    for (const { scope, amounts } of uses) {
      this.deps.alerts.check(scope, amounts);
      const limit = reachedLimit(scope, amounts);
      if (limit) return { scope, limit };
    }
    return undefined;
  }

  /** Reads the tokens and money of today, as the store had them at most a second ago. Rejects `store_unavailable`. */
  async amountsOf(scope: ScopedLimits): Promise<DayAmounts> {
    const now = this.deps.clock.now();
    const known = this.known.get(scope.id);
    if (known && known.day === dayOf(now) && now - known.readAt < FRESH_MS) return known.amounts;
    return this.readDay(this.deps.store.read, scope, now);
  }

  private async readDay(read: StoreReader, scope: ScopedLimits, now: number): Promise<DayAmounts> {
    const day = dayOf(now);
    const amounts = await read.usage.dayAmounts(scope.tenantId, day, scope.keyName);
    this.known.set(scope.id, { day, readAt: now, amounts });
    return amounts;
  }

  private scopesOf(actor: Actor): readonly ScopedLimits[] {
    const { rules, raiseOf } = this.deps;
    const scopes = rules.scopesWith(actor, ...DAILY);
    return scopes.length > 0 ? scopes.map(scope => raised(scope, raiseOf)) : scopes;
  }
}

/** Returns the limits with what an operator has added for today; the same object when nothing was added. */
function raised(scope: ScopedLimits, raiseOf: DayBudgetsDeps['raiseOf']): ScopedLimits {
  const changes = DAILY.flatMap(limit => {
    const [max, more] = [scope.limits[limit], raiseOf(scope, limit)];
    return max === undefined || more === 0 ? [] : [[limit, max + more] as const];
  });
  return changes.length === 0 ? scope : { ...scope, limits: { ...scope.limits, ...Object.fromEntries(changes) } };
}

function reachedLimit({ limits }: ScopedLimits, { tokens, nanoDollars }: DayAmounts): SpentLimit | undefined {
  if (limits.tokensPerDay !== undefined && tokens >= limits.tokensPerDay) return 'tokensPerDay';
  if (limits.costPerDayUsd !== undefined && nanoDollars >= toNanoDollars(limits.costPerDayUsd)) return 'costPerDayUsd';
  return undefined;
}

function quotaExceeded({ scope, limits }: ScopedLimits, limit: SpentLimit, now: number): AppError {
  const resetsAt = new Date((Math.floor(now / DAY_MS) + 1) * DAY_MS);
  const amount = limit === 'tokensPerDay' ? `${limits.tokensPerDay} tokens` : `${limits.costPerDayUsd} USD`;
  return new AppError('quota_exceeded', {
    message: `The ${scope} has used its ${amount} of this day (${limit}). New runs are possible from ${resetsAt.toISOString()} on.`,
    messageZh: `${scope === 'key' ? '该密钥' : '该租户'}今天的额度（${limit}：${amount}）已用完。${resetsAt.toISOString()} 之后可以启动新的运行。`,
    retryAfterMs: resetsAt.getTime() - now,
    details: { scope, limit, resetsAt: resetsAt.toISOString() },
  });
}

/** The day in UTC. */
const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);
