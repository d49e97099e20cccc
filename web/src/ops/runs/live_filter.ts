/** Chooses live runs by the filters of the address. Pure. */
import type { LiveRun } from '../shared/ops_types';

/** `running` holds everything that works: model, tool and child runs. */
export const LIVE_STATES = ['running', 'queued', 'human', 'model', 'tool', 'child', 'stuck'] as const;

export function filterLive(rows: readonly LiveRun[], query: Readonly<Record<string, string>>): readonly LiveRun[] {
  const { state, status, reason, agent, door, key, node, since, until, q } = query;
  // These are states of a run that has ended.
  if (status || reason) return [];
  return rows.filter(
    row =>
      isIn(row, state) &&
      (!agent || row.agent === agent) &&
      (!door || row.door === door) &&
      (!key || row.keyName === key) &&
      (!node || row.node === node) &&
      (!since || Date.parse(row.createdAt) >= Date.parse(since)) &&
      (!until || Date.parse(row.createdAt) < Date.parse(until)) &&
      (!q || row.runId === q || row.sessionId === q),
  );
}

function isIn(row: LiveRun, state: string | undefined): boolean {
  if (!state) return true;
  if (state === 'stuck') return row.isStuck;
  if (state === 'running') return row.status === 'running';
  return row.state === state;
}
