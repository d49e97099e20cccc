import type { RunStatus } from '../../../../src/port/run_event';

export type WaterfallKind = 'queue' | 'model' | 'tool' | 'human' | 'child' | 'compaction';

export interface WaterfallRow {
  kind: WaterfallKind;
  /** Name of the tool, the model, or the crew member. */
  name: string;
  /** Id of the tool call, the question or the child run. */
  id?: string;
  fromSeq: number;
  /** Absent while it goes on. */
  toSeq?: number;
  /** Milliseconds after the run was accepted. */
  startMs: number;
  /** Absent while it goes on. */
  durationMs?: number;
  /** Milliseconds from the start of the row to the first token. */
  firstTokenMs?: number;
  ok?: boolean;
  outcome?: string;
  isCached?: true;
  isDuplicate?: true;
  inputTokens?: number;
  cachedTokens?: number;
  outputTokens?: number;
  /** Absent when the price is unknown. */
  costUsd?: number;
}

export type ToolReason = 'always' | 'toolset' | 'skill_hint' | 'relevance';

/** The answer of GET /ops/runs/:id. Times are ISO-8601 UTC. */
export interface RunDetail {
  run: RunFacts;
  waterfall: readonly WaterfallRow[];
  /** The newest events of the run are not in the waterfall. */
  isTruncated: boolean;
  /** The events are no longer kept. */
  isExpired: boolean;
  tools: readonly { name: string; why: ToolReason; score?: number }[];
  prompt: { layers: readonly { name: 'prompt' | 'tools' | 'message' | 'conversation'; tokens: number }[]; estimatedTokens: number };
  errors: readonly { seq: number; kind: 'tool' | 'model' | 'run'; name: string; code?: string; message?: string }[];
  children: readonly { runId: string; sessionId: string; status: RunStatus; agent: string }[];
  /** What starts the same run again; only for callers who may read texts. */
  again?: { input: string; agent: string; sessionId: string; model?: string; parameters?: unknown };
}

export interface RunFacts {
  runId: string;
  sessionId: string;
  tenantId: string;
  parentRunId?: string;
  status: RunStatus;
  reason?: string;
  error?: { code: string; message: string };
  door: string;
  agent: string;
  locale: string;
  keyName?: string;
  model?: string;
  node?: string;
  epoch: number;
  recoveries: number;
  lastSeq: number;
  usage: { inputTokens: number; outputTokens: number; cachedTokens?: number; reasoningTokens?: number; costUsd?: number };
  createdAt: string;
  startedAt?: string;
  endedAt?: string;
}
