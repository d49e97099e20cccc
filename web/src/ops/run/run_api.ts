/** The routes of one run. Every failure rejects with a RequestError. */
import type { RunEvent } from '../../../../src/port/run_event';
import { callRest } from '../../api/call_rest';
import type { Page } from '../../api/rest_types';
import type { RunDetail } from './run_types';

const opsPath = (runId: string): string => `/ops/runs/${encodeURIComponent(runId)}`;

export const readRun = (runId: string): Promise<RunDetail> => callRest('GET', opsPath(runId));

/** Reads a page of events behind `after`, in the order of their numbers. */
export const readEvents = (runId: string, after: number, limit: number): Promise<Page<RunEvent>> =>
  callRest('GET', `${opsPath(runId)}/events?after=${after}&limit=${limit}`);

/** The run with all its events. */
export const exportRun = (runId: string): Promise<unknown> => callRest('GET', `${opsPath(runId)}/export`);

/** Resolves when the run has ended. */
export const cancelRun = (runId: string, reason: string): Promise<unknown> =>
  callRest('POST', `${opsPath(runId)}/cancel`, reason === '' ? {} : { reason });

type Again = NonNullable<RunDetail['again']>;

/** Starts the same run in a new session. Resolves once it is stored. */
export const startAgain = (again: Again): Promise<{ runId: string }> =>
  callRest('POST', '/runs', bodyOf(again), { prefer: 'respond-async' });

const bodyOf = ({ input, agent, model, parameters }: Again) => ({
  input,
  agent,
  model,
  parameters,
});

/** Returns a command line that starts the same run. The key comes from the environment. */
export function curlOf(again: Again, { origin, hasKeys }: { origin: string; hasKeys: boolean }): string {
  const quoted = JSON.stringify(bodyOf(again)).replaceAll("'", String.raw`'\''`);
  return [
    `curl -X POST '${origin}/api/v1/runs'`,
    hasKeys && '-H "authorization: Bearer $NETA_API_KEY"',
    "-H 'content-type: application/json'",
    `-d '${quoted}'`,
  ]
    .filter(part => part !== false)
    .join(' \\\n  ');
}
