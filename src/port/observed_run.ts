import type { TraceContext } from './trace_context';

/** The run for which work is done, as observers see it. */
export interface ObservedRun {
  runId: string;
  sessionId: string;
  tenantId: string;
  /** One of DOORS. */
  door: string;
  agent: string;
  /** The trace that its caller named. */
  trace?: TraceContext;
  /** The request that started it; known while the process that took the request executes the run. */
  requestId?: string;
  /** The run that delegated this one, and the tool call with which it did. */
  parent?: { runId: string; toolCallId: string };
}
