/** Announces that most of a daily budget is used: once a day for each limit of a key or tenant, over all processes. */
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { Observer } from '../../port/observer';
import type { Store, StoreTransaction } from '../../port/store/store';
import type { DayAmounts } from '../../port/store/usage';
import { fromNanoDollars } from '../../utils/dollars';
import type { Slot } from '../../utils/slot';
import type { ScopedLimits } from './limit_rules';

/** An alert is sent when this share of a limit is used. */
const THRESHOLD = 0.8;
const DAY_MS = 86_400_000;

export interface BudgetAlertsDeps {
  store: Store;
  clock: Clock;
  listener: Slot<BudgetListener>;
  onError: LogError;
  observer: Observer;
}

export interface BudgetAlert {
  scope: 'key' | 'tenant';
  name: string;
  limit: 'tokensPerDay' | 'costPerDayUsd';
  /** Tokens or US dollars. */
  used: number;
  max: number;
}

/** The part that sends announcements. */
export interface BudgetListener {
  /** Resolves false when nobody of the tenant wants announcements. */
  isWanted(tenantId: string): Promise<boolean>;
  /** Stores an announcement in the transaction that counts it. */
  add(tx: StoreTransaction, tenantId: string, alert: BudgetAlert): Promise<void>;
  /** Called when the transaction is committed. */
  flush(): void;
}

/** The listener of a gateway that sends no announcements. */
export const NO_BUDGET_LISTENER: BudgetListener = { isWanted: async () => false, add: async () => {}, flush: () => {} };

export class BudgetAlerts {
  /** Limits that were announced -> end of their day, in milliseconds since 1970. */
  private readonly announced = new Map<string, number>();

  constructor(private readonly deps: BudgetAlertsDeps) {}

  /** Returns at once and announces in the background; a failure is logged, and the next check tries again. */
  check(scope: ScopedLimits, amounts: DayAmounts): void {
    for (const alert of usesOf(scope, amounts)) {
      const id = `budget:${scope.id}:${alert.limit}`;
      const ratio = alert.max > 0 ? alert.used / alert.max : 1;
      this.deps.observer.note({ type: 'budget_used', id, scope: alert.scope, ratio });
      if (ratio < THRESHOLD) continue;
      const now = this.deps.clock.now();
      if ((this.announced.get(id) ?? 0) > now) continue;
      this.announced.set(id, now - (now % DAY_MS) + DAY_MS);
      this.announce(id, scope.tenantId, alert).catch(thrown => {
        this.announced.delete(id);
        this.deps.onError('the use of a daily budget could not be announced', thrown);
      });
    }
  }

  private async announce(id: string, tenantId: string, alert: BudgetAlert): Promise<void> {
    const { store, clock } = this.deps;
    const listener = this.deps.listener.current;
    if (!(await listener.isWanted(tenantId))) {
      // Not remembered, so that a webhook that is made later today gets the announcement.
      this.announced.delete(id);
      return;
    }
    await store.transaction('none', async tx => {
      const now = clock.now();
      const { taken } = await tx.rateCounters.take({ id, wanted: 1, limit: 1, windowMs: DAY_MS - (now % DAY_MS), now });
      if (taken > 0) await listener.add(tx, tenantId, alert);
    });
    listener.flush();
  }
}

function usesOf({ scope, limits, tenantId, keyName }: ScopedLimits, { tokens, nanoDollars }: DayAmounts): BudgetAlert[] {
  const name = keyName ?? tenantId;
  const { tokensPerDay, costPerDayUsd } = limits;
  const rows = [
    { limit: 'tokensPerDay' as const, used: tokens, max: tokensPerDay },
    { limit: 'costPerDayUsd' as const, used: fromNanoDollars(nanoDollars), max: costPerDayUsd },
  ];
  return rows.flatMap(({ max, ...row }) => (max !== undefined ? [{ scope, name, ...row, max }] : []));
}
