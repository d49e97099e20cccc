/** Encodes replays for operators: without texts. */
import type { Replay } from './replay/compare';

export const toReplaySummary = ({ tenantId, replay }: { tenantId: string; replay: Replay }) => ({
  tenantId,
  runId: replay.runId,
  result: replay.result,
  differences: replay.differences,
  requests: replay.requests.length,
  changedRequests: replay.requests.filter(({ state }) => state === 'changed').length,
  error: replay.result === 'failed' ? replay.replayed.error?.code : undefined,
});
