/** Models for operators: their state, their calls, errors and cost. */
import type { Clock } from '../../../port/clock';
import type { HostFacts } from '../../../port/host_facts';
import { baseUrlOf } from '../../../port/model_apis';
import type { PriceList } from '../../../port/price_list';
import type { Store } from '../../../port/store/store';
import type { ModelCatalog } from '../../../service/model/model_catalog';
import type { ModelSupervisor } from '../../../service/model/model_supervisor';
import { fromNanoDollars } from '../../../utils/dollars';
import { sumModelFigures } from '../figures/model_figures';
import { type NodeFiguresStore, partOf } from '../figures/node_figures';
import type { OpsModels } from '../schemas/view_schemas';
import { toNotice } from '../shared/notices';
import type { OpsView } from '../shared/ops_view';

type OpsModelRow = OpsModels['models'][number];

export interface ModelsDeps {
  store: Store;
  clock: Clock;
  host: HostFacts;
  models: ModelCatalog;
  modelSupervisor: ModelSupervisor;
  priceList: PriceList;
  nodes: NodeFiguresStore;
}

/** Models with calls without a price come first. */
export async function readModels(deps: ModelsDeps, view: OpsView): Promise<OpsModels> {
  const { clock, store, models, modelSupervisor, host, priceList } = deps;
  const nodes = await deps.nodes.listNodes(view);
  const now = clock.now();
  const day = new Date(now).toISOString().slice(0, 10);
  const usage = await store.lists.usage.listDays({ tenantId: view.tenantId, from: day, to: day });
  const figures = sumModelFigures(nodes.flatMap(node => partOf(node.figures.models, view)));
  const fileTime = await host.readFileTime('models.yaml');
  const fileDate = fileTime === undefined ? {} : { priceDate: new Date(fileTime).toISOString().slice(0, 10) };
  const known = modelSupervisor.listModels().map(({ model, state, reason, isDefault, contextWindow }): OpsModelRow => {
    const { id, label, price } = model.definition;
    const name = models.shownName(id);
    const { model: asked } = model.definition;
    const listed = price || models.info.demo ? undefined : priceList.describe({ model: asked, baseUrl: baseUrlOf(model.definition) });
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

type UsageRow = Awaited<ReturnType<Store['read']['usage']['listDays']>>[number];

function sumDays(rows: readonly UsageRow[]): OpsModelRow['today'] {
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
