/** Encodes replays for operators: without texts. */
import type { LastReplay } from './replay/replay_service';

export function toReplaySummary({ tenantId, runId, replay, error }: LastReplay) {
  if (!replay) return { tenantId, runId, result: 'failed', differences: [], requests: 0, changedRequests: 0, error: error?.code };
  const { result, differences, requests, replayed } = replay;
  return {
    tenantId,
    runId,
    result,
    differences,
    requests: requests.length,
    changedRequests: requests.filter(({ state }) => state === 'changed').length,
    error: result === 'failed' ? replayed.error?.code : undefined,
  };
}
