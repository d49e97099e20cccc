/** The first page of operators. */

import type { TrafficSummary } from '../figures/traffic';
import type { LiveCounts } from '../runs/live_runs';
import type { AcceptingState } from '../shared/accepting';
import type { Notice } from '../shared/notices';

export interface Overview {
  at: string;
  state: 'healthy' | 'degraded' | 'broken';
  reasons: OpsReason[];
  accepting: AcceptingState;
  live: LiveCounts;
  traffic: Omit<TrafficSummary, 'minutes'>;
  minutes: TrafficSummary['minutes'];
  today: { day: string; tokens: number; costUsd: number; unpricedRuns: number; tokensPerDay?: number; costPerDayUsd?: number };
  people: { questions: number; approvals: number; oldestAt?: string };
  process: {
    connections: number;
    /** These facts of the machine are absent for an operator of another tenant than `default`. */
    eventLoopP99Ms?: number;
    rssBytes?: number;
    heapUsedBytes?: number;
    diskFreeBytes?: number;
    diskTotalBytes?: number;
  };
  nodes: NodeRow[];
  warnings: readonly string[];
  /** The warnings with their codes, in both languages. */
  notices: Notice[];
  /** The last acts of operators. */
  changes: { at: string; actor: string; action: string; actionText: string; actionTextZh: string; target: string }[];
}

export interface NodeRow {
  id: string;
  isSelf: boolean;
  version: string;
  nodeVersion: string;
  startedAt: string;
  seenAt: string;
  runs: number;
  connections: number;
  rssBytes?: number;
  eventLoopP99Ms?: number;
}

export interface OpsReason {
  code:
    | 'store_unavailable'
    | 'draining'
    | 'not_accepting'
    | 'tenants_not_accepting'
    | 'runs_failing'
    | 'runs_stuck'
    | 'people_waiting'
    | 'event_loop_slow'
    | 'disk_low'
    | 'warnings';
  level: 'degraded' | 'broken';
  message: string;
  messageZh: string;
  /** The page that shows more. */
  view?: 'overview' | 'runs' | 'people' | 'limits' | 'config';
}
