/** Writes a log line for each run that ends; at the level debug also for each model call and each tool call. */
import type { LogContext, LogEvent } from '../../port/logger';
import type { ObservedRun } from '../../port/observed_run';
import type { EndedWork, ObserverListener } from '../../port/observer';
import type { RunRecord } from '../../port/store/runs';
import type { TraceContext } from '../../port/trace_context';

/** Creates the listener that writes these lines to `log`. A run that was discarded before it was stored has no line. */
export function createRunLogLines(log: LogEvent): ObserverListener {
  return {
    workEnded(work, durationMs, span) {
      const durMs = Math.round(durationMs);
      switch (work.kind) {
        case 'run':
          return logRun(log, work, durMs, span);
        case 'model_call': {
          const { begun, ended } = work;
          const context = { ...factsOf(begun.run, span), model: begun.model, durMs, outcome: ended.error ?? ended.finishReason ?? 'ok' };
          return log('debug', 'a model call ended', context);
        }
        case 'tool_call': {
          const { begun, ended } = work;
          return log('debug', 'a tool call ended', { ...factsOf(begun.run, span), tool: begun.tool, durMs, outcome: ended.outcome });
        }
      }
    },
  };
}

function logRun(log: LogEvent, { begun, ended }: EndedWork & { kind: 'run' }, durMs: number, span: TraceContext | undefined): void {
  const { status, reason, error } = ended;
  if (status === 'discarded') return;
  const context = {
    ...factsOf(begun.run, span),
    durMs,
    outcome: status,
    reason,
    code: error,
  };
  if (status === 'abandoned') log('debug', 'a run is left to another process', context);
  else log(status === 'failed' ? 'warn' : 'info', 'a run ended', context);
}

/** Without a span of its own, the work belongs to the trace of the caller. */
function factsOf(run: ObservedRun | undefined, span: TraceContext | undefined): LogContext {
  const traceId = span?.traceId ?? run?.trace?.traceId;
  const trace = { traceId, spanId: span?.spanId };
  if (!run) return trace;
  const { runId, sessionId, door, agent, requestId } = run;
  return { runId, sessionId, requestId, door, agent, ...trace };
}

/** What a line of the log says about the run that it is about. */
export const logContextOf = ({ id, sessionId, trace, requestId }: RunRecord): LogContext => ({
  runId: id,
  sessionId,
  requestId,
  traceId: trace?.traceId,
});
