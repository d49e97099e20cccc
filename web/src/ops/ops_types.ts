/** Answers of the routes below /ops that several screens read. Times are ISO-8601 UTC. */
import type { RunStatus } from '../../../src/port/run_event';

export interface AcceptingState {
  accepting: boolean;
  /** tenant: the switch of this tenant alone; gateway: of all tenants. */
  scope?: 'tenant' | 'gateway';
  reason?: string;
  changedBy?: string;
  changedAt?: string;
}

/** What a run does now. */
export type RunStepKind = 'model' | 'tool' | 'human' | 'child';

export interface LiveRun {
  runId: string;
  sessionId: string;
  tenantId: string;
  parentRunId?: string;
  status: RunStatus;
  state: 'queued' | RunStepKind;
  step?: { kind: RunStepKind; name?: string; since: string };
  door: string;
  agent: string;
  keyName?: string;
  node?: string;
  iterations: number;
  maxIterations: number;
  tokens: number;
  costUsd: number;
  createdAt: string;
  startedAt?: string;
  lastEventAt?: string;
  isStuck: boolean;
}

export interface EndedRun {
  runId: string;
  sessionId: string;
  tenantId: string;
  parentRunId?: string;
  status: RunStatus;
  reason?: string;
  errorCode?: string;
  door: string;
  agent: string;
  keyName?: string;
  model?: string;
  tokens: number;
  cachedTokens: number;
  /** Absent when the price of a model is unknown. */
  costUsd?: number;
  createdAt: string;
  startedAt?: string;
  endedAt?: string;
  durationMs?: number;
}

/** Live runs are on the first page only. */
export interface RunsPage {
  at: string;
  live: readonly LiveRun[];
  data: readonly EndedRun[];
  nextCursor?: string;
}
