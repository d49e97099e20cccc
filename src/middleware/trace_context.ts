/** Reads the trace that a request belongs to (https://www.w3.org/TR/trace-context/). */
import type { IncomingHttpHeaders } from 'node:http';

export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits: the span of the caller. */
  parentId: string;
  isSampled: boolean;
}

/** Later versions may add fields behind the flags; these four keep their place. */
const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Returns undefined for a missing or invalid header: the request then starts a trace of its own. */
export function readTraceparent(headers: IncomingHttpHeaders): TraceContext | undefined {
  const header = headers['traceparent'];
  const [, version, traceId = '', parentId = '', flags = '', more] = TRACEPARENT.exec(String(header ?? '').trim()) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
