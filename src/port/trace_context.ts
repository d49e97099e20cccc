/** The place of work in a distributed trace (https://www.w3.org/TR/trace-context/). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits: the span that the work is a part of. */
  spanId: string;
  isSampled: boolean;
  /** The value of `tracestate`: what the tracing systems of the caller add. */
  state?: string;
}
