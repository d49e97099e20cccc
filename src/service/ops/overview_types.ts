/** The first page of operators. */
import type { Notice } from './notices';
import type { TrafficSummary } from './traffic';

export interface Overview {
  at: string;
  state: 'healthy' | 'degraded' | 'broken';
  reasons: OpsReason[];
  accepting: AcceptingState;
  live: { running: number; waiting: number; queued: number; stuck: number };
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

export interface AcceptingState {
  accepting: boolean;
  /** tenant: the switch of this tenant alone; gateway: of all tenants. */
  scope?: 'tenant' | 'gateway';
  reason?: string;
  changedBy?: string;
  changedAt?: string;
  /** Pauses of single tenants, for those who see all tenants; absent without one. */
  tenants?: TenantPause[];
}

export interface TenantPause {
  tenantId: string;
  reason?: string;
  changedBy: string;
  changedAt: string;
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
