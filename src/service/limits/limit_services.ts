/** Builds the services of limits and usage. */
import type { Clock } from '../../port/clock';
import type { ConfigFiles } from '../../port/config_files';
import type { LogError } from '../../port/logger';
import type { Observer } from '../../port/observer';
import type { PriceList } from '../../port/price_list';
import type { RunLimits } from '../../port/store/runs';
import type { Store } from '../../port/store/store';
import { Slot } from '../../utils/slot';
import type { ConfigReloads } from '../audit/config_reloads';
import type { ModelCatalog } from '../model/model_catalog';
import type { ActiveReplays } from './active_replays';
import { BudgetAlerts, type BudgetListener, NO_BUDGET_LISTENER } from './budget_alerts';
import { DayBudgets, type DayBudgetsDeps } from './day_budgets';
import { LimitRules } from './limit_rules';
import type { LimitSet } from './limits_file';
import { LimitsSupervisor } from './limits_supervisor';
import { RateLimits } from './rate_limits';
import { RunLimiter } from './run_limiter';
import type { Switches } from './switches';
import { UsageReport } from './usage_report';
import { UsageRollUp } from './usage_roll_up';

export interface LimitServicesDeps {
  store: Store;
  clock: Clock;
  configFiles: ConfigFiles;
  configReloads: Pick<ConfigReloads, 'follow' | 'recordReload' | 'recordRefusal'>;
  /** The content of limits.yaml, if there is one. */
  limits: LimitSet | undefined;
  usual: RunLimits;
  models: Pick<ModelCatalog, 'listModels' | 'info'>;
  /** The prices of models that have none in models.yaml. */
  priceList: PriceList;
  switches: Pick<Switches, 'raiseOf'>;
  activeReplays: ActiveReplays;
  onError: LogError;
  observer: Observer;
}

/** Builds the services of limits. `usual`: limits of runs that ask for none. */
export function createLimitServices(deps: LimitServicesDeps) {
  const { store, clock, configFiles, configReloads, limits, usual, models, priceList, switches, activeReplays, onError, observer } = deps;
  const rules = new LimitRules(limits);
  const raiseOf: DayBudgetsDeps['raiseOf'] = (scope, limit) => switches.raiseOf(scope, limit);
  const budgetListener = new Slot<BudgetListener>('budgetListener', NO_BUDGET_LISTENER);
  const alerts = new BudgetAlerts({ store, clock, listener: budgetListener, onError, observer });
  const dayBudgets = new DayBudgets({ store, clock, rules, raiseOf, alerts, onError });
  return {
    rules,
    budgetListener,
    limitsSupervisor: new LimitsSupervisor({ rules, configFiles, configReloads, models, priceList, onError, observer }),
    dayBudgets,
    runLimiter: new RunLimiter({ clock, rules, dayBudgets, activeReplays, usual }),
    rateLimits: new RateLimits({ store, clock, rules, dayBudgets, onError }),
    usageRollUp: new UsageRollUp({ store, clock, onError }),
    usageReport: new UsageReport({ store, clock }),
  };
}
