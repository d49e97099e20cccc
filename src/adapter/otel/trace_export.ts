import type { LogContext, Logger } from '../../port/logger';
import type { Traces } from '../../port/traces';
import { openTraces, type TraceDeps, type TraceSettings } from './open_traces';

type ExportDeps = Omit<TraceDeps, 'onError'> & { logger: Logger };

/** Its logger names the spans of runs. */
export function openTraceExport(otlp: TraceSettings | undefined, deps: ExportDeps): { logger: Logger; traces?: Traces } {
  const { logger } = deps;
  if (!otlp) return { logger };
  const traces = openTraces(otlp, { ...deps, onError: logger.error });
  return { traces, logger: withSpansOfRuns(logger, traces) };
}

/** Adds trace and span to the lines about a run that is executed here. A line that names a span keeps it. */
function withSpansOfRuns(logger: Logger, traces: Traces): Logger {
  const located = (context: LogContext): LogContext => {
    const span = context.runId === undefined || context.spanId !== undefined ? undefined : traces.spanOfRun(context.runId);
    return span ? { ...context, traceId: span.traceId, spanId: span.spanId } : context;
  };
  return {
    ...logger,
    error: (message, thrown, context) => logger.error(message, thrown, context && located(context)),
    event: (level, message, context) => logger.event(level, message, located(context)),
  };
}
