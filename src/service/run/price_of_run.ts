/** Decides about the price of a run that is admitted: what of it is reserved, and whether a person is asked. */
import type { RunRecord } from '../../port/store/runs';
import type { StoreReader } from '../../port/store/store';
import type { AgentDirectory } from '../agent/agent_directory';
import type { RunEstimates } from '../limits/run_estimate';
import type { RunLimiter } from '../limits/run_limiter';
import { priceNotAgreed, type RunPrice } from '../limits/run_price';
import type { StartRequest } from './start_request';

export type NewRun = Omit<RunRecord, 'ordinal'>;

export interface PriceDeps {
  agents: AgentDirectory;
  runLimiter: RunLimiter;
  runEstimates: RunEstimates;
}

/** Rejects `price_not_agreed` when a person must agree to the price and nobody can be asked. Call it when a limit asks for the price. */
export async function priceOfRun(
  { runLimiter, runEstimates, agents }: PriceDeps,
  read: StoreReader,
  run: NewRun,
  request: StartRequest,
): Promise<RunPrice> {
  const { tenantId, agent, model, limits } = run;
  const agentModel = agents.agentFor(run).profile.model;
  const estimate = await runEstimates.estimateFor(read, { tenantId, agent, model, agentModel });
  if (!estimate) return {};
  const price = runLimiter.priceOf(request, estimate, { asked: request.limits ?? {}, limits });
  // A run that goes on after a question was agreed to when it was asked, and those of a job when a person allowed the job.
  const isAgreed = request.answers !== undefined || request.door === 'job';
  if (!price.priceQuestion || isAgreed) return { ...price, priceQuestion: undefined };
  if (request.interaction.clarify !== 'wait') throw priceNotAgreed(price.priceQuestion);
  return price;
}
