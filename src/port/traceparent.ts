/** Reads and writes the headers of a distributed trace (https://www.w3.org/TR/trace-context/). */
import type { TraceContext } from './trace_context';

/** `traceparent` and `tracestate` as a caller sent them: headers, or fields of a message. */
export interface SentTrace {
  traceparent?: unknown;
  tracestate?: unknown;
}

export interface TraceHeaders {
  traceparent: string;
  tracestate?: string;
}

/** Later versions may add fields behind the flags; these four keep their place. */
const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const MEMBER = /^[a-z\d][\w*/@-]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const MAX_STATE_UNITS = 512;
const MAX_MEMBERS = 32;

/** Returns undefined for a missing or invalid `traceparent`. An invalid `tracestate` is left out. */
export function readTraceContext({ traceparent, tracestate }: SentTrace): TraceContext | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(traceparent.trim()) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const state = readState(tracestate);
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1, state };
}

function readState(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > MAX_STATE_UNITS) return undefined;
  const members = text
    .split(',')
    .map(member => member.trim())
    .filter(member => member !== '');
  const isValid = members.length > 0 && members.length <= MAX_MEMBERS && members.every(member => MEMBER.test(member));
  return isValid ? members.join(',') : undefined;
}

/** The headers of a request that a part of the trace sends. */
export function traceHeaders({ traceId, spanId, isSampled, state }: TraceContext): TraceHeaders {
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
  return { traceparent, ...(state !== undefined && { tracestate: state }) };
}

/** Returns the same trace with a span of its own for one request to another service. `uuid`: random, version 4. */
export const withNewSpan = (trace: TraceContext, uuid: string): TraceContext => ({
  ...trace,
  // The second half of a UUID never begins with 0.
  spanId: uuid.replaceAll('-', '').slice(16),
});
