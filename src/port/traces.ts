/** What an exporter of traces needs to be ended properly. */
export interface Traces {
  /** Sends what is left, for at most two seconds. Never rejects. */
  close(): Promise<void>;
}
