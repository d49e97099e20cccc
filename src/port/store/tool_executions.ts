/** The tool log: one row per execution. Times are milliseconds since 1970. */
import type { Page, PageRequest } from './page';

export type ToolExecutionStatus = 'running' | 'success' | 'error' | 'cancelled' | 'unknown';

export interface ToolExecutionRecord {
  tenantId: string;
  id: string;
  /** Absent for a direct call. */
  sessionId?: string;
  runId?: string;
  toolCallId?: string;
  tool: string;
  /** The command of a manifest that the tool runs. */
  command?: string;
  /** The person or program for which the call was made, as the caller states it. */
  user?: string;
  /** The agent of the run; for a direct call, the agent that the caller states. */
  agent?: string;
  /** Arguments as JSON text, truncated. */
  args: string;
  /** Process that executes a direct call. A call of a run belongs to the run's owner. */
  owner?: string;
  status: ToolExecutionStatus;
  /** Result text, truncated. */
  result?: string;
  error?: string;
  durationMs?: number;
  cached?: boolean;
  duplicate?: boolean;
  details?: Record<string, unknown>;
  createdAt: number;
  endedAt?: number;
}

export type ToolExecutionEnd = Pick<
  ToolExecutionRecord,
  'status' | 'result' | 'error' | 'durationMs' | 'cached' | 'duplicate' | 'details' | 'endedAt'
>;

export interface ToolExecutionFilter {
  tool?: string;
  /** Names of tools, at least one. */
  tools?: readonly string[];
  /** The name of a tool, or of a manifest for all its commands. */
  toolOrManifest?: string;
  command?: string;
  user?: string;
  agent?: string;
  status?: ToolExecutionStatus;
  sessionId?: string;
  /** Calls that the turns of this session show: of its runs, of the runs whose messages were copied into it, and of the crew members of both. */
  shownIn?: string;
  runId?: string;
  /** Created at this time or later. */
  since?: number;
}

/** A file that a call of a run has read or written. `version` identifies its content. */
export interface FileUse {
  version: string;
  runId: string;
}

export interface ToolExecutionReader {
  get(tenantId: string, id: string): Promise<ToolExecutionRecord | undefined>;
  /** Reads the whole answer of a direct call that was answered before it ended (`respond-async`). */
  getAnswer(tenantId: string, id: string): Promise<Record<string, unknown> | undefined>;
  /** Lists the newest first; of the same time, the higher id first. */
  list(tenantId: string, filter: ToolExecutionFilter, page: PageRequest): Promise<Page<ToolExecutionRecord>>;
  /** Names of the tools that were called in the session, each once, in name order. */
  toolsOfSession(tenantId: string, sessionId: string): Promise<string[]>;
  /** Finds, among the newest 500 calls of the session, the newest one whose details have the path and a version of a file. */
  lastFileUse(tenantId: string, sessionId: string, path: string): Promise<FileUse | undefined>;
  /** All tenants: direct calls that are still running, oldest first, at most 1,000. */
  runningDirectCalls(): Promise<ToolExecutionRecord[]>;
}

export interface ToolExecutionWriter {
  /** Rejects with `internal` when the id is taken or the session is named and does not exist. */
  insert(execution: ToolExecutionRecord): Promise<void>;
  /** Keeps the whole answer of a direct call that was answered before it ended. */
  putAnswer(tenantId: string, id: string, answer: Record<string, unknown>): Promise<void>;
  /** Ends a running execution. Resolves false when it is not running. */
  finish(tenantId: string, id: string, end: ToolExecutionEnd): Promise<boolean>;
}
