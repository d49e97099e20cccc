import type { AcceptingState } from '../ops_types';

/** The answer of GET /ops/overview. Times are ISO-8601 UTC. */
export interface Overview {
  at: string;
  state: 'healthy' | 'degraded' | 'broken';
  reasons: readonly { code: string; level: 'degraded' | 'broken'; message: string; messageZh: string; view?: string }[];
  accepting: AcceptingState;
  live: { running: number; waiting: number; queued: number; stuck: number };
  /** Of the last `windowMinutes`. */
  traffic: { windowMinutes: number; runsPerMinute: number; successShare?: number; runP95Ms?: number; firstTokenP95Ms?: number };
  /** One row a minute, oldest first. */
  minutes: readonly TrafficMinute[];
  today: { day: string; tokens: number; costUsd: number; unpricedRuns: number; tokensPerDay?: number; costPerDayUsd?: number };
  people: { questions: number; approvals: number; oldestAt?: string };
  process: {
    connections: number;
    eventLoopP99Ms: number;
    rssBytes: number;
    heapUsedBytes: number;
    diskFreeBytes?: number;
    diskTotalBytes?: number;
  };
  nodes: readonly GatewayNode[];
  warnings: readonly string[];
  changes?: readonly { at: string; actor: string; action: string; target: string }[];
}

export interface TrafficMinute {
  at: string;
  runs: number;
  failed: number;
  tokens: number;
  costUsd: number;
  runP95Ms: number | null;
  firstTokenP95Ms: number | null;
}

/** One gateway on the store. */
export interface GatewayNode {
  id: string;
  isSelf: boolean;
  version: string;
  nodeVersion: string;
  startedAt: string;
  seenAt: string;
  runs: number;
  connections: number;
  rssBytes: number;
  eventLoopP99Ms: number;
}
