/** The exporter of traces, for the stop of the gateway. */
export interface Traces {
  /** Returns the trace and the span of a run that is executed here; undefined when it has none. */
  spanOfRun(runId: string): { traceId: string; spanId: string } | undefined;
  /** Sends the spans that are left, for at most two seconds. Never rejects. */
  close(): Promise<void>;
}
