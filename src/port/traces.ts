/** An exporter of traces, as the stop of the gateway ends it. */
export interface Traces {
  /** Sends what is left, for at most two seconds. Never rejects. */
  close(): Promise<void>;
}
