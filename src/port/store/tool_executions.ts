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
  status?: ToolExecutionStatus;
  sessionId?: string;
  runId?: string;
  /** Created at this time or later. */
  since?: number;
}

export interface ToolExecutionReader {
  getToolExecution(tenantId: string, id: string): Promise<ToolExecutionRecord | undefined>;
  /** Lists the newest first; of the same time, the higher id first. */
  listToolExecutions(tenantId: string, filter: ToolExecutionFilter, page: PageRequest): Promise<Page<ToolExecutionRecord>>;
  /** All tenants: direct calls that are still running, oldest first, at most 1,000. */
  runningDirectCalls(): Promise<ToolExecutionRecord[]>;
}

export interface ToolExecutionWriter {
  /** Rejects with `internal` when the id is taken or the session is named and does not exist. */
  insertToolExecution(execution: ToolExecutionRecord): Promise<void>;
  /** Ends a running execution. Resolves false when it is not running. */
  finishToolExecution(tenantId: string, id: string, end: ToolExecutionEnd): Promise<boolean>;
}
