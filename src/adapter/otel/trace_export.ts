import type { Traces } from '../../port/traces';
import type { TraceDeps, TraceSettings } from './open_traces';

/** Loads the SDK only when there is a receiver. */
export function openTraceExport(otlp: TraceSettings | undefined, deps: TraceDeps): { traces?: Traces } {
  if (!otlp) return {};
  const { openTraces }: typeof import('./open_traces') = require('./open_traces');
  return { traces: openTraces(otlp, deps) };
}
