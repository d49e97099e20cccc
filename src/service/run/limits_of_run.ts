/** Finds the limits of a run that is admitted. */
import type { RunLimits } from '../../port/store/runs';
import type { SessionRecord } from '../../port/store/sessions';
import type { AgentDirectory } from '../agent/agent_directory';
import type { RunLimiter } from '../limits/run_limiter';
import type { StartRequest } from './start_request';

interface LimitDeps {
  agents: Pick<AgentDirectory, 'agentFor'>;
  runLimiter: Pick<RunLimiter, 'narrow'>;
}

/** Returns the limits of the request, narrowed by the limits of its key and tenant. */
export function limitsOf(
  { agents, runLimiter }: LimitDeps,
  { tenantId, keyName, agent, limits = {} }: StartRequest & { agent: string },
  { locale }: SessionRecord,
): RunLimits {
  return runLimiter.narrow({ tenantId, keyName }, limits, () => {
    const { maxToolIterations } = agents.agentFor({ tenantId, agent, locale }).profile;
    return maxToolIterations === undefined ? {} : { maxToolIterations };
  });
}
