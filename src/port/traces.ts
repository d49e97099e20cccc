/** An exporter of traces, as the stop of the gateway ends it. */
export interface Traces {
  /** Returns the trace and the span of a run that is executed here; undefined when it has none. */
  spanOfRun(runId: string): { traceId: string; spanId: string } | undefined;
  /** Sends what is left, for at most two seconds. Never rejects. */
  close(): Promise<void>;
}
