/** Chooses live runs by the filters of the address. Pure. */
import type { LiveRun } from '../shared/ops_types';

/** `running` holds everything that works: model, tool and child runs. */
export const LIVE_STATES = ['running', 'queued', 'human', 'model', 'tool', 'child', 'stuck'] as const;

/** Orders of the lists other than by time; the largest come first. */
export const SORTS = ['cost', 'tokens', 'duration', 'calls'] as const;

const SIZES: ReadonlyMap<string, (row: LiveRun) => number> = new Map([
  ['cost', row => row.costUsd ?? 0],
  ['tokens', row => row.tokens],
  ['duration', row => -Date.parse(row.createdAt)],
  ['calls', row => row.iterations],
]);

export function filterLive(rows: readonly LiveRun[], query: Readonly<Record<string, string>>): readonly LiveRun[] {
  const { state, status, reason, agent, door, key, node, since, until, q, tenant, sort } = query;
  // These are states of a run that has ended.
  if (status || reason) return [];
  const shown = rows.filter(
    row =>
      isIn(row, state) &&
      (!agent || row.agent === agent) &&
      (!door || row.door === door) &&
      (!key || row.keyName === key) &&
      (!tenant || row.tenantId === tenant) &&
      (!node || row.node === node) &&
      (!since || Date.parse(row.createdAt) >= Date.parse(since)) &&
      (!until || Date.parse(row.createdAt) < Date.parse(until)) &&
      (!q || row.runId === q || row.sessionId === q),
  );
  const sizeOf = SIZES.get(sort ?? '');
  return sizeOf ? shown.sort((a, b) => sizeOf(b) - sizeOf(a)) : shown;
}

function isIn(row: LiveRun, state: string | undefined): boolean {
  if (!state) return true;
  if (state === 'stuck') return row.isStuck;
  if (state === 'running') return row.status === 'running';
  return row.state === state;
}
