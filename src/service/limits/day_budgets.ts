/**
 * Budgets of a day in UTC. The store alone counts what keys and tenants have used today: in runs that ended, and in active runs of every gateway. Before
 * each further model call a run stores what it has used so far, and then reads the sum. Of two runs, the one that reads later sees the answers of the
 * other, so a budget is exceeded by at most one answer for each active run. What active runs have reserved counts as used; a reservation is a column of
 * its run, so it ends with the run, also after a crash.
 */
import { AppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Actor } from '../../port/principal';
import type { RunRecord } from '../../port/store/runs';
import type { Store, StoreReader } from '../../port/store/store';
import type { DayAmounts } from '../../port/store/usage';
import type { RunSpending, SpentLimit } from '../../runtime/run_spending';
import { fromNanoDollars, toNanoDollars } from '../../utils/dollars';
import { retryWhileStoreUnavailable } from '../retry_while_store_unavailable';
import type { BudgetAlerts } from './budget_alerts';
import type { LimitRules, ScopedLimits } from './limit_rules';
import { type Reservation, shownUsd } from './run_price';

export interface DayBudgetsDeps {
  store: Store;
  clock: Clock;
  rules: LimitRules;
  /** Returns the amount that operators have added to a limit of today. */
  raiseOf: (scope: ScopedLimits, limit: (typeof DAILY)[number]) => number;
  alerts: BudgetAlerts;
  onError: LogError;
}

type BudgetedRun = Pick<RunRecord, 'id' | 'tenantId' | 'keyName' | 'epoch' | 'reservedTokens' | 'reservedNanoDollars'>;

/** A limit that is reached. `left`: what a run that needs more may still use. */
interface ReachedLimit {
  scope: ScopedLimits;
  limit: SpentLimit;
  left?: number;
}

const NOTHING: Reservation = { tokens: 0, nanoDollars: 0 };

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
    let stored = { tokens: 0, nanoDollars: 0 };
    spending.checkDay = signal => {
      const scopes = this.scopesOf(run);
      if (scopes.length === 0) return undefined;
      const { tokens, nanoDollars } = spending.ownAmounts;
      const check = async () => {
        if (tokens > stored.tokens) await this.storeSpent(run, { tokens, nanoDollars });
        stored = { tokens, nanoDollars };
        // Read after the own use is stored: an older sum could lack answers of other runs.
        return (await this.findReached(this.deps.store.read, scopes, { own: unusedOf(run, stored) }))?.limit;
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

  /** Rejects `quota_exceeded` when the caller may start no run today that uses `wanted`. Reads through `read`, such as a transaction. */
  async assertLeft(read: StoreReader, actor: Actor, wanted?: Reservation): Promise<void> {
    const now = this.deps.clock.now();
    const found = await this.findReached(read, this.scopesOf(actor), { now, wanted });
    if (found) throw found.left === undefined ? quotaExceeded(found, now) : tooLittleLeft(found, wanted ?? NOTHING, now);
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

  /**
   * Reads what is stored now. Resolves with the first limit that is reached. `own`: the part of the reservations that is the caller's own, so it does not
   * count against the caller. `wanted`: what must fit beside them.
   */
  private async findReached(
    read: StoreReader,
    scopes: readonly ScopedLimits[],
    { now = this.deps.clock.now(), own = NOTHING, wanted }: { now?: number; own?: Reservation; wanted?: Reservation | undefined } = {},
  ): Promise<ReachedLimit | undefined> {
    // Together: each of them would be one more round trip.
    const uses = await Promise.all(scopes.map(async scope => ({ scope, amounts: await this.readDay(read, scope, now) })));
    for (const { scope, amounts } of uses) {
      this.deps.alerts.check(scope, amounts);
      const found = reachedLimit(scope, amounts, { own, wanted });
      if (found) return found;
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

/** Returns what the run has reserved and not used yet. */
const unusedOf = ({ reservedTokens = 0, reservedNanoDollars = 0 }: BudgetedRun, used: Reservation): Reservation => ({
  tokens: Math.max(0, reservedTokens - used.tokens),
  nanoDollars: Math.max(0, reservedNanoDollars - used.nanoDollars),
});

function reachedLimit(
  scope: ScopedLimits,
  { tokens, nanoDollars, reserved = NOTHING }: DayAmounts,
  { own, wanted = NOTHING }: { own: Reservation; wanted?: Reservation | undefined },
): ReachedLimit | undefined {
  const { tokensPerDay, costPerDayUsd } = scope.limits;
  const money = costPerDayUsd === undefined ? undefined : toNanoDollars(costPerDayUsd);
  const checked = [
    ['tokensPerDay', tokensPerDay, tokens, reserved.tokens - own.tokens, wanted.tokens],
    ['costPerDayUsd', money, nanoDollars, reserved.nanoDollars - own.nanoDollars, wanted.nanoDollars],
  ] as const;
  for (const [limit, max, used, kept, more] of checked) {
    if (max === undefined) continue;
    if (used >= max || (more === 0 && used + kept >= max)) return { scope, limit };
    // What a run will likely use refuses it only beside other runs: alone, it may use what is left.
    if (kept > 0 && used + kept + more > max) return { scope, limit, left: Math.max(0, max - used - kept) };
  }
  return undefined;
}

const resetOf = (now: number): Date => new Date((Math.floor(now / DAY_MS) + 1) * DAY_MS);

function quotaExceeded({ scope: { scope, limits }, limit }: ReachedLimit, now: number): AppError {
  const resetsAt = resetOf(now);
  const amount = limit === 'tokensPerDay' ? `${limits.tokensPerDay} tokens` : `${limits.costPerDayUsd} USD`;
  return new AppError('quota_exceeded', {
    message: `The ${scope} has used its ${amount} of this day (${limit}), what its running runs have reserved included. New runs are possible from ${resetsAt.toISOString()} on.`,
    messageZh: `${scope === 'key' ? '该密钥' : '该租户'}今天的额度（${limit}：${amount}）已用完，包括运行中的运行所预留的部分。${resetsAt.toISOString()} 之后可以启动新的运行。`,
    retryAfterMs: resetsAt.getTime() - now,
    details: { scope, limit, resetsAt: resetsAt.toISOString() },
  });
}

/** The error for a run that will likely use more than is left. */
function tooLittleLeft({ scope: { scope }, limit, left = 0 }: ReachedLimit, wanted: Reservation, now: number): AppError {
  const resetsAt = resetOf(now);
  const isTokens = limit === 'tokensPerDay';
  const [needed, rest] = isTokens ? [wanted.tokens, left] : [fromNanoDollars(wanted.nanoDollars), fromNanoDollars(left)];
  const shown = (amount: number) => (isTokens ? `${amount} tokens` : shownUsd(amount));
  const field = isTokens ? 'limits.maxTokens' : 'limits.maxCostUsd';
  return new AppError('quota_exceeded', {
    message: `This run will likely use up to ${shown(needed)}, and the ${scope} has ${shown(rest)} of this day left beside what its running runs have reserved (${limit}). Send ${field} of at most that much, or start it later; the day ends at ${resetsAt.toISOString()}.`,
    messageZh: `此运行预计最多使用 ${shown(needed)}，而${scope === 'key' ? '该密钥' : '该租户'}今天除运行中的运行所预留的部分外只剩 ${shown(rest)}（${limit}）。请发送不超过此值的 ${field}，或稍后再启动；当天于 ${resetsAt.toISOString()} 结束。`,
    retryAfterMs: resetsAt.getTime() - now,
    details: { scope, limit, needed, left: rest, resetsAt: resetsAt.toISOString() },
  });
}

/** The day in UTC. */
const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);
