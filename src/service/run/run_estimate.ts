/** Estimates what a run will cost and take, from runs of its tenant with the same agent and the same model. */
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
  return { costUsd: costs.length === similar.length ? quantilesOf(costs) : undefined, ms: quantilesOf(times), basedOn: similar.length };
}

/** Nearest rank. */
function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return { p50: at(0.5), p90: at(0.9) };
}
