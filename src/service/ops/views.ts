/** Small views of operators: models, limits, connections. */
import { fromNanoDollars } from '../../utils/dollars';
import type { ScopedLimits } from '../limits/limit_rules';
import type { ConnectionRow } from './connection_rows';
import { type ModelFigureRow, sumModelFigures } from './model_figures';
import { type KnownNode, partOf } from './node_figures';
import type { OpsDeps, OpsView } from './ops_deps';
import { readAccepting } from './overview';
import type { AcceptingState } from './overview_types';
import type { Refusal } from './refusals';

const DAY_MS = 86_400_000;

export interface OpsModelRow extends Partial<ModelFigureRow> {
  id: string;
  model: string;
  label?: string;
  provider: string;
  state: 'ok' | 'cooling' | 'failing' | 'unknown';
  reason?: string;
  isDefault: boolean;
  contextWindow?: number;
  /** Where its price comes from. */
  priceSource: 'models.yaml' | 'list' | 'none';
  price?: { input: number; output: number; cachedInput?: number };
  today: DaySums;
}

interface DaySums {
  runs: number;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  costUsd: number;
  unpricedRuns: number;
}

export interface OpsModels {
  at: string;
  source: string;
  countedSince: string;
  models: OpsModelRow[];
  today: { day: string; byAgent: ({ name: string } & DaySums)[]; byKey: ({ name: string } & DaySums)[] };
}

/** Models with calls without a price come first. */
export async function readModels(deps: OpsDeps, nodes: readonly KnownNode[], view: OpsView): Promise<OpsModels> {
  const { clock, store, models, modelSupervisor, host } = deps;
  const now = clock.now();
  const day = new Date(now).toISOString().slice(0, 10);
  const usage = await store.read.listDayUsage({ ...(view.tenantId !== undefined && { tenantId: view.tenantId }), from: day, to: day });
  const figures = sumModelFigures(nodes.flatMap(node => partOf(node.figures.models, view)));
  const known = modelSupervisor.listModels().map(({ model, state, reason, isDefault, contextWindow }): OpsModelRow => {
    const { id, label, price } = model.definition;
    const name = models.shownName(id);
    const isPriced = usage.some(row => row.model === name && row.nanoDollars > 0);
    return {
      ...figures.find(row => row.model === name),
      id,
      model: name,
      ...(label !== undefined && { label }),
      provider: model.client.info.provider,
      state,
      ...(reason !== undefined && { reason }),
      isDefault,
      contextWindow,
      priceSource: price ? 'models.yaml' : isPriced ? 'list' : 'none',
      ...(price && { price }),
      today: sumDays(usage.filter(row => row.model === name)),
    };
  });
  const names = new Set(known.map(({ model }) => model));
  const others = [...new Set([...figures.map(({ model }) => model), ...usage.flatMap(({ model }) => (model === '' ? [] : [model]))])];
  const unlisted = others
    .filter(name => !names.has(name))
    .map(
      (name): OpsModelRow => ({
        ...figures.find(row => row.model === name),
        id: name,
        model: name,
        provider: '',
        state: 'unknown',
        isDefault: false,
        priceSource: usage.some(row => row.model === name && row.nanoDollars > 0) ? 'list' : 'none',
        today: sumDays(usage.filter(row => row.model === name)),
      }),
    );
  const isUnpriced = (row: OpsModelRow) => (row.unpricedCalls ?? 0) + row.today.unpricedRuns > 0;
  const all = [...known, ...unlisted];
  const sumsBy = (nameOf: (row: (typeof usage)[number]) => string) =>
    [...Map.groupBy(usage, nameOf)].map(([name, rows]) => ({ name, ...sumDays(rows) }));
  return {
    at: new Date(now).toISOString(),
    source: models.source,
    countedSince: new Date(host.startedAt).toISOString(),
    models: [...all.filter(isUnpriced), ...all.filter(row => !isUnpriced(row))],
    today: { day, byAgent: sumsBy(row => row.agent), byKey: sumsBy(row => row.keyName) },
  };
}

type UsageRow = Awaited<ReturnType<OpsDeps['store']['read']['listDayUsage']>>[number];

function sumDays(rows: readonly UsageRow[]): DaySums {
  const sum = (amountOf: (row: UsageRow) => number) => rows.reduce((total, row) => total + amountOf(row), 0);
  return {
    runs: sum(row => row.runs),
    inputTokens: sum(row => row.inputTokens),
    cachedTokens: sum(row => row.cachedTokens),
    outputTokens: sum(row => row.outputTokens),
    costUsd: fromNanoDollars(sum(row => row.nanoDollars)),
    unpricedRuns: sum(row => row.unpricedRuns),
  };
}

export interface LimitRow {
  scope: 'key' | 'tenant';
  name: string;
  tenantId: string;
  limit: 'tokensPerDay' | 'costPerDayUsd' | 'concurrentRuns' | 'queuedRuns' | 'requestsPerMinute' | 'runsPerMinute';
  /** Absent where the gateway counts in advance: requests and runs per minute. */
  used?: number;
  max: number;
  resetsAt?: string;
}

export interface OpsLimits {
  at: string;
  accepting: AcceptingState;
  limits: LimitRow[];
  refusals: Refusal[];
  gateway: { concurrentRuns: number; queuedRuns: number };
}

export async function readLimits(deps: OpsDeps, view: OpsView): Promise<OpsLimits> {
  const { clock, rules, switches, refusals, runLimits } = deps;
  const now = clock.now();
  const scopes = rules.scopesOfAll(deps.listActors(view));
  const rows: LimitRow[] = [];
  for (const scope of scopes) rows.push(...(await limitRows(deps, scope, now)));
  return {
    at: new Date(now).toISOString(),
    accepting: readAccepting(switches, view),
    limits: rows,
    refusals: refusals.list(view.tenantId),
    gateway: runLimits,
  };
}

async function limitRows({ dayBudgets, store }: OpsDeps, scope: ScopedLimits, now: number): Promise<LimitRow[]> {
  const { limits, tenantId, keyName } = scope;
  const base = { scope: scope.scope, name: keyName ?? tenantId, tenantId };
  const resetsAt = new Date((Math.floor(now / DAY_MS) + 1) * DAY_MS).toISOString();
  const isDaily = limits.tokensPerDay !== undefined || limits.costPerDayUsd !== undefined;
  const isCounted = limits.concurrentRuns !== undefined || limits.queuedRuns !== undefined;
  const day = isDaily ? await dayBudgets.amountsOf(scope) : undefined;
  const runs = isCounted ? await store.read.countUnfinishedRuns(tenantId, keyName) : undefined;
  const row = (limit: LimitRow['limit'], max: number | undefined, more: Partial<LimitRow> = {}): LimitRow[] =>
    max === undefined ? [] : [{ ...base, limit, max, ...more }];
  return [
    ...row('tokensPerDay', limits.tokensPerDay, { used: day?.tokens ?? 0, resetsAt }),
    ...row('costPerDayUsd', limits.costPerDayUsd, { used: fromNanoDollars(day?.nanoDollars ?? 0), resetsAt }),
    ...row('concurrentRuns', limits.concurrentRuns, { used: runs?.active ?? 0 }),
    ...row('queuedRuns', limits.queuedRuns, { used: runs?.queued ?? 0 }),
    ...row('requestsPerMinute', limits.requestsPerMinute),
    ...row('runsPerMinute', limits.runsPerMinute),
  ];
}

export interface OpsConnections {
  at: string;
  connections: (ConnectionRow & { node: string })[];
}

export function readConnections(nodes: readonly KnownNode[], { tenantId }: OpsView): OpsConnections {
  const rows = nodes.flatMap(({ id, figures }) => figures.connections.map(row => ({ ...row, node: id })));
  return {
    at: new Date(Math.max(...nodes.map(({ seenAt }) => seenAt))).toISOString(),
    connections: tenantId === undefined ? rows : rows.filter(row => row.tenantId === tenantId),
  };
}
