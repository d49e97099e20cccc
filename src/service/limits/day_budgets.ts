/** Budgets of a day in UTC: what keys and tenants have used today, in stored runs and in runs that execute here. */
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Actor } from '../../port/principal';
import type { RunRecord } from '../../port/store/runs';
import type { Store, StoreReader } from '../../port/store/store';
import type { DayAmounts } from '../../port/store/usage';
import type { RunSpending, SpentLimit } from '../../runtime/run_spending';
import { toNanoDollars } from '../../utils/dollars';
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

interface LiveRun {
  actor: Actor;
  spending: RunSpending;
}

/** Runs ask before each model call; a sum that was read from the store counts for this long. */
const FRESH_MS = 1_000;
const DAY_MS = 86_400_000;
const DAILY = ['tokensPerDay', 'costPerDayUsd'] as const satisfies readonly SpentLimit[];

export class DayBudgets {
  /** Runs that execute here, by id. */
  private readonly live = new Map<string, LiveRun>();
  /** Id of the scope -> amounts as the store has them. */
  private readonly stored = new Map<string, { day: string; readAt: number; amounts: DayAmounts }>();

  constructor(private readonly deps: DayBudgetsDeps) {}

  /** Counts a run that executes here. The run then checks the budgets of the day before each model call. */
  addRun(run: Pick<RunRecord, 'id' | 'tenantId' | 'keyName'>, spending: RunSpending): void {
    this.live.set(run.id, { actor: run, spending });
    spending.checkDay = () => this.checkDay(run);
  }

  /** Stops counting a run. Call it once the end of the run is stored. */
  removeRun(run: Pick<RunRecord, 'id' | 'tenantId' | 'keyName'>): void {
    this.live.delete(run.id);
    // The amounts in the store have changed.
    this.stored.clear();
    const scopes = this.scopesOf(run);
    if (scopes.length > 0) this.checkAlerts(scopes).catch(thrown => this.deps.onError('the usage of a day could not be read', thrown));
  }

  private async checkAlerts(scopes: readonly ScopedLimits[]): Promise<void> {
    for (const scope of scopes) this.deps.alerts.check(scope, await this.amountsOf(scope));
  }

  /** Rejects `quota_exceeded` when the caller may start no run today. Reads through `read`, such as a transaction. */
  async assertLeft(read: StoreReader, actor: Actor): Promise<void> {
    const now = this.deps.clock.now();
    for (const scope of this.scopesOf(actor)) {
      const amounts = this.withLive(scope, await this.readDay(read, scope, now));
      this.deps.alerts.check(scope, amounts);
      const reached = reachedLimit(scope, amounts);
      if (reached) throw quotaExceeded(scope, reached, now);
    }
  }

  /** Checks the budgets of today. Resolves with the limit that is reached. Returns undefined when no day is limited. */
  private checkDay(actor: Actor): Promise<SpentLimit | undefined> | undefined {
    const scopes = this.scopesOf(actor);
    return scopes.length === 0 ? undefined : this.findReached(scopes);
  }

  private async findReached(scopes: readonly ScopedLimits[]): Promise<SpentLimit | undefined> {
    for (const scope of scopes) {
      const amounts = await this.amountsOf(scope);
      this.deps.alerts.check(scope, amounts);
      const reached = reachedLimit(scope, amounts);
      if (reached) return reached;
    }
    return undefined;
  }

  /** Reads the tokens and money of today; amounts that other processes stored are at most a second old. Rejects `store_unavailable`. */
  async amountsOf(scope: ScopedLimits): Promise<DayAmounts> {
    const now = this.deps.clock.now();
    const known = this.stored.get(scope.id);
    if (known && known.day === dayOf(now) && now - known.readAt < FRESH_MS) return this.withLive(scope, known.amounts);
    return this.withLive(scope, await this.readDay(this.deps.store.read, scope, now));
  }

  private async readDay(read: StoreReader, scope: ScopedLimits, now: number): Promise<DayAmounts> {
    const day = dayOf(now);
    const amounts = await read.usage.dayAmounts(scope.tenantId, day, scope.keyName);
    this.stored.set(scope.id, { day, readAt: now, amounts });
    return amounts;
  }

  private withLive(scope: ScopedLimits, { tokens, nanoDollars }: DayAmounts): DayAmounts {
    const sum = { tokens, nanoDollars };
    for (const { actor, spending } of this.live.values()) {
      if (!this.deps.rules.isWithin(actor, scope)) continue;
      sum.tokens += spending.ownAmounts.tokens;
      sum.nanoDollars += spending.ownAmounts.nanoDollars;
    }
    return sum;
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
