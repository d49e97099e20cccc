/** Reads what limits refuse now: used-up budgets of the day, and the refusals of the last minutes. */
import type { KeyRing } from '../../../service/auth/key_ring';
import type { DayBudgets } from '../../../service/limits/day_budgets';
import type { LimitRules, ScopedLimits } from '../../../service/limits/limit_rules';
import type { Refusal, Refusals } from '../../../service/limits/refusals';
import type { Switches } from '../../../service/limits/switches';
import { fromNanoDollars } from '../../../utils/dollars';
import type { OpsOverview } from '../schemas/view_schemas';
import { listActors } from '../shared/list_actors';
import type { OpsView } from '../shared/ops_view';

type OverviewLimits = OpsOverview['limits'];
type Budget = OverviewLimits['usedUp'][number];

export interface OverviewLimitsDeps {
  keyRing: KeyRing;
  rules: LimitRules;
  dayBudgets: DayBudgets;
  switches: Switches;
  refusals: Refusals;
}

const DAILY = ['tokensPerDay', 'costPerDayUsd'] as const;
const WINDOW_MS = 300_000;
const MAX_SHOWN = 20;

/** Each budget that is read costs a statement, so a reading is used the longer the more budgets it has. Milliseconds. */
const FRESH_MS_OF_BUDGET = 20;
const MAX_FRESH_MS = 30_000;

export class OverviewLimitsReader {
  /** Tenant, or '' for all -> the budgets as they were read. */
  private readonly readings = new Map<string, { until: number; budgets: readonly Budget[] }>();

  constructor(private readonly deps: OverviewLimitsDeps) {}

  async read(view: OpsView, now: number): Promise<OverviewLimits> {
    const budgets = await this.readBudgets(view, now);
    const isRecent = ({ at, code }: Refusal) => code !== 'not_accepting' && now - Date.parse(at) < WINDOW_MS;
    const recent = this.deps.refusals.list(view.tenantId).filter(isRecent);
    const usedUp = budgets.filter(({ used, max }) => used >= max);
    return {
      windowMinutes: WINDOW_MS / 60_000,
      budgets: countByLimit(budgets),
      usedUpBudgets: countByLimit(usedUp),
      usedUp: usedUp.slice(0, MAX_SHOWN),
      refused: recent.length,
      refusedCallers: callersOf(recent).slice(0, MAX_SHOWN),
    };
  }

  private async readBudgets(view: OpsView, now: number): Promise<readonly Budget[]> {
    const key = view.tenantId ?? '';
    const known = this.readings.get(key);
    if (known && now < known.until) return known.budgets;
    for (const [other, { until }] of this.readings) if (until < now) this.readings.delete(other);
    const budgets = await readAllBudgets(this.deps, view);
    this.readings.set(key, { until: now + Math.min(MAX_FRESH_MS, budgets.length * FRESH_MS_OF_BUDGET), budgets });
    return budgets;
  }
}

async function readAllBudgets(deps: OverviewLimitsDeps, view: OpsView): Promise<Budget[]> {
  const scopes = deps.rules
    .scopesOfAll(listActors(deps.keyRing, view))
    .filter(({ limits }) => DAILY.some(name => limits[name] !== undefined));
  const budgets: Budget[] = [];
  // One read after the other, so that other work gets its turn in between.
  for (const scope of scopes) budgets.push(...(await budgetsOf(deps, scope)));
  return budgets;
}

async function budgetsOf({ dayBudgets, switches }: OverviewLimitsDeps, scope: ScopedLimits): Promise<Budget[]> {
  const { tokens, nanoDollars } = await dayBudgets.amountsOf(scope);
  const used = { tokensPerDay: tokens, costPerDayUsd: fromNanoDollars(nanoDollars) };
  return DAILY.flatMap(limit => {
    const max = scope.limits[limit];
    if (max === undefined) return [];
    const name = scope.keyName ?? scope.tenantId;
    return [{ scope: scope.scope, name, tenantId: scope.tenantId, limit, used: used[limit], max: max + switches.raiseOf(scope, limit) }];
  });
}

function countByLimit(budgets: readonly Budget[]): OverviewLimits['budgets'] {
  const countOf = (name: Budget['limit']) => budgets.filter(({ limit }) => limit === name).length;
  return { tokensPerDay: countOf('tokensPerDay'), costPerDayUsd: countOf('costPerDayUsd') };
}

/** The most refused first. */
function callersOf(refusals: readonly Refusal[]): OverviewLimits['refusedCallers'] {
  const groups = Map.groupBy(refusals, ({ tenantId, keyName, code, limit }) => [tenantId, keyName, code, limit].join('\n'));
  const rows = [...groups.values()].flatMap(([newest, ...older]) => {
    if (!newest) return [];
    const { tenantId, keyName, code, limit, at } = newest;
    return [{ tenantId, keyName, code, limit, count: older.length + 1, lastAt: at }];
  });
  return rows.sort((a, b) => b.count - a.count);
}
