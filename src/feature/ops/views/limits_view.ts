/** Limits for operators: what is used of each, and the last refusals. */
import type { Clock } from '../../../port/clock';
import type { Store } from '../../../port/store/store';
import type { KeyRing } from '../../../service/auth/key_ring';
import type { DayBudgets } from '../../../service/limits/day_budgets';
import type { LimitRules, ScopedLimits } from '../../../service/limits/limit_rules';
import type { Refusal, Refusals } from '../../../service/limits/refusals';
import type { RaisedLimit, Switches } from '../../../service/limits/switches';
import { fromNanoDollars } from '../../../utils/dollars';
import type { OpsLimits } from '../schemas/view_schemas';
import { readAccepting } from '../shared/accepting';
import { listActors } from '../shared/list_actors';
import type { OpsView } from '../shared/ops_view';

type LimitRow = OpsLimits['limits'][number];

const DAY_MS = 86_400_000;
/** Less of a day says nothing about the rest. */
const LEAST_FORECAST_MS = 1_800_000;

export interface LimitsDeps {
  store: Store;
  clock: Clock;
  keyRing: KeyRing;
  rules: LimitRules;
  dayBudgets: DayBudgets;
  switches: Switches;
  refusals: Refusals;
  /** Limits of this process. */
  gateway: OpsLimits['gateway'];
}

export async function readLimits(deps: LimitsDeps, view: OpsView): Promise<OpsLimits> {
  const { clock, keyRing, rules, switches, refusals, gateway } = deps;
  const now = clock.now();
  const scopes = rules.scopesOfAll(listActors(keyRing, view));
  const rows: LimitRow[] = [];
  for (const scope of scopes) rows.push(...(await limitRows(deps, scope, now)));
  return {
    at: new Date(now).toISOString(),
    accepting: readAccepting(switches, view),
    limits: rows,
    refusals: refusals.list(view.tenantId),
    gateway,
  };
}

async function limitRows({ dayBudgets, store, switches, refusals }: LimitsDeps, scope: ScopedLimits, now: number): Promise<LimitRow[]> {
  const { limits, tenantId, keyName } = scope;
  const base = { scope: scope.scope, name: keyName ?? tenantId, tenantId };
  const resetsAt = new Date((Math.floor(now / DAY_MS) + 1) * DAY_MS).toISOString();
  const isDaily = limits.tokensPerDay !== undefined || limits.costPerDayUsd !== undefined;
  const isCounted = limits.concurrentRuns !== undefined || limits.queuedRuns !== undefined;
  const day = isDaily ? await dayBudgets.amountsOf(scope) : undefined;
  const runs = isCounted ? await store.read.runs.countUnfinished(tenantId, keyName) : undefined;
  const lastBlockOf = (limit: LimitRow['limit']): Pick<LimitRow, 'lastBlock'> => {
    const isMeant = (refusal: Refusal) => refusal.scope === scope.scope && (keyName === undefined || refusal.keyName === keyName);
    const last = refusals.list(tenantId).find(refusal => refusal.limit === limit && isMeant(refusal));
    return last ? { lastBlock: { at: last.at, code: last.code } } : {};
  };
  const row = (limit: LimitRow['limit'], max: number | undefined, more: Partial<LimitRow> = {}): LimitRow[] =>
    max === undefined ? [] : [{ ...base, limit, max, ...more, ...lastBlockOf(limit) }];
  const daily = (limit: RaisedLimit, used: number): Partial<LimitRow> => {
    const raised = switches.raiseOf(scope, limit);
    return { used, resetsAt, raised: raised > 0 ? raised : undefined, ...forecastOf(used, now) };
  };
  return [
    ...row('tokensPerDay', limits.tokensPerDay, daily('tokensPerDay', day?.tokens ?? 0)),
    ...row('costPerDayUsd', limits.costPerDayUsd, daily('costPerDayUsd', fromNanoDollars(day?.nanoDollars ?? 0))),
    ...row('concurrentRuns', limits.concurrentRuns, { used: runs?.active ?? 0 }),
    ...row('queuedRuns', limits.queuedRuns, { used: runs?.queued ?? 0 }),
    ...row('requestsPerMinute', limits.requestsPerMinute),
    ...row('runsPerMinute', limits.runsPerMinute),
  ];
}

function forecastOf(used: number, now: number): Pick<LimitRow, 'forecast'> {
  const elapsed = now % DAY_MS;
  return elapsed < LEAST_FORECAST_MS ? {} : { forecast: Math.round((used / elapsed) * DAY_MS * 1e6) / 1e6 };
}
