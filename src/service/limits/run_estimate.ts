/** Estimates what a run will cost and take, from runs of its tenant with the same agent and the same model. */
import { LRUCache } from 'lru-cache';
import type { RunRecord } from '../../port/store/runs';
import type { StoreReader } from '../../port/store/store';

/** The value that half of the runs, and nine of ten, did not exceed. */
export interface Quantiles {
  p50: number;
  p90: number;
}

export interface RunEstimate {
  /** Absent when the price of a model was unknown in one of the runs. */
  costUsd?: Quantiles;
  /** Milliseconds from the start to the end, with the time in which the run waited for people. */
  ms: Quantiles;
  /** Input and output of all model calls. */
  tokens: Quantiles;
  /** Number of runs that were compared. */
  basedOn: number;
}

/** Runs of the tenant that are looked at, the newest ones. */
const RECENT_RUNS = 200;
/** Fewer runs say too little. */
const MIN_RUNS = 5;

/** Resolves with undefined when fewer than five such runs are known. Rejects `store_unavailable`. */
export async function estimateRun(
  read: Pick<StoreReader, 'runs'>,
  tenantId: string,
  isSimilar: (run: RunRecord) => boolean,
): Promise<RunEstimate | undefined> {
  const { data } = await read.runs.list(tenantId, { status: ['completed', 'incomplete'] }, { limit: RECENT_RUNS });
  const similar = data.filter(isSimilar);
  const times = similar.flatMap(({ startedAt, endedAt }) =>
    startedAt === undefined || endedAt === undefined ? [] : [endedAt - startedAt],
  );
  if (times.length < MIN_RUNS) return undefined;
  const costs = similar.flatMap(({ outcome }) => outcome?.usage.costUsd ?? []);
  const tokens = similar.map(({ outcome }) => (outcome ? outcome.usage.inputTokens + outcome.usage.outputTokens : 0));
  return {
    costUsd: costs.length === similar.length ? quantilesOf(costs) : undefined,
    ms: quantilesOf(times),
    tokens: quantilesOf(tokens),
    basedOn: similar.length,
  };
}

/** A run of an agent with a model. `model`: the one that runs without a choice of their own have. */
export interface EstimatedRun {
  tenantId: string;
  agent: string;
  model: string | undefined;
  agentModel: string | undefined;
}

/** Returns true for a run of the same agent and model. */
export const isSimilarTo =
  ({ agent, model, agentModel }: Omit<EstimatedRun, 'tenantId'>) =>
  (run: RunRecord): boolean =>
    run.agent === agent && (run.model ?? agentModel) === (model ?? agentModel);

const KNOWN_MS = 60_000;
/** Too few runs are known: the next ones may be enough. */
const UNKNOWN_MS = 2_000;
const MAX_KNOWN = 1_000;

/** Estimates that are read once a minute, so that starts of runs cost no statement. */
export class RunEstimates {
  private readonly known = new LRUCache<string, { estimate: RunEstimate | undefined }>({ max: MAX_KNOWN, ttl: KNOWN_MS });

  /** As estimateRun. Reads through `read`, such as a transaction. */
  async estimateFor(read: Pick<StoreReader, 'runs'>, run: EstimatedRun): Promise<RunEstimate | undefined> {
    const { tenantId, agent, model, agentModel } = run;
    const key = JSON.stringify([tenantId, agent, model ?? agentModel]);
    const known = this.known.get(key);
    if (known) return known.estimate;
    const estimate = await estimateRun(read, tenantId, isSimilarTo(run));
    this.known.set(key, { estimate }, { ttl: estimate ? KNOWN_MS : UNKNOWN_MS });
    return estimate;
  }
}

/** Nearest rank. */
function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return { p50: at(0.5), p90: at(0.9) };
}
