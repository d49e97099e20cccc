/** Small views of operators: models, limits, connections. */
import { fromNanoDollars } from '../../utils/dollars';
import type { ConnectionRow } from '../door/open_sockets';
import type { ScopedLimits } from '../limits/limit_rules';
import type { Refusal } from '../limits/refusals';
import type { RaisedLimit } from '../limits/switches';
import { type ModelFigureRow, sumModelFigures } from './model_figures';
import { type KnownNode, partOf } from './node_figures';
import { toNotice } from './notices';
import type { OpsDeps, OpsView } from './ops_deps';
import { readAccepting } from './overview';
import type { AcceptingState } from './overview_types';

const DAY_MS = 86_400_000;
/** Less of a day says nothing about the rest. */
const LEAST_FORECAST_MS = 1_800_000;

export interface OpsModelRow extends Partial<ModelFigureRow> {
  id: string;
  model: string;
  label?: string;
  provider: string;
  state: 'ok' | 'cooling' | 'failing' | 'unknown';
  reason?: string;
  reasonZh?: string;
  isDefault: boolean;
  contextWindow?: number;
  /** The source of the model's price. */
  priceSource: 'models.yaml' | 'list' | 'none';
  /** US dollars per million tokens. */
  price?: { input: number; output: number; cachedInput?: number };
  /** Name and version of the list; absent for models.yaml. */
  priceList?: string;
  /** Day of the list, or the last change of models.yaml. */
  priceDate?: string;
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
  const { clock, store, models, modelSupervisor, host, priceList } = deps;
  const now = clock.now();
  const day = new Date(now).toISOString().slice(0, 10);
  const usage = await store.read.usage.listDays({ tenantId: view.tenantId, from: day, to: day });
  const figures = sumModelFigures(nodes.flatMap(node => partOf(node.figures.models, view)));
  const fileTime = await host.readFileTime('models.yaml');
  const fileDate = fileTime === undefined ? {} : { priceDate: new Date(fileTime).toISOString().slice(0, 10) };
  const known = modelSupervisor.listModels().map(({ model, state, reason, isDefault, contextWindow }): OpsModelRow => {
    const { id, label, price } = model.definition;
    const name = models.shownName(id);
    const { model: asked, baseUrl } = model.definition;
    const listed = price || models.info.demo ? undefined : priceList.describe({ model: asked, baseUrl });
    return {
      ...figures.find(row => row.model === name),
      id,
      model: name,
      label,
      provider: model.client.info.provider,
      state,
      reason,
      reasonZh: reason === undefined ? undefined : toNotice(`models.yaml: ${id}: ${reason}`).messageZh,
      isDefault,
      contextWindow,
      priceSource: price ? 'models.yaml' : listed ? 'list' : 'none',
      ...listed,
      ...(price && { price, ...fileDate }),
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

type UsageRow = Awaited<ReturnType<OpsDeps['store']['read']['usage']['listDays']>>[number];

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
  /** Use so far. Absent where the gateway counts in advance: requests and runs per minute. */
  used?: number;
  max: number;
  resetsAt?: string;
  /** Amount that operators have added for today; not part of `max`. */
  raised?: number;
  /** Expected use at the end of the day when it goes on as so far. Present from half an hour after midnight UTC on. */
  forecast?: number;
  /** The last refusal because of this limit, in this process. */
  lastBlock?: { at: string; code: string };
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

async function limitRows({ dayBudgets, store, switches, refusals }: OpsDeps, scope: ScopedLimits, now: number): Promise<LimitRow[]> {
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
